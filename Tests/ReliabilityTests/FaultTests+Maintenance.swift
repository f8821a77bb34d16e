import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

// The engine's operations on a file other than writing documents.
extension FaultTests {
    @Test("in creating a file, which can be repeated")
    func creation() throws {
        let summary = try sweep.run { round in
            let file = try DataFile(
                path: round("new.cblite2"), options: Self.options(.create))
            defer { file.close() }
            try file.write { try Self.save("doc-1", 1, in: $0) }
        } check: { round in
            Self.requireKnown(round.error, round)
            let path = round("new.cblite2")
            let file = try DataFile(path: path, options: Self.options(.create))
            let count = try file.read { try Self.store.count(in: $0) }
            #expect(count.deleted == 0 && count.live <= 1, "\(round)")
            if round.error == nil { #expect(count.live == 1, "\(round)") }
            try file.write { try Self.save("doc-2", 2, in: $0) }
            file.close()
            try Self.requireWhole(path, round)
        }
        Self.note(summary, "creating a file")
        #expect(summary.faults > 20)
    }

    @Test(
        "in moving the tombstones of an older file",
        .enabled(if: GoldenFiles.arePresent, "no golden files"))
    func tombstones() throws {
        let directory = try TemporaryDirectory()
        let template = try OlderFile.copy(in: directory, copies: 2)
        let old = try DataFile(path: template, options: Self.options(.readWrite))
        let before = try OlderFile.records(old)
        try old.write { try KeyStore(KeyStoreName("notes")).create(in: $0) }
        old.close()
        let summary = try sweep.run(copying: template) { round in
            let file = try DataFile(
                path: round(OlderFile.name), options: Self.options(.readWrite))
            defer { file.close() }
            while try !file.write({ try $0.moveTombstones(rows: 70) }) {}
        } check: { round in
            Self.requireKnown(round.error, round)
            let path = round(OlderFile.name)
            try Self.requireWhole(path, round)
            let file = try DataFile(path: path, options: Self.options(.readWrite))
            defer { file.close() }
            let isSame = try OlderFile.records(file) == before
            #expect(isSame, "\(round)")
            while try !file.write({ try $0.moveTombstones(rows: 70) }) {}
            let isStillSame = try OlderFile.records(file) == before
            #expect(isStillSame, "\(round)")
        }
        Self.note(summary, "moving tombstones")
        #expect(summary.faults > 20)
    }

    @Test("in vacuuming a file to compact it")
    func vacuum() throws {
        let template = try Self.template(documents: 60)
        let context = try SQLContext(path: template.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: "PRAGMA auto_vacuum = 0; VACUUM")
        try context.close()
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            try file.write { transaction in
                for number in 0..<50 { try Self.store.purge("doc-\(number)", in: transaction) }
            }
            #expect(try file.compact().kind == .full)
        } check: { round in
            Self.requireKnown(round.error, round)
            try Self.requireWhole(round("store.cblite2"), round)
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readOnly))
            defer { file.close() }
            let count = try file.read { try Self.store.count(in: $0) }
            #expect(count == (10, 0) || count == (60, 0), "\(round)")
        }
        Self.note(summary, "compacting a file with VACUUM")
        #expect(summary.faults > 20)
    }

    @Test("in deleting a collection, and in recreating indexes and statistics")
    func deletionOfStore() throws {
        let template = try Self.template(documents: 30)
        let second = KeyStore(KeyStoreName(".second"))
        let reopened = try template.reopened()
        try reopened.write { transaction in
            try second.create(in: transaction)
            for number in 0..<30 {
                _ = try second.put(
                    RecordUpdate(
                        "\(number)", body: Array(repeating: 1, count: 300), expecting: .absent),
                    in: transaction)
            }
        }
        reopened.close()
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            try file.write { _ = try second.delete(in: $0) }
            try file.reindex()
            try file.optimize(isThorough: true)
        } check: { round in
            Self.requireKnown(round.error, round)
            try Self.requireWhole(round("store.cblite2"), round)
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readOnly))
            defer { file.close() }
            let (count, left) = try file.read { snapshot in
                (
                    try Self.store.count(in: snapshot),
                    try second.exists(in: snapshot) ? try second.count(in: snapshot).live : 0
                )
            }
            #expect(count == (30, 0) && [0, 30].contains(left), "\(count) \(left): \(round)")
        }
        Self.note(summary, "deleting a collection, reindexing, optimizing")
        #expect(summary.faults > 20)
    }
}
