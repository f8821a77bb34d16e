import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

@Suite("Writing to files of LiteCore", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenWritingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func sqlite(_ path: String) throws -> SQLContext {
        try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
    }

    @Test("the tables of a new file are, letter by letter, those of LiteCore")
    func schemaText() throws {
        let ours = directory("ours.cblite2")
        let file = try DataFile(path: ours, options: DataFileOptions(access: .create))
        try file.write { transaction in
            for number in 0..<1000 {
                _ = try DocumentCollection(.default).save("doc-\(number)", in: transaction) {
                    try $0.writeJSON(#"{"number":\#(number)}"#)
                }
            }
        }
        file.close()
        let theirs = try GoldenDatabase.named("sample_vectors_503").copy(to: directory)
        let tables = """
            SELECT name, sql FROM sqlite_master WHERE tbl_name IN
            ('kvmeta', 'kv_default', 'kv_del_default', 'kv_info')
            AND (type = 'table' OR name GLOB '*_expiration') ORDER BY name
            """
        let (left, right) = (try sqlite(ours), try sqlite(theirs))
        let schema = try left.selectAll(sql: tables)
        #expect(schema.count == 7)
        #expect(try schema == right.selectAll(sql: tables))
        #expect(try left.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        for pragma in ["user_version", "auto_vacuum", "page_size", "encoding", "journal_mode"] {
            let sql = "PRAGMA \(pragma)"
            #expect(try left.selectValue(sql: sql) == right.selectValue(sql: sql), "\(pragma)")
        }
        let kinds = "SELECT typeof(sequence), flags, typeof(expiration) FROM kv_info LIMIT 1"
        #expect(try left.selectAll(sql: kinds) == right.selectAll(sql: kinds))
    }

    @Test(
        "a file that cannot be written correctly is refused, and stays unchanged",
        arguments: [
            ("upgrade_2.7", "schema 302"), ("upgrade_2.8_index", "schema 302"),
            ("db_3_0_0_names_100_with_deleted", "schema 400"),
            ("upgrade_3.1_peerCheckpoints", "schema 500"),
        ])
    func refused(name: String, reason: String) throws {
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let before = try Data(contentsOf: URL(fileURLWithPath: path + "/db.sqlite3"))
        var options = DataFileOptions(access: .readWrite)
        options.upgrade = .never
        let file = try DataFile(path: path, options: options)
        let error = #expect(throws: StoreError.self) {
            try file.write { transaction in
                _ = try DocumentCollection(.default).save("new", in: transaction) {
                    try $0.writeJSON("{}")
                }
            }
        }
        #expect(error?.message.contains(reason) == true)
        #expect(error?.message.hasPrefix(path) == true)
        file.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/db.sqlite3")) == before)
    }

    @Test("documents of LiteCore are changed and deleted, and new ones are added")
    func writing() throws {
        let path = try GoldenDatabase.named("sample_vectors_503").writableCopy(to: directory)
        let people = DocumentCollection(.default)
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        let old = try file.read { try people.get("0000001", in: $0) }
        let saved = try file.write { transaction in
            let changed = try people.save("0000001", in: transaction) {
                try $0.writeJSON(#"{"name":{"first":"New"},"never seen before":1,"brandNew":2}"#)
            }
            _ = try people.delete("0000002", in: transaction)
            _ = try people.save("deleted", in: transaction) { try $0.writeJSON(#"{"v":1}"#) }
            return changed
        }
        #expect(saved.sequence == 114, "one more than the lastSeq of the file")
        file.close()

        let reopened = try DataFile(path: path)
        try reopened.read { snapshot in
            let new = try #require(try people.get("0000001", in: snapshot))
            #expect(new["name"]?["first"]?.string == "New")
            #expect(new["never seen before"]?.int == 1)
            #expect(new["brandNew"]?.int == 2)
            #expect(new.revisionID != old?.revisionID)
            #expect(try people.get("0000002", in: snapshot) == nil)
            #expect(try people.get("deleted", in: snapshot)?["v"]?.int == 1)
            #expect(try people.count(in: snapshot) == (107, 1))
            #expect(snapshot.sharedKeys.count == 63)
        }
        #expect(try IndexOracle(path).problems == [])
    }

    @Test(
        "a document that is changed or deleted keeps its remote revisions",
        arguments: ["conflicted", "synced"])
    func otherPeers(id: String) throws {
        let path = try GoldenDatabase.named("sample_vectors_503").writableCopy(to: directory)
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        let collection = DocumentCollection(.default)
        func history() throws -> DocumentHistory? {
            try file.read { try collection.history(of: id, in: $0) }
        }
        let before = try #require(try history())
        #expect(before.remotes.count == 1)
        let conflicts = try before.conflicts()
        _ = try file.write { transaction in
            try collection.save(id, in: transaction) { try $0.writeJSON(#"{"ours":1}"#) }
        }
        let changed = try #require(try history())
        #expect(changed.remotes == before.remotes)
        #expect(try changed.conflicts().map(\.id) == conflicts.map(\.id))
        _ = try file.write { try collection.delete(id, in: $0) }
        #expect(try history()?.remotes == before.remotes)
    }
}
