import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreTestSupport
import Testing
@testable import StoreFormat
@testable import StoreTools

@Suite("Collecting blobs with unreadable documents")
struct BlobUnreadableTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    private func change(_ sql: String) throws {
        let context = try fixture.engine.sqlite()
        for statement in sql.components(separatedBy: "; ") { try context.exec(sql: statement) }
    }

    @Test(
        "removes none, reports the documents, and does all else",
        arguments: [
            "zeroblob(length(body))", "x'deadbeef'", "'text'", "x'0000'", "x'4161700180028004'",
            // {"a": a text that is not UTF-8}, {2000: 1}, {"b": 1, "a": 2} in this order; 5 and
            // 10 in SQL.
            "x'7001416141FF8003'", "x'700107D000018003'", "x'700241620001416100028005'", "5", "10",
        ])
    func overwritten(body: String) throws {
        let file = try fixture.open()
        let photo = try file.blobs.put([1])
        _ = try file.blobs.put([2, 3])
        try fixture.save("a", photo, in: file)
        let notes = KeyStore(KeyStoreName("notes"))
        try file.write { transaction in
            for number in 0..<50 {
                try notes.putRaw(
                    RawRecord(body: [UInt8](repeating: 1, count: 4000)), for: "\(number)",
                    in: transaction)
            }
        }
        try change("UPDATE kv_default SET body=\(body) WHERE key='a'; DELETE FROM kv_notes")
        let documents = UnreadableDocuments(.default, "a")
        let unused = try file.unusedBlobs()
        #expect(unused.blobs == [] && unused.unreadableDocuments == documents)
        let removal = try file.removeUnusedBlobs()
        #expect(removal.count == 0 && removal.totalBytes == 0 && !removal.isComplete)
        #expect(removal.unreadableDocuments == documents)
        let result = try file.compact()
        #expect(result.removedBlobs == 0 && !result.areUnusedBlobsRemoved)
        #expect(result.unreadableDocuments == documents)
        #expect(result.removedPages > 0)
        #expect(fixture.names.count == 2)
        try change("DELETE FROM kv_default")
        let again = try file.compact()
        #expect(again.removedBlobs == 2 && again.areUnusedBlobsRemoved)
        #expect(again.unreadableDocuments == nil)
    }

    @Test(
        "checks tombstones, all collections, and a row's other revisions",
        arguments: [
            "INSERT INTO kv_default (key, version, extra) VALUES ('x', x'01ff', x'deadbeef')",
            "INSERT INTO kv_default (key, version, extra) VALUES ('x', x'0001', x'deadbeef')",
            "INSERT INTO kv_default (key, extra) VALUES ('x', x'deadbeef')",
            "INSERT INTO kv_del_default (key, flags, body) VALUES ('x', 1, x'deadbeef')",
            "INSERT INTO kv_del_default (key, flags, version, expiration) "
                + "VALUES ('x', 1, x'01ff', x'deadbeef')",
            "CREATE TABLE [kv_.a.b] (key TEXT, body BLOB); "
                + "INSERT INTO [kv_.a.b] VALUES ('x', x'deadbeef')",
        ])
    func places(sql: String) throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        try change(sql)
        let result = try file.compact()
        #expect(result.removedBlobs == 0)
        #expect(result.unreadableDocuments?.key == "x")
        #expect(fixture.names.count == 1)
    }

    @Test(
        "does not report rows without a body, or rows that are not a collection's",
        arguments: [
            "INSERT INTO kv_default (key, version) VALUES ('x', x'01ff')",
            "INSERT INTO kv_del_default (key, flags) VALUES ('x', 1)",
            "INSERT INTO kv_info (key, body) VALUES ('x', x'deadbeef')",
            "CREATE TABLE kv_notes (key TEXT, body BLOB); "
                + "INSERT INTO kv_notes VALUES ('x', x'deadbeef')",
        ])
    func whole(sql: String) throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        try change(sql)
        let result = try file.compact()
        #expect(result.removedBlobs == 1 && result.areUnusedBlobsRemoved)
        #expect(result.unreadableDocuments == nil)
    }

    @Test("counts them, and works normally where all blobs are in other documents")
    func count() throws {
        let file = try fixture.open()
        let photo = try file.blobs.put([1])
        try fixture.save("whole", photo, in: file)
        try change(
            "INSERT INTO kv_default (key, body) "
                + "VALUES ('x', x'deadbeef'), ('y', x'deadbeef'), ('z', x'deadbeef')")
        let result = try file.compact()
        #expect(result.areUnusedBlobsRemoved && result.unreadableDocuments == nil)
        _ = try file.blobs.put([2])
        let kept = try file.compact()
        #expect(kept.unreadableDocuments?.count == 3)
        #expect(kept.unreadableDocuments?.key == "x")
        #expect(kept.unreadableDocuments?.store == .default)
    }

    @Test("removes none if a byte of the reference itself was overwritten")
    func reference() throws {
        let file = try fixture.open()
        let photo = try file.blobs.put([1])
        try fixture.save("a", photo, in: file)
        let context = try fixture.engine.sqlite()
        let stored = try context.selectValue(sql: "SELECT body FROM kv_default WHERE key='a'")
        let body = try #require(stored?.bytesValue)
        let digest = Array("\(photo.digest)".utf8)
        let place = try #require(body.indices.first { body[$0...].starts(with: digest) })
        // The last character, a padding character, is not needed to find the blob.
        for offset in [0, 5, 10] {
            var damaged = body
            damaged[place + offset] = 0xFF
            try context.exec(
                sql: "UPDATE kv_default SET body=? WHERE key='a'",
                parameters: [.blob(Data(damaged))])
            let removal = try file.removeUnusedBlobs()
            #expect(removal.count == 0, "\(offset)")
            #expect(removal.unreadableDocuments == UnreadableDocuments(.default, "a"), "\(offset)")
        }
        #expect(fixture.names.count == 1)
    }

    @Test(
        "removes none if documents use keys that are lost")
    func keys() throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        // {0: 1}
        try change(
            "INSERT INTO kv_default (key, version, body) "
                + "VALUES ('x', x'01ff', x'7001000000018003')")
        let unused = try file.unusedBlobs()
        #expect(unused.blobs == [] && unused.unreadableDocuments?.key == "x")
        #expect(try file.removeUnusedBlobs().count == 0)
        #expect(fixture.names.count == 1)
        #expect(try !file.verify().findings.contains { $0.kind == .unusedBlob })
        // ["a"]
        try change(
            "DELETE FROM kv_info WHERE key='SharedKeys'; "
                + "INSERT INTO kv_info (key, body) VALUES ('SharedKeys', x'600141618002')")
        #expect(try file.removeUnusedBlobs().count == 1)
    }

    @Test("is rejected if the shared keys are damaged")
    func damagedKeys() throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        try change("INSERT INTO kv_info (key, body) VALUES ('SharedKeys', x'ffff')")
        #expect(throws: StoreError.self) { try file.removeUnusedBlobs() }
        #expect(fixture.names.count == 1)
    }

    @Test("is consistent with what verify reports")
    func verified() throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        #expect(try file.verify().findings.contains { $0.kind == .unusedBlob })
        try change("INSERT INTO kv_default (key, version, body) VALUES ('x', x'01ff', x'deadbeef')")
        let report = try file.verify()
        #expect(!report.findings.contains { $0.kind == .unusedBlob })
        #expect(report.unchecked.contains { $0.subject == "whether blobs are unused" })
    }
}
