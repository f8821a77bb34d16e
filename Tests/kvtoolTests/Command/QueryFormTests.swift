import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("Forms of kvtool query")
struct QueryFormTests {
    private let database: SampleDatabase
    private static let query = "SELECT META().id, age, likes FROM _ ORDER BY META().id"

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","age":36,"likes":["tea","a, b"]}"#,
            #"{"_id":"bob","age":null}"#, #"{"_id":"eve"}"#,
        ])
    }

    private func run(_ options: String...) throws -> String {
        try Kvtool.run(["query", database.path, Self.query] + options).success().stdout
    }

    @Test("have the columns in the query's order, and nothing for MISSING")
    func forms() throws {
        #expect(
            try run("--json") == """
                {"schema":"kvtool.query/1","columns":["id","age","likes"],"rows":[
                {"id":"ada","age":36,"likes":["tea","a, b"]},
                {"id":"bob","age":null},
                {"id":"eve"}
                ],"count":3}

                """)
        #expect(
            try run("--csv") == """
                id,age,likes
                ada,36,"[""tea"",""a, b""]"
                bob,null,
                eve,,

                """)
        #expect(try run("--tsv").hasPrefix("id\tage\tlikes\nada\t36\t"))
        #expect(
            try run("--raw") == """
                [{"id":"ada","age":36,"likes":["tea","a, b"]},
                 {"id":"bob","age":null},
                 {"id":"eve"}]

                """)
        #expect(
            try run("--json5") == """
                [{id:"ada",age:36,likes:["tea","a, b"]},
                 {id:"bob",age:null},
                 {id:"eve"}]

                """)
    }

    @Test("distinguish two columns with the same name")
    func sameNames() throws {
        let query = "SELECT age, age + 1 AS age_2, likes AS age FROM _ WHERE age > 0"
        // The language sees to it itself.
        #expect(
            try database.run("query", query, "--ndjson").success().lines
                == [#"{"age":36,"age_2":37,"age #2":["tea","a, b"]}"#])
        #expect(
            ResultOutput.distinct(["a", "b", "a", "a_2", "a"]) == ["a", "b", "a_3", "a_2", "a_4"])
    }

    @Test("skip --offset rows, in every language")
    func offset() throws {
        #expect(try run("--offset", "1", "--limit", "1", "--csv") == "id,age,likes\nbob,null,\n")
        let json = #"{"WHAT": [["._id"]], "ORDER_BY": [["._id"]]}"#
        let outcome = try database.run("query", json, "--offset", "2", "--ndjson")
        #expect(
            outcome.success().lines == [#"{"id":"eve"}"#] || outcome.lines == [#"{"_id":"eve"}"#])
    }

    @Test("take the query from arguments, a file, standard input, or with SELECT in front")
    func sources() throws {
        let words = ["SELECT", "META().id", "FROM", "_", "WHERE", "age", "=", "36"]
        let expected = ["id", "ada"]
        #expect(try Kvtool.run(["query", database.path] + words).success().lines == expected)
        for name in ["select", "SELECT"] {
            let arguments = [name, database.path] + words.dropFirst() + ["--limit", "5"]
            #expect(try Kvtool.run(arguments).success().lines == expected)
        }
        let text = Data("-- those of an age\n\(words.joined(separator: "\n"))\n".utf8)
        let file = try database.newFile("query.sql", text)
        #expect(try database.run("query", "@" + file).success().lines == expected)
        #expect(try database.run("query", "-", stdin: text).success().lines == expected)
        #expect(
            try database.run("query", "@/nowhere.sql").refusal(status: 3)
                == "/nowhere.sql does not exist")
        let latin = try database.newFile("latin.sql", Data([0x53, 0xE9]))
        #expect(try database.run("query", "@" + latin).refusal(status: 1).hasSuffix("is not UTF-8"))
    }

    @Test("show the time, separately from the rows")
    func time() throws {
        let people = try database.run("query", Self.query, "--time")
        #expect(people.status == 0 && people.lines.count == 4)
        #expect(people.stderr.wholeMatch(of: /3 rows in [0-9.]+ (µs|ms|s)\n/) != nil)
        let json = try run("--json", "--time")
        #expect(json.contains(#"],"count":3,"seconds":0."#))
        let lines = try database.run("query", Self.query, "--time", "--ndjson")
        #expect(lines.lines.count == 3)
        #expect(lines.stderr.hasPrefix(#"{"count":3,"seconds":"#))
    }

    @Test("of a change report the number of documents, also with --dry-run")
    func changes() throws {
        let update = "UPDATE _ SET age = 1 WHERE age IS VALUED"
        #expect(
            try database.run("query", update, "--dry-run").success().stdout
                == "1 document would be changed\n")
        #expect(
            try database.run("query", update, "--dry-run", "--json").success().stdout
                == #"{"schema":"kvtool.query/1","changed":1,"dryRun":true}"# + "\n")
        #expect(try run("--csv").contains("ada,36"))
        #expect(
            try database.run("query", update, "--json").success().stdout
                == #"{"schema":"kvtool.query/1","changed":1,"dryRun":false}"# + "\n")
        #expect(try run("--csv").contains("ada,1,"))
        try database.run("query", update, "--limit", "1").refusal(status: 2)
    }

    @Test("show the plan instead, with SQL and the JSON form")
    func explain() throws {
        let out = try run("--explain")
        #expect(out.contains("└─ ") && out.contains("\nSQL: SELECT ") && out.contains("\nJSON: {"))
        let json = try run("--explain", "--json")
        #expect(json.hasPrefix(#"{"schema":"kvtool.explain/1","query":"SELECT "#))
    }

    @Test(
        "work on databases of every version",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let before = try golden.bytes
        let query = "SELECT COUNT(*) AS n FROM _"
        let count = try golden.run("query", query, "--csv").success().lines
        #expect(count.count == 2 && Int(count[1]) != nil)
        let ids = try golden.run("query", "SELECT META().id FROM _", "--ndjson").success().lines
        #expect(ids.count == Int(count[1]))
        #expect(try golden.bytes == before)
    }
}

@Suite("The marker below an invalid query")
struct SyntaxMarkTests {
    @Test("is below the position, in terminal cells")
    func place() {
        #expect(
            SyntaxMark.lines("SELECT a,\n  FROM _", line: 2, column: 3, columns: 80)
                == ["    FROM _", "    ^"])
        #expect(
            SyntaxMark.lines("日本 x", line: 1, column: 4, columns: 80) == ["  日本 x", "       ^"])
        #expect(
            SyntaxMark.lines("a\u{1B}b", line: 1, column: 3, columns: 80)
                == [#"  a\u{1B}b"#, "         ^"])
        #expect(SyntaxMark.lines("a", line: 1, column: 2, columns: 80) == ["  a", "   ^"])
    }

    @Test("is visible in a long line, and absent for an invalid position")
    func long() {
        let text = String(repeating: "x", count: 500) + "!" + String(repeating: "y", count: 500)
        let lines = SyntaxMark.lines(text, line: 1, column: 501, columns: 40)
        #expect(lines.count == 2 && lines[0].count <= 40)
        #expect(lines[0].dropFirst(lines[1].count - 1).first == "!")
        #expect(SyntaxMark.lines("a", line: 2, column: 1, columns: 80) == [])
        #expect(SyntaxMark.lines("", line: 0, column: 0, columns: 1) == [])
    }
}
