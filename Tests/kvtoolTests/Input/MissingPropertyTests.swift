import Foundation
import StoreTestSupport
import Testing

@Suite("A property that no document has")
struct MissingPropertyTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","name":"Ada","age":36,"contact":{"address":{"city":"London"}}}"#,
            #"{"_id":"b","name":"Bob","tags":[{"label":"x"}],"_x":1}"#,
        ])
    }

    /// The notes of a query, without their common prefix.
    private func notes(_ arguments: String...) throws -> [String] {
        let outcome = try Kvtool.run([arguments[0], database.path] + arguments.dropFirst())
        #expect(outcome.status == 0, "\(outcome)")
        let start = "kvtool: note: "
        let lines = outcome.stderr.split(separator: "\n").map(String.init)
            .filter { $0 != "(no rows)" }
        #expect(lines.allSatisfy { $0.hasPrefix(start) })
        return lines.map { String($0.dropFirst(start.count)) }
    }

    @Test(
        "is reported if a query has no rows, with a suggestion",
        arguments: [
            (
                "SELECT name FROM _ WHERE nmae = 'Ada'",
                "no document has the property nmae; did you mean name?"
            ),
            (
                "SELECT name FROM _ WHERE NAME = 'Ada'",
                "no document has the property NAME; did you mean name?"
            ),
            (
                "SELECT p.name FROM _ AS p WHERE p.contact.adress.city = 'x'",
                "no document has the property contact.adress; did you mean contact.address?"
            ),
            (
                "SELECT name FROM _ WHERE name = Ada",
                "no document has the property Ada; a string literal needs quotes: 'Ada'"
            ),
            (
                "SELECT name FROM _ WHERE name LIKE London",
                "no document has the property London; a string literal needs quotes: 'London'"
            ),
            (
                "SELECT name FROM _ WHERE zzz.yyy > 1",
                "no document has the property zzz"
            ),
            (
                #"["=", [".nmae"], "Ada"]"#,
                "no document has the property nmae; did you mean name?"
            ),
            (
                "SELECT COUNT(*) FROM _ WHERE nmae = 'x'",
                "no document has the property nmae; did you mean name?"
            ),
            ("SELECT nmae FROM _", "no document has the property nmae; did you mean name?"),
            (
                "SELECT t.lable FROM _ UNNEST tags AS t",
                "no document has the property tags.lable; did you mean tags.label?"
            ),
            (
                "SELECT name FROM _ WHERE age > 1 AND name IN (SELECT nmae FROM _)",
                "no document has the property nmae; did you mean name?"
            ),
            (
                "UPDATE _ SET age = 1 WHERE nmae = 'x'",
                "no document has the property nmae; did you mean name?"
            ),
            (
                "DELETE FROM _ WHERE nmae = 'x'",
                "no document has the property nmae; did you mean name?"
            ),
            (
                "UPDATE _ UNSET nmae WHERE name = 'Ada'",
                "no document has the property nmae; did you mean name?"
            ),
        ])
    func queries(_ query: String, _ note: String) throws {
        let outcome = try database.run("query", query)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stderr.replacing("(no rows)\n", with: "") == "kvtool: note: \(note)\n")
    }

    @Test("is not reported if documents have it, or rows contain something else")
    func quiet() throws {
        for query in [
            "SELECT name FROM _ WHERE name = 'Eve'", "SELECT age FROM _ WHERE age = 1",
            "SELECT name AS n FROM _ WHERE n = 'x'", "SELECT name FROM _ WHERE contact.address = 1",
            "SELECT t.label FROM _ UNNEST tags AS t WHERE t.label = 'y'",
            "SELECT name FROM _ WHERE ANY t IN tags SATISFIES t.label = 'y' END",
            "SELECT name FROM _ WHERE tags[3].label = 'y'", "SELECT * FROM _ WHERE _id = 'c'",
            "SELECT name FROM _ WHERE META().id = 'c'", "SELECT name, age FROM _",
            "SELECT name FROM _ WHERE zzz IS NOT MISSING", "SELECT name FROM _ WHERE zzz IS VALUED",
        ] {
            #expect(try notes("query", query) == [], "\(query)")
        }
        try database.run("mkcoll", "empty").success()
        #expect(try notes("query", "SELECT x FROM empty WHERE y = 1") == [])
    }

    @Test("is a warning for programs")
    func json() throws {
        let outcome = try database.run("query", "SELECT 1 AS x FROM _ WHERE nmae = 1", "--json")
        #expect(
            outcome.stderr
                == #"{"warning":{"message":"note: no document has the property nmae; did you mean "#
                + #"name?"}}"# + "\n")
    }

    @Test("is reported for an unmet condition, and for an index; with the collection")
    func others() throws {
        let note = "no document has the property nmae; did you mean name?"
        #expect(try notes("export", "--where", "nmae = 1") == [note])
        #expect(try notes("mkindex", "byName", "nmae, age") == [note])
        #expect(try notes("mkindex", "byTag", "lable", "--array", "tags").count == 1)
        #expect(try notes("mkindex", "byTag", "label", "--array", "tags", "--replace") == [])
        #expect(try notes("mkindex", "words", "nmae", "--fts") == [note])
        try database.run("mkcoll", "hr.staff").success()
        try database.run("put", "c", #"{"name":"Eve"}"#, "--collection", "hr.staff").success()
        #expect(
            try notes("query", "SELECT name FROM hr.staff WHERE nmae = 1") == [
                "no document of hr.staff has the property nmae; did you mean name?"
            ])
    }

    @Test("is searched for in the first 10,000 documents, which the note states")
    func bound() throws {
        let lines = (0...10_000).map { #"{"_id":"\#($0)","n":\#($0)}"# }
        let large = try SampleDatabase(lines: lines)
        let outcome = try large.run("query", "SELECT n FROM _ WHERE m = 1")
        #expect(
            outcome.stderr
                == "(no rows)\n"
                + "kvtool: note: none of the first 10000 documents has the property m\n")
    }

    @Test("is reported at most five times, for any number of properties in a query")
    func many() throws {
        let names = (0..<2000).map { "m\($0)" }.joined(separator: ", ")
        #expect(
            try notes("query", "UPDATE _ UNSET \(names) WHERE name = 'Ada'")
                == (0..<5).map { "no document has the property m\($0)" })
    }

    @Test("is found fast in documents of any structure", .timeLimit(.minutes(20)))
    func hostile() throws {
        // Each array contains 20 arrays of objects, down to the depth of the path.
        var text = "1"
        for _ in 0..<4 {
            text = #"{"a":["# + Array(repeating: text, count: 20).joined(separator: ",") + "]}"
        }
        let wide = try SampleDatabase(lines: [#"{"_id":"x","b":"# + text + "}"])
        let outcome = try wide.run("query", "SELECT 1 AS x FROM _ WHERE b.a.a.a.a.c = 1")
        #expect(outcome.status == 0, "\(outcome)")
    }
}
