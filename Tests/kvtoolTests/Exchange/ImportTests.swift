import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool import")
struct ImportTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    @Test("creates a database of people, and prints the number")
    func people() throws {
        let outcome = try database.importing(Array(People(count: 5)))
        #expect(outcome.status == 0)
        #expect(outcome.stdout == "Imported 5 documents into \(database.path): 5 new\n")
        // There is no progress bar if standard error is not a terminal.
        #expect(outcome.stderr == "")
        #expect(try database.contents.names == ["db.sqlite3"])
        #expect(try database.exported() == Array(People(count: 5)))
    }

    @Test(
        "creates rows of schema 503 with version vectors", .enabled(if: SQLiteShell.isPresent))
    func rows() throws {
        try database.importing(Array(People(count: 3))).success()
        let sql = """
            PRAGMA user_version; PRAGMA journal_mode; PRAGMA integrity_check;
            SELECT key, sequence, flags, hex(substr(version, 1, 1)), typeof(body),
                expiration IS NULL, extra IS NULL FROM kv_default ORDER BY sequence;
            SELECT * FROM kvmeta; SELECT count(*) FROM kv_del_default;
            """
        #expect(
            try database.rows(sql) == [
                "503", "wal", "ok", "person-0001|1|0|00|blob|1|1", "person-0002|2|0|00|blob|1|1",
                "person-0003|3|0|00|blob|1|1", "default|3|0", "0",
            ])
    }

    @Test("overwrites existing documents, with new sequences")
    func overwriting() throws {
        try database.importing([#"{"_id":"a","n":1}"#, #"{"_id":"b","n":1}"#]).success()
        try database.importing([#"{"_id":"a","n":2}"#, #"{"_id":"c","n":2}"#]).success()
        #expect(
            try database.exported() == [
                #"{"_id":"a","n":2}"#, #"{"_id":"b","n":1}"#, #"{"_id":"c","n":2}"#,
            ])
        let ids = try database.run("ls", "--seq").success().lines.dropFirst()
            .map { $0.prefix { $0 != " " } }
        #expect(ids == ["b", "a", "c"])
    }

    @Test("assigns a new id to a document without one")
    func generatedIDs() throws {
        try database.importing([#"{"n":1}"#, #"{"n":1}"#, "{}"]).success()
        let ids = try database.run("ls").success().lines.dropFirst()
            .map { String($0.prefix { $0 != " " }) }
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /~[A-Za-z0-9_-]{22}/) != nil }, "\(ids)")
    }

    @Test("reads standard input for -")
    func standardInput() throws {
        let text = Data("{\"_id\":\"a\"}\n{\"_id\":\"b\",}\n".utf8)
        let outcome = try database.run("import", "-", stdin: text)
        #expect(outcome.status == 1)
        #expect(outcome.complaint().hasPrefix("standard input, line 2, column 12: "))
        #expect(try database.exported() == [#"{"_id":"a"}"#])
    }

    @Test("continues at --from-line")
    func fromLine() throws {
        let lines = ["not JSON", "", #"{"_id":"a"}"#, #"{"_id":"b"}"#]
        let outcome = try database.importing(lines, "--from-line", "4").success()
        #expect(outcome.stdout == "Imported 1 document into \(database.path): 1 new\n")
        #expect(try database.exported() == [#"{"_id":"b"}"#])
        #expect(
            try database.importing(lines, "--from-line", "5").success().stdout
                == "Imported 0 documents into \(database.path)\n")
    }

    @Test("imports more than one batch, and the documents before an error in the second")
    func batches() throws {
        let lines = (1...10_001).map { #"{"_id":"\#($0)"}"# } + ["{", #"{"_id":"after"}"#]
        let complaint = try database.importing(lines).refusal(status: 1)
        #expect(
            complaint == "\(database.directory("new.ndjson")), line 10002, column 2: the JSON is "
                + "truncated; 10001 documents before it were imported")
        #expect(try database.exported().count == 10_001)
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test("accepts files as editors and systems write them", arguments: FileShape.all)
    func shape(_ shape: FileShape) throws {
        let file = try database.newFile("shape.ndjson", Data(shape.text.utf8))
        try database.run("import", file).success()
        #expect(try database.exported() == shape.ids.map { #"{"_id":"\#($0)"}"# })
    }

    @Test("imports a document of 2 MB, and exports it unchanged")
    func largeDocument() throws {
        let large = #"{"_id":"large","text":"\#(String(repeating: "0123456789", count: 200_000))"}"#
        try database.importing([#"{"_id":"a"}"#, large, #"{"_id":"z"}"#]).success()
        #expect(try database.exported() == [#"{"_id":"a"}"#, large, #"{"_id":"z"}"#])
    }

    @Test(
        "shows a bar on a terminal, and clears it",
        .enabled(if: Command.path(of: "script") != nil, "needs the script command"))
    func progress() throws {
        let file = try database.newFile(
            "new.ndjson", Data(People(count: 500).map { $0 + "\n" }.joined().utf8))
        let outcome = try Kvtool.shell(
            #"script -qec '"$KVTOOL" import "$DATABASE" "$FILE"' /dev/null"#,
            environment: ["DATABASE": database.path, "FILE": file])
        let bar = /\r\[=* *\] \d+ % \d+ documents?, \d+\/s(, [^\u{1B}]+ left)?\u{1B}\[K/
        #expect(outcome.stdout.prefixMatch(of: bar) != nil, "\(outcome)")
        let end = "\r\u{1B}[KImported 500 documents into \(database.path): 500 new\r\n"
        #expect(outcome.stdout.hasSuffix(end), "\(outcome)")
    }

    @Test("fills an existing collection", .enabled(if: SQLiteShell.isPresent))
    func otherCollection() throws {
        try database.importing([#"{"_id":"a"}"#]).success()
        let columns = """
            (key TEXT PRIMARY KEY, sequence INTEGER, flags INTEGER DEFAULT 0, version BLOB,
            body BLOB, expiration INTEGER, extra BLOB)
            """
        try database.rows(
            #"""
            CREATE TABLE "kv_.hr.\People" \#(columns);
            CREATE TABLE "kv_del_.hr.\People" \#(columns)
            """#
        )
        try database.importing([#"{"_id":"b"}"#], "--collection", "hr.People").success()
        #expect(try database.exported() == [#"{"_id":"a"}"#])
        #expect(
            try database.run("export", "--collection", "hr.People").success().stdout
                == "{\"_id\":\"b\"}\n")
        #expect(try database.rows("SELECT * FROM kvmeta") == [".hr.People|1|0", "default|1|0"])
        let complaint = try database.run("export", "--collection", "hr.people").refusal(status: 3)
        #expect(
            complaint == "\(database.path) has no collection hr.people; did you mean hr.People?")
    }
}

/// A variant of an import file.
struct FileShape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// The ids of the documents in a later export.
    let ids: [String]

    init(_ name: String, _ text: String, _ ids: [String]) {
        testDescription = name
        self.text = text
        self.ids = ids
    }

    static let all = [
        FileShape("empty", "", []),
        FileShape("blank lines only", "\n \n\t\r\n\n", []),
        FileShape("no newline at the end", "{\"_id\":\"a\"}\n{\"_id\":\"b\"}", ["a", "b"]),
        FileShape("CRLF", "{\"_id\":\"a\"}\r\n\r\n{\"_id\":\"b\"}\r\n", ["a", "b"]),
        FileShape(
            "blank lines between", "\n{\"_id\":\"a\"}\n\n \t\n{\"_id\":\"b\"}\n", ["a", "b"]),
        FileShape("blanks around", " \t{ \"_id\" : \"a\" } \n", ["a"]),
        FileShape("a byte order mark", "\u{FEFF}{\"_id\":\"a\"}\n", ["a"]),
        FileShape("a byte order mark alone", "\u{FEFF}", []),
        FileShape("an id that is escaped", #"{"\u005fid":"\u0061"}"#, ["a"]),
        FileShape("the same id twice", "{\"_id\":\"a\"}\n{\"_id\":\"a\"}\n", ["a"]),
    ]
}

extension ImportTests {
    @Test("--dry-run tells what would be imported, and imports nothing")
    func dryRun() throws {
        let directory = try TemporaryDirectory()
        let database = directory("people.cblite2")
        let lines = Data((#"{"_id":"a","n":1}"# + "\n" + #"{"_id":"b","n":2}"# + "\n").utf8)
        let new = try Kvtool.run(["import", database, "-", "--dry-run"], stdin: lines)
        #expect(new.refusal(status: 3).contains("creates nothing"))
        let first = Data((#"{"_id":"a"}"# + "\n").utf8)
        try Kvtool.run(["import", database, "-"], stdin: first).success()
        let outcome = try Kvtool.run(["import", database, "-", "--dry-run"], stdin: lines)
        #expect(
            outcome.success().stdout
                == "Would have imported 2 documents into \(database): 1 new, 1 overwritten\n")
        #expect(try Kvtool.run(["ls", database, "--count"]).success().stdout == "1\n")
        let document = try Kvtool.run(["cat", database, "a", "--raw"]).success().stdout
        #expect(document == #"{"_id":"a"}"# + "\n")
    }
}
