import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool rm and purge", .enabled(if: SQLiteShell.isPresent))
struct RemoveTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: ["a", "b", "c"].map { #"{"_id":"\#($0)","n":1}"# })
    }

    @Test("rm moves the document to the tombstone table, without its body")
    func tombstone() throws {
        let output = try database.run("rm", "b").success().stdout
        #expect(
            output.wholeMatch(of: /Deleted "b", revision [0-9a-f]{16}@\*, sequence 4\n/) != nil,
            "\(output)")
        #expect(
            try database.rows(
                """
                SELECT key FROM kv_default ORDER BY key;
                SELECT key, sequence, flags, body IS NULL, extra IS NULL, hex(substr(version, 1, 1))
                    FROM kv_del_default;
                SELECT * FROM kvmeta;
                """) == ["a", "c", "b|4|1|1|1|00", "default|4|0"])
        #expect(try database.exported() == [#"{"_id":"a","n":1}"#, #"{"_id":"c","n":1}"#])
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test("rm of a deleted or missing document ends with 3 and changes nothing")
    func twice() throws {
        try database.run("rm", "b").success()
        let before = try database.rows("SELECT * FROM kv_del_default; SELECT * FROM kvmeta")
        for id in ["b", "never", "_default"] {
            #expect(
                try database.run("rm", id).refusal(status: 3)
                    == "\(database.path): document \"\(id)\" is not in the collection _default")
        }
        #expect(
            try database.rows("SELECT * FROM kv_del_default; SELECT * FROM kvmeta") == before)
    }

    @Test("rm deletes existing documents, each once, and reports missing ones")
    func several() throws {
        let outcome = try database.run("rm", "a", "nope", "a", "c")
        #expect(outcome.status == 7)
        #expect(outcome.lines.map { $0.prefix(12) } == ["Deleted \"a\",", "Deleted \"c\","])
        #expect(
            outcome.complaint()
                == "\(database.path): document \"nope\" is not in the collection _default")
        #expect(try database.exported() == [#"{"_id":"b","n":1}"#])
        #expect(try database.rows("SELECT key, sequence FROM kv_del_default") == ["a|4", "c|5"])
    }

    @Test("purge removes and counts the row of a document or tombstone")
    func purge() throws {
        #expect(
            try database.run("purge", "a", "b", "--yes").success().stdout
                == "Purged \"a\"\nPurged \"b\"\n")
        try database.run("rm", "c").success()
        try database.run("purge", "c", "--yes").success()
        #expect(
            try database.rows(
                """
                SELECT count(*) FROM kv_default; SELECT count(*) FROM kv_del_default;
                SELECT * FROM kvmeta ORDER BY name;
                """) == ["0", "0", "default|4|2", "del_default|0|1"])
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test("purge of missing documents ends with 7 if others are purged, otherwise with 3")
    func purgeMissing() throws {
        let outcome = try database.run("purge", "nope", "a", "a", "--yes")
        #expect(outcome.status == 7)
        #expect(outcome.stdout == "Purged \"a\"\n")
        #expect(outcome.complaint().contains("\"nope\""))
        #expect(try database.run("purge", "nope", "a").status == 3)
        #expect(try database.rows("SELECT * FROM kvmeta") == ["default|3|1"])
    }

    @Test("a sequence is never reused, not even after a purge of the last document")
    func sequences() throws {
        try database.run("purge", "c", "--yes").success()
        #expect(try database.run("put", "d", "{}").success().stdout.hasSuffix(", sequence 4\n"))
        try database.rows("UPDATE kvmeta SET lastSeq=0")
        #expect(try database.run("put", "e", "{}").success().stdout.hasSuffix(", sequence 5\n"))
    }

    @Test(
        "an ID may contain spaces, quotes, dashes and non-ASCII letters",
        arguments: ["with space", "it's", "a\"b", "-x", "日本", "%_", "a;b--", "\\"])
    func unusualIDs(_ id: String) throws {
        try Kvtool.run(["put", "--", database.path, id, "{}"]).success()
        let cat = try Kvtool.run(["cat", "--raw", "--", database.path, id]).success()
        let object = try JSONSerialization.jsonObject(with: cat.standardOutput) as? [String: String]
        #expect(object == ["_id": id])
        try Kvtool.run(["rm", "--", database.path, id]).success()
        try Kvtool.run(["purge", "--yes", "--", database.path, id]).success()
        #expect(try database.rows("SELECT count(*) FROM kv_default") == ["3"])
    }
}
