import EngineTestSupport
import StoreFormat
import Testing
@testable import DataFileCore

@Suite("Enumeration")
struct EnumerationTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    /// a…f, of which b and e are tombstones; written in the order f…a, then c once more.
    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
        try file.write { transaction in
            for key in ["f", "e", "d", "c", "b", "a"] {
                let isTombstone = key == "b" || key == "e"
                try store.set(key, key, flags: isTombstone ? .deleted : [], in: transaction)
            }
            try store.set("c", "c2", in: transaction)
        }
    }

    private func keys(_ configure: (inout RecordEnumerator.Options) -> Void) throws -> String {
        let options = RecordEnumerator.Options(configure)
        let read = try file.read { try store.keys(options, in: $0) }
        let written = try file.write { try store.keys(options, in: $0) }
        #expect(read == written, "a transaction sees the same")
        return read.joined()
    }

    @Test("by key and by sequence, both directions, with and without tombstones")
    func orders() throws {
        #expect(try keys { _ in } == "acdf")
        #expect(try keys { $0.descending = true } == "fdca")
        #expect(try keys { $0.includesDeleted = true } == "abcdef")
        #expect(
            try keys {
                $0.includesDeleted = true
                $0.descending = true
            } == "fedcba")
        #expect(try keys { $0.order = .sequence } == "fdac")
        #expect(
            try keys {
                $0.order = .sequence
                $0.includesDeleted = true
            } == "fedbac")
        #expect(
            try keys {
                $0.order = .sequence
                $0.includesDeleted = true
                $0.descending = true
            } == "cabdef")
        #expect(Set(try keys { $0.order = .unsorted }) == Set("acdf"))
        let all = try keys {
            $0.order = .unsorted
            $0.includesDeleted = true
        }
        #expect(Set(all.prefix(4)) == Set("acdf") && Set(all.suffix(2)) == Set("be"))
    }

    @Test("start, end and limit, both directions: the bounds are inclusive, and need not exist")
    func bounds() throws {
        let range = { (start: String?, end: String?, limit: Int?, descending: Bool) in
            try keys {
                $0.includesDeleted = true
                ($0.startKey, $0.endKey, $0.limit) = (start, end, limit)
                $0.descending = descending
            }
        }
        #expect(try range("b", "e", nil, false) == "bcde")
        #expect(try range("e", "b", nil, true) == "edcb")
        #expect(try range("bb", "dd", nil, false) == "cd")
        #expect(try range("dd", "bb", nil, true) == "dc")
        #expect(try range("e", "b", nil, false) == "")
        #expect(try range("b", nil, 2, false) == "bc")
        #expect(try range(nil, "c", nil, true) == "fedc")
        #expect(try range(nil, "c", nil, false) == "abc")
        #expect(try range("c", "c", nil, false) == "c")
        #expect(try range(nil, nil, 0, false) == "")
        #expect(try range(nil, nil, -3, false) == "")
        #expect(try range(nil, nil, .max, true) == "fedcba")
    }

    @Test("ranges of sequences, in every order")
    func sequences() throws {
        let range = { (sequences: ClosedRange<Int64>, order: RecordEnumerator.Order) in
            try keys {
                $0.includesDeleted = true
                $0.sequences = sequences
                $0.order = order
            }
        }
        #expect(try range(2...3, .sequence) == "ed")
        #expect(try range(2...3, .key) == "de")
        #expect(try range(4...4, .sequence) == "", "c has been written again")
        #expect(try range(6...(.max), .sequence) == "ac")
        #expect(try range(.min ... .max, .sequence) == "fedbac")
        #expect(try range(100...200, .unsorted) == "")
    }

    @Test("seek continues at a key, both directions, and again after the end")
    func seek() throws {
        try file.read { snapshot in
            let records = try store.records(in: snapshot)
            #expect(try records.next()?.key == "a")
            try records.seek(to: "d")
            #expect(try records.next()?.key == "d")
            try records.seek(to: "b")
            #expect(try records.next()?.key == "c")
            try records.seek(to: "zz")
            #expect(try records.next() == nil)
            #expect(try records.next() == nil)
            try records.seek(to: "")
            #expect(try records.next()?.key == "a")
            let back = try store.records(.init { $0.descending = true }, in: snapshot)
            try back.seek(to: "e")
            #expect(try back.next()?.key == "d")
            let bounded = try store.records(.init { $0.endKey = "c" }, in: snapshot)
            try bounded.seek(to: "d")
            #expect(try bounded.next() == nil)
            let other = try store.records(.init { $0.order = .sequence }, in: snapshot)
            storeError(.invalidParameter) { try other.seek(to: "a") }
        }
    }

    @Test("conflicted records and those with attachments, with and without their indexes")
    func filters() throws {
        try file.write { transaction in
            try store.set("a", flags: .conflicted, in: transaction)
            try store.set("b", flags: [.conflicted, .deleted], in: transaction)
            try store.set("c", flags: .hasAttachments, in: transaction)
            try store.set("d", flags: [.hasAttachments, .conflicted], in: transaction)
        }
        for hasIndexes in [false, true] {
            #expect(try keys { $0.conflictedOnly = true } == "ad")
            #expect(
                try keys {
                    $0.conflictedOnly = true
                    $0.includesDeleted = true
                } == "abd")
            #expect(try keys { $0.withAttachmentsOnly = true } == "cd")
            #expect(
                try keys {
                    $0.withAttachmentsOnly = true
                    $0.conflictedOnly = true
                } == "d")
            for order in [RecordEnumerator.Order.sequence, .unsorted, .key] {
                let found = try keys {
                    $0.conflictedOnly = true
                    $0.order = order
                    $0.descending = true
                    $0.startKey = "d"
                    $0.includesDeleted = true
                }
                #expect(Set(found) == Set("abd"))
            }
            if !hasIndexes { _ = try file.shared.runMaintenance() }
        }
        #expect(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB '*_default_[bcs]*'")
                .sorted()
                == [
                    "kv_default_blobs", "kv_default_conflicts", "kv_default_seqs",
                    "kv_del_default_blobs", "kv_del_default_conflicts", "kv_del_default_seqs",
                ])
    }

    @Test(
        "a transaction that writes a record for each that comes finds an end, in every order",
        arguments: [RecordEnumerator.Order.key, .sequence, .unsorted], [false, true])
    func endsWhileInserting(order: RecordEnumerator.Order, includesDeleted: Bool) throws {
        let options = RecordEnumerator.Options {
            $0.order = order
            $0.includesDeleted = includesDeleted
        }
        for isIndexed in [false, true] {
            if isIndexed { _ = try file.shared.runMaintenance() }
            try file.write { transaction in
                var seen = 0
                try store.records(options, in: transaction).forEachRow { row in
                    seen += 1
                    // A copy ahead, and the record itself again: both have later sequences.
                    let key = row.key
                    try store.set(key + "z\(seen)", in: transaction)
                    try store.set(key, in: transaction)
                    return seen < 1000
                }
                #expect(seen < 1000, "\(seen) records came")
                throw Mishap()
            } ignoring: {
                $0 is Mishap
            }
        }
    }

    @Test(
        "a raw store, whose records have no sequence, can be rewritten while it is walked through")
    func endsInRawStore() throws {
        let raw = KeyStore(KeyStoreName("own"))
        try file.write { transaction in
            for number in 0..<5 {
                try raw.putRaw(RawRecord(body: [0]), for: "k\(number)", in: transaction)
            }
        }
        for order in [RecordEnumerator.Order.unsorted, .key] {
            try file.write { transaction in
                var seen = 0
                try raw.records(.init { $0.order = order }, in: transaction).forEachRow { row in
                    seen += 1
                    let key = row.key
                    try raw.putRaw(RawRecord(body: [1]), for: key, in: transaction)
                    try raw.putRaw(RawRecord(body: [1]), for: key + "z", in: transaction)
                    return seen < 1000
                }
                #expect(seen < 1000)
                throw Mishap()
            } ignoring: {
                $0 is Mishap
            }
        }
    }

    @Test("deleting each record leaves none, and none is enumerated twice")
    func deleteWhileWalking() throws {
        try file.write { transaction in
            var seen: [String] = []
            try store.records(in: transaction).forEachRow { row in
                let key = row.key
                seen.append(key)
                try store.set(key, flags: .deleted, in: transaction)
                return true
            }
            #expect(seen == ["a", "c", "d", "f"])
            #expect(try store.count(in: transaction) == (0, 6))
        }
    }

    @Test("an enumeration that a savepoint ended early fails, instead of seeming complete")
    func cutBySavepoint() throws {
        try file.write { transaction in
            let records = try store.records(in: transaction)
            #expect(try records.next()?.key == "a")
            #expect(throws: Mishap.self) { try transaction.savepoint { throw Mishap() } }
            let error = storeError(.notInTransaction) { _ = try records.next() }
            #expect(error?.message.contains("start it again") == true)
            try records.seek(to: "c")
            #expect(try records.next()?.key == "c")

            var seen = 0
            storeError(.notInTransaction) {
                try store.records(in: transaction).forEachRow { _ in
                    seen += 1
                    #expect(throws: Mishap.self) { try transaction.savepoint { throw Mishap() } }
                    return true
                }
            }
            #expect(seen == 1)
            let finished = try store.records(in: transaction)
            while try finished.next() != nil {}
            #expect(throws: Mishap.self) { try transaction.savepoint { throw Mishap() } }
            #expect(try finished.next() == nil, "it had come to its end")
        }
    }

    @Test("two simultaneous enumerations with the same SQL are independent")
    func nested() throws {
        try file.read { snapshot in
            var pairs: [String] = []
            let outer = try store.records(in: snapshot)
            while let left = try outer.next() {
                let inner = try store.records(in: snapshot)
                while let right = try inner.next() { pairs.append(left.key + right.key) }
            }
            #expect(pairs.count == 16 && Set(pairs).count == 16)
        }
    }

    @Test("concurrent commits are not visible")
    func others() throws {
        try file.read { snapshot in
            let records = try store.records(in: snapshot)
            #expect(try records.next()?.key == "a")
            try file.write { transaction in
                try store.set("cc", in: transaction)
                try store.purge("d", in: transaction)
            }
            var rest = ""
            while let record = try records.next() { rest += record.key }
            #expect(rest == "cdf")
        }
        #expect(try keys { _ in } == "acccf")
    }
}

extension DataFile {
    /// A transaction whose error may be caused by the test.
    func write(
        _ body: (Transaction) throws -> Void, ignoring isExpected: (any Error) -> Bool
    ) throws {
        do {
            try write(body)
        } catch  where isExpected(error) {}
    }
}
