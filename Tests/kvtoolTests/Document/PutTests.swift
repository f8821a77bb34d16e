import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool put")
struct PutTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
    }

    @Test(
        "reports whether it created or updated, and stores the row",
        .enabled(if: SQLiteShell.isPresent))
    func createsAndUpdates() throws {
        let created = try database.run("put", "b", #"{"x":[1,"é",null]}"#).success().stdout
        let revision = try #require(created.firstMatch(of: /[0-9a-f]{16}@\*/))
        #expect(created == "Created \"b\", revision \(revision.output), sequence 2\n")
        let updated = try database.run("put", "a", #"{"n":2}"#).success().stdout
        #expect(
            updated.wholeMatch(of: /Updated "a", revision [0-9a-f]{16}@\*, sequence 3\n/) != nil)
        #expect(
            try database.exported() == [#"{"_id":"a","n":2}"#, #"{"_id":"b","x":[1,"é",null]}"#])
        #expect(
            try database.rows("SELECT key, sequence, flags FROM kv_default; SELECT * FROM kvmeta")
                == ["a|3|0", "b|2|0", "default|3|0"])
        #expect(try database.contents.names == ["db.sqlite3"])
    }

    @Test("assigns each change a later revision")
    func revisions() throws {
        let revisions = try (1...5).map { number -> Substring in
            let said = try database.run("put", "a", "{\"n\":\(number)}").success().stdout
            return try #require(said.firstMatch(of: /[0-9a-f]{16}@\*/)).output
        }
        #expect(revisions == revisions.sorted())
        #expect(Set(revisions).count == 5)
    }

    @Test("accepts an _id that is the same, and stores it only once")
    func sameID() throws {
        try database.run("put", "b", #"{"_id":"b","n":1}"#).success()
        try database.run("put", "c", "-", stdin: Data(#"{"n":2,"_id":"c"}"#.utf8)).success()
        #expect(
            try database.exported().suffix(2) == [#"{"_id":"b","n":1}"#, #"{"_id":"c","n":2}"#])
        // The output of `cat` can be written back.
        let text = try database.run("cat", "b").success().standardOutput
        try database.run("put", "b", "-", stdin: text).success()
        #expect(try database.exported()[1] == #"{"_id":"b","n":1}"#)
    }

    @Test("refuses an _id of another document")
    func otherID() throws {
        let before = try database.contents
        #expect(
            try database.run("put", "b", #"{"_id":"c","n":1}"#).refusal(status: 2)
                == #"the JSON has the _id "c", not "b""#)
        #expect(try database.contents == before)
    }

    @Test("refuses an _id that only looks the same: its bytes are different")
    func canonicallyEquivalentID() throws {
        let before = try database.contents
        try database.run("put", "e\u{301}", #"{"_id":"\#u{E9}"}"#).refusal(status: 2)
        #expect(try database.contents == before)
    }

    @Test(
        "stores no body for a document without properties", .enabled(if: SQLiteShell.isPresent),
        arguments: ["{}", " { } ", #"{"_id":"a"}"#])
    func empty(_ json: String) throws {
        try database.run("put", "a", json).success()
        #expect(try database.rows("SELECT key, body IS NULL FROM kv_default") == ["a|1"])
        #expect(try database.exported() == [#"{"_id":"a"}"#])
    }

    @Test(
        "restores a deleted document, including its expiration",
        .enabled(if: SQLiteShell.isPresent))
    func resurrection() throws {
        try database.rows("UPDATE kv_default SET expiration=4102444800000")
        let deleted = try database.run("rm", "a").success().stdout
        let created = try database.run("put", "a", #"{"n":3}"#).success().stdout
        #expect(created.hasPrefix("Created \"a\", revision "))
        #expect(created.hasSuffix(", sequence 3\n"))
        let revisions = [deleted, created].compactMap { $0.firstMatch(of: /[0-9a-f]{16}@/)?.output }
        #expect(revisions.count == 2 && revisions[0] < revisions[1])
        #expect(
            try database.rows(
                "SELECT key, sequence, flags, expiration FROM kv_default; "
                    + "SELECT count(*) FROM kv_del_default") == ["a|3|0|4102444800000", "0"])
    }

    @Test("marks a document that refers to a blob")
    func blobs() throws {
        let blob = #"{"@type":"blob","digest":"sha1-x","length":1}"#
        try database.run("put", "b", #"{"deep":[{"picture":\#(blob)}]}"#).success()
        try database.run("put", "c", #"{"@type":"blobby","deep":{"type":"blob"}}"#).success()
        let flags = try database.run("ls").success().lines.dropFirst().map {
            $0.split(separator: " ")[2]
        }
        #expect(flags == ["-----", "--a--", "-----"])
    }

    @Test(
        "refuses anything but a JSON object, as wrong usage if it is an argument; nothing changes",
        arguments: BadText.all)
    func badText(_ bad: BadText) throws {
        let before = try database.contents
        #expect(try database.run("put", "a", bad.text).refusal(status: 2) == bad.complaint)
        let read = try database.run("put", "a", "-", stdin: Data(bad.text.utf8))
        let prefix = bad.isOfJSON ? "" : "\(database.path): "
        #expect(read.refusal(status: 1) == prefix + bad.complaint)
        #expect(try database.contents == before)
    }

    @Test("refuses bytes that are not UTF-8")
    func notUTF8() throws {
        let before = try database.contents
        let input = Data(#"{"é":""#.utf8) + [0xC3, 0x28] + Data(#""}"#.utf8)
        #expect(
            try database.run("put", "a", "-", stdin: input).refusal(status: 1)
                == "invalid JSON, line 1, column 7: the text is not UTF-8")
        #expect(try database.contents == before)
    }
}

/// Text that is not a document, and the expected error.
struct BadText: CustomTestStringConvertible, Sendable {
    let text: String
    let complaint: String
    /// Whether the text is invalid JSON, and not only invalid as a document of this database.
    let isOfJSON: Bool

    var testDescription: String { text.debugDescription }

    private init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        self.text = text
        isOfJSON = true
        complaint = "invalid JSON, line \(line), column \(column): \(message)"
    }

    private init(_ text: String, _ complaint: String) {
        self.text = text
        isOfJSON = false
        self.complaint = complaint
    }

    static let all = [
        BadText("", 1, 1, "the JSON is empty"),
        BadText(" \n ", 2, 2, "the JSON is empty"),
        BadText("5", 1, 1, "an object or array must come first"),
        BadText("[]", "a document's body must be an object"),
        BadText("[{}]", "a document's body must be an object"),
        BadText("{\"a\":", 1, 6, "the JSON is truncated"),
        BadText("{\"a\":1,\n\n  \"é\":\"ü\" x}", 3, 11, "',' or '}' is expected"),
        BadText("{}{}", 1, 3, "unexpected text after the JSON value"),
        BadText("{'a':1 2}", 1, 8, "',' or '}' is expected"),
        BadText(#"{"_id":7}"#, 1, 8, #"the value of "_id" must be a string"#),
        BadText(#"{"_rev":"1-x"}"#, #"the property "_rev" is reserved and cannot be stored"#),
        BadText(
            #"{"_deleted":true}"#, #"the property "_deleted" is reserved and cannot be stored"#),
    ]
}
