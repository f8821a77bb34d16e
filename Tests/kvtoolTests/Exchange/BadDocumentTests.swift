import Foundation
import StoreTestSupport
import Testing

@Suite("A line that import rejects")
struct BadDocumentTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    private static let before = [#"{"_id":"a","n":1}"#, #"{"_id":"b","n":1}"#]
    private static let after = #"{"_id":"c","n":1}"#

    /// Imports a file of four lines with `bad` as the third.
    private func importing(_ bad: Data) throws -> (Command.Outcome, file: String) {
        let start = Data(Self.before.map { $0 + "\n" }.joined().utf8)
        let file = try database.newFile("bad.ndjson", start + bad + Data("\n\(Self.after)\n".utf8))
        return (try database.run("import", file), file)
    }

    @Test(
        "is reported by line and column; lines before it are imported, and --from-line continues",
        arguments: BadLine.all)
    func badLine(_ bad: BadLine) throws {
        let (outcome, file) = try importing(bad.bytes)
        #expect(
            outcome.refusal(status: 1) == "\(file), line 3, column \(bad.column): \(bad.message); "
                + "2 documents before it were imported")
        #expect(try database.exported() == Self.before)
        try database.run("import", file, "--from-line", "4").success()
        #expect(try database.exported() == Self.before + [Self.after])
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test("is counted in the singular when one document came before it")
    func oneDocument() throws {
        let complaint = try database.importing([Self.after, "x"]).refusal(status: 1)
        #expect(complaint.hasSuffix("; 1 document before it was imported"), "\(complaint)")
    }

    @Test(
        "leaves a database unchanged, with shared keys that only it would use",
        .enabled(if: SQLiteShell.isPresent))
    func sharedKeys() throws {
        try database.importing(Self.before).success()
        let sql = "SELECT hex(body) FROM kv_info WHERE key='SharedKeys'; SELECT * FROM kvmeta"
        let rows = try database.rows(sql)
        for bad in [#"{"_id":"x","neu":1,"neuer":{"noch":2"#, #"{"neu":1,"_rev":"1-a"}"#] {
            try database.importing([bad]).refusal(status: 1)
            try database.run("put", "x", bad).refusal(status: 2)
        }
        #expect(try database.rows(sql) == rows)
        // A new key after an error gets a number that no document uses yet.
        try database.importing([#"{"_id":"z","later":1}"#]).success()
        #expect(try database.exported() == Self.before + [#"{"_id":"z","later":1}"#])
    }

    @Test("may be longer than any document; lines before it are imported")
    func tooLong() throws {
        let file = try database.newFile(
            "long.ndjson", Data(Self.before.map { $0 + "\n" }.joined().utf8))
        // A hole: zeros that occupy no disk space.
        #expect(truncate(file, 70 << 20) == 0)
        let complaint = try database.run("import", file).refusal(status: 1)
        #expect(complaint.hasPrefix("\(file), line 3, column "), "\(complaint)")
        #expect(try database.exported() == Self.before)
    }

    @Test(
        "may be valid if the existing document has a format that cannot be overwritten",
        .enabled(if: SQLiteShell.isPresent),
        arguments: [
            ("extra=x'00'", "does not begin with four zeros"),
            ("version=x'31'", "is damaged"),
            ("version=x'00ff'", "is damaged"),
        ])
    func existingRow(_ change: String, _ reason: String) throws {
        try database.importing([#"{"_id":"old","n":0}"#]).success()
        try database.rows("UPDATE kv_default SET \(change)")
        let (outcome, file) = try importing(Data(#"{"_id":"old","n":1}"#.utf8))
        let complaint = outcome.refusal()
        #expect(complaint.hasPrefix("\(file), line 3, column "), "\(complaint)")
        #expect(complaint.contains("\"old\""), "\(complaint)")
        #expect(complaint.contains(reason), "\(complaint)")
        #expect(
            try database.rows("SELECT key FROM kv_default ORDER BY key") == ["a", "b", "old"])
    }

    @Test(
        "may also be unreadable",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs /proc"))
    func unreadable() throws {
        let complaint = try database.run("import", "/proc/self/mem").refusal(status: 1)
        #expect(complaint.hasPrefix("/proc/self/mem cannot be read: "))
        // The message of the operating system, not an error number.
        #expect(!complaint.contains("NSCocoaErrorDomain"), "\(complaint)")
    }

    @Test("is not blamed when the disk is full; nothing of the batch is imported then")
    func fullDisk() throws {
        try database.importing(Self.before).success()
        let pad = String(repeating: "x", count: 1000)
        let lines = (10_000..<15_000).map { #"{"_id":"\#($0)","x":"\#(pad)"}"# + "\n" }
        let file = try database.newFile("many.ndjson", Data(lines.joined().utf8))
        // The limit on a file's size in blocks of 512 or 1,024 bytes simulates a full disk.
        for blocks in [60, 4000] {
            let script = #"ulimit -f "$3"; trap '' XFSZ; exec "$KVTOOL" import "$1" "$2""#
            let outcome = try Kvtool.shell(script, [database.path, file, "\(blocks)"])
            #expect(outcome.refusal(status: 1).contains(database.path))
            #expect(try database.exported() == Self.before)
        }
        try database.run("import", file).success()
        #expect(try database.exported().count == 5002)
    }
}

@Suite("An id that is not allowed")
struct BadIDTests {
    static let ids: [(id: String, shown: String, reason: String)] = [
        ("", "\"\"", "it is empty"),
        ("_x", "\"_x\"", "IDs that start with '_' are reserved"),
        ("_", "\"_\"", "IDs that start with '_' are reserved"),
        ("_\u{301}x", "\"_\u{301}x\"", "IDs that start with '_' are reserved"),
        ("a\u{1}b", #""a\u{01}b""#, "it has a control character"),
        ("a\nb", #""a\nb""#, "it has a control character"),
        ("a\r\nb", #""a\r\nb""#, "it has a control character"),
        ("a\u{1B}[31mb", #""a\u{1B}[31mb""#, "it has a control character"),
        ("a\u{7F}", #""a\u{7F}""#, "it has a control character"),
        (
            String(repeating: "i", count: 241), "\"\(String(repeating: "i", count: 40))…\"",
            "it has 241 bytes, over 240"
        ),
        (
            String(repeating: "é", count: 121), "\"\(String(repeating: "é", count: 40))…\"",
            "it has 242 bytes, over 240"
        ),
    ]

    @Test("is refused by put and import alike, and nothing changes", arguments: ids)
    func refused(_ bad: (id: String, shown: String, reason: String)) throws {
        let database = try SampleDatabase(people: 1)
        let before = try database.contents
        let complaint = "the document ID \(bad.shown) is not allowed: \(bad.reason)"
        #expect(
            try database.run("put", bad.id, "{}").refusal(status: 2)
                .hasPrefix(bad.id.isEmpty ? "a document ID must not be empty" : complaint))
        let json = try JSONSerialization.data(withJSONObject: ["_id": bad.id])
        let said = try database.run("import", "-", stdin: json).refusal(status: 1)
        #expect(
            said == "standard input, line 1, column 1: \(complaint); "
                + "0 documents before it were imported")
        #expect(try database.contents == before)
    }

    @Test(
        "is not one of 240 bytes, nor one with letters that look like a control character",
        arguments: [
            String(repeating: "i", count: 240), String(repeating: "é", count: 120), "a_", "-",
            "\u{FF3F}x",
        ])
    func allowed(_ id: String) throws {
        let database = try SampleDatabase(lines: [])
        try Kvtool.run(["put", "--", database.path, id, "{}"]).success()
        try Kvtool.run(["rm", "--", database.path, id]).success()
        #expect(try database.run("export").success().stdout == "")
    }
}
