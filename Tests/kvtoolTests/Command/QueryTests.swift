import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool query")
struct QueryTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","name":"Ada","age":36,"likes":["chess","tea"],"active":true}"#,
            #"{"_id":"alan","name":"Alan","age":41,"likes":[],"active":null}"#,
            #"{"_id":"grace","name":"Grace"}"#,
        ])
    }

    @Test("shows a table with plain strings, other values as JSON, and numbers right-aligned")
    func table() throws {
        let query = "SELECT META().id, name, age + 0.5, likes, active FROM _"
        #expect(
            try database.run("query", query).success().stdout == """
                id     name     $1  likes            active
                ada    Ada    36.5  ["chess","tea"]  true
                alan   Alan   41.5  []               null
                grace  Grace

                """)
    }

    @Test("writes a JSON row per line, without missing values")
    func json() throws {
        let query = "SELECT META().id, age, likes[0] AS first FROM _ ORDER BY age DESC"
        let expected = [
            #"{"id":"alan","age":41}"#, #"{"id":"ada","age":36,"first":"chess"}"#,
            #"{"id":"grace"}"#,
        ]
        #expect(try database.run("query", query, "--ndjson").success().lines == expected)
        #expect(
            try Kvtool.run(["query", "--ndjson", database.path, query]).success().lines == expected)
    }

    @Test("takes Couchbase Lite's JSON form, clauses or a condition")
    func jsonForm() throws {
        let clauses = #" {"WHAT": [[".name"]], "WHERE": [">", [".age"], ["$least"]]}"#
        #expect(
            try database.run("query", clauses, "-p", "least=40").success().lines == [
                "name", "Alan",
            ])
        #expect(
            try database.run("query", #"["=", [".age"], 36]"#, "--ndjson").success().stdout
                == #"{"_id":"ada","_sequence":1}"# + "\n")
    }

    @Test("prints a note if there are no rows, and nothing else")
    func empty() throws {
        let query = ["query", database.path, "SELECT name FROM _ WHERE age > 99"]
        for options in [[], ["--limit", "5"], ["--limit", "0"], ["--offset", "9"]] {
            let outcome = try Kvtool.run(query + options)
            #expect(outcome.status == 0 && outcome.stdout == "" && outcome.stderr == "(no rows)\n")
        }
        #expect(try Kvtool.run(query + ["--ndjson"]).success().stdout == "")
        #expect(try Kvtool.run(query + ["--csv"]).success().stdout == "name\n")
        #expect(try Kvtool.run(query + ["--raw"]).success().stdout == "[]\n")
    }

    @Test("shows at most --limit rows, and none for 0")
    func limit() throws {
        let query = "SELECT name FROM _"
        #expect(try database.run("query", query, "--limit", "2").success().lines.count == 3)
        #expect(try database.run("query", query, "--limit", "0").stdout == "")
        #expect(
            try database.run("query", query, "--limit", "1", "--ndjson").success().lines
                == [#"{"name":"Ada"}"#])
        // The second row is not computed.
        let failing = "SELECT regexp_like('a', CASE WHEN name = 'Ada' THEN 'a' ELSE '(' END) FROM _"
        #expect(
            try database.run("query", failing, "--limit", "1").success().lines == ["$1", "true"])
    }

    @Test("shows values that are wide")
    func wide() throws {
        let wide = String(repeating: "é", count: 5000)
        try database.run("put", "wide", #"{"name":"\#(wide)","age":1000}"#).success()
        let lines = try database.run("query", "SELECT name, age FROM _ WHERE age > 40").success()
            .lines
        #expect(lines.count == 3 && lines[2] == wide + "  1000")
        // One wide value does not make the others wide.
        #expect(lines[1].hasPrefix("Alan  ") && lines[1].hasSuffix("  41") && lines[1].count < 200)
    }

    @Test("escapes control characters in column names and values on a terminal")
    func control() throws {
        try database.run("put", "x", #"{"name":"\u001b[31m\n\u202e","age":1}"#).success()
        let query = "SELECT name AS `a\u{1B}b`, [name] AS list FROM _ WHERE age = 1"
        #expect(
            try database.run("query", query).success().stdout == #"""
                a\u{1B}b              list
                \u{1B}[31m\n\u{202E}  ["\u001b[31m\n\u{202E}"]

                """#)
        let json = try database.run("query", query, "--ndjson").success().stdout
        #expect(!json.dropLast().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("changes documents, and reports their number")
    func changes() throws {
        let update = "UPDATE _ SET age = age + $more WHERE age IS VALUED"
        #expect(
            try database.run("query", update, "-p", "more=1").success().stdout
                == "2 documents changed\n")
        #expect(
            try database.run("query", "DELETE FROM _ WHERE name = 'Grace'").success().stdout
                == "1 document changed\n")
        #expect(
            try database.run("query", "DELETE FROM _ WHERE name = 'Grace'").success().stdout
                == "0 documents changed\n")
        #expect(
            try database.run("query", "SELECT age FROM _", "--ndjson").success().lines
                == [#"{"age":37}"#, #"{"age":42}"#])
        #expect(try database.run("ls", "--deleted").success().stdout.contains("grace"))
    }

    @Test(
        "changes nothing in a file with an older schema, and reports how to",
        .enabled(if: SQLiteShell.isPresent))
    func older() throws {
        try database.rows("PRAGMA user_version=502")
        let before = try database.contents
        for query in ["UPDATE _ SET age = 1", "DELETE FROM _"] {
            let complaint = try database.run("query", query).refusal()
            #expect(complaint.contains("can only be read: it has schema 502"), "\(complaint)")
        }
        #expect(try database.contents == before)
        #expect(try database.run("query", "SELECT name FROM _").success().lines.count == 4)
    }

    @Test("ends without an error when the reader closes the pipe", arguments: ["", "--json"])
    func brokenPipe(_ option: String) throws {
        let people = try SampleDatabase(people: 300)
        let query = "SELECT a.name, b.name AS other FROM _ AS a, _ AS b"
        let script = #""$KVTOOL" query "$1" "$2" \#(option) | head -n 1"#
        #expect(try Kvtool.shell(script, [people.path, query]).success().lines.count == 1)
    }

    @Test(
        "reports in one line that its output cannot be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func fullDisk() throws {
        for command in [#"query "$1" "SELECT name FROM _""#, #"explain "$1" "SELECT name FROM _""#]
        {
            let outcome = try Kvtool.shell(#""$KVTOOL" \#(command) > /dev/full"#, [database.path])
            let complaint = outcome.refusal(status: 1)
            #expect(complaint.hasPrefix("standard output cannot be written: "), "\(command)")
        }
    }

    @Test("is interrupted after --seconds")
    func seconds() throws {
        let people = try SampleDatabase(people: 300)
        let query = "SELECT COUNT(*) FROM _ AS a, _ AS b, _ AS c, _ AS d"
        #expect(
            try people.run("query", query, "--seconds", "0.2").refusal(status: 1)
                == "the query took longer than --seconds 0.2")
        #expect(
            try people.run("query", "SELECT COUNT(*) FROM _", "--seconds", "60", "--ndjson")
                .success()
                .stdout == "{\"$1\":300}\n")
    }
}

@Suite("Parameters of kvtool query")
struct QueryParameterTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"ada","name":"Ada","age":36}"#])
    }

    private func value(_ parameters: String...) throws -> String {
        let options = parameters.flatMap { ["-p", $0] }
        let query = "SELECT $x AS x, type($x) AS type FROM _"
        return try Kvtool.run(["query", database.path, query, "--ndjson"] + options).success()
            .stdout
    }

    @Test(
        "are JSON, or otherwise strings",
        arguments: [
            ("x=1", #"{"x":1,"type":"number"}"#), ("x=-0.5", #"{"x":-0.5,"type":"number"}"#),
            ("$x=true", #"{"x":true,"type":"boolean"}"#), ("x=null", #"{"x":null,"type":null}"#),
            ("x=18446744073709551615", #"{"x":18446744073709551615,"type":"number"}"#),
            (#"x="1""#, #"{"x":"1","type":"string"}"#), ("x=", #"{"x":"","type":"string"}"#),
            ("x=a=b", #"{"x":"a=b","type":"string"}"#),
            ("x=it's", #"{"x":"it's","type":"string"}"#),
            (#"x=[1,{"a":null}]"#, #"{"x":[1,{"a":null}],"type":"array"}"#),
            ("x={nope", #"{"x":"{nope","type":"string"}"#),
        ])
    func kinds(_ parameter: String, _ expected: String) throws {
        #expect(try value(parameter) == expected + "\n")
    }

    @Test("can be repeated, the last one of a name counts, and be anywhere")
    func several() throws {
        #expect(try value("x=1", "x=2") == #"{"x":2,"type":"number"}"# + "\n")
        let query = "SELECT name FROM _ WHERE age > $a AND name = $b"
        let arguments = [
            "query", "-p", "a=1", database.path, "--param", "b=Ada", "--ndjson", query,
        ]
        #expect(try Kvtool.run(arguments).success().stdout == #"{"name":"Ada"}"# + "\n")
    }

    @Test("without a name, or that the query does not have, are an error")
    func wrong() throws {
        for parameter in ["x", "=1", ""] {
            #expect(
                try database.run("query", "SELECT $x FROM _", "-p", parameter).refusal(status: 2)
                    == "--param takes NAME=VALUE, not \"\(parameter)\"")
        }
        #expect(
            try database.run("query", "SELECT name FROM _ WHERE age > $x", "-p", "y=1")
                .refusal(status: 1)
                == "\(database.path): the query has no parameter $y; it has $x")
    }

    @Test("without a value are invalid usage, and named")
    func missing() throws {
        let query = "SELECT name, $x AS x FROM _ WHERE $x IS MISSING"
        #expect(
            try database.run("query", query).refusal(status: 2)
                == "no value is given for the parameter $x; use --param x=VALUE")
        for query in [
            "SELECT (SELECT age FROM _ WHERE age > $b) AS x FROM _ ORDER BY age = $a LIMIT $c",
            "UPDATE _ SET age = $b WHERE age = $a LIMIT $c",
            "DELETE FROM _ WHERE age IN [$b, $a] LIMIT $c",
            #"["AND", ["=", [".age"], ["$b"]], ["=", [".age"], ["$a"]], ["=", 1, ["$c"]]]"#,
        ] {
            let complaint = try database.run("query", query).refusal(status: 2)
            #expect(
                Set(complaint.matches(of: /\$[abc]/).map { String($0.output) })
                    == ["$a", "$b", "$c"])
            let some = try database.run("query", query, "-p", "a=1", "-p", "c=1")
            #expect(some.refusal(status: 2).contains("the parameter $b; use --param b=VALUE"))
        }
        // A plan needs none; a measured one does.
        try database.run("explain", "SELECT name FROM _ WHERE age > $x").success()
        try database.run("query", "SELECT name FROM _ WHERE age > $x", "--explain").success()
        try database.run("explain", "SELECT name FROM _ WHERE age > $x", "--measure")
            .refusal(status: 2)
        let condition = try database.run("export", "--where", "age > $x").refusal(status: 2)
        #expect(condition.hasPrefix("the condition has the parameter $x, "))
    }

    @Test("a document ID or query may begin with a dash, after --")
    func dashes() throws {
        try database.run("put", "--", "-p", #"{"n":1}"#).success()
        #expect(try database.run("cat", "--", "-p").success().stdout.contains(#""n""#))
        let query = "-- all with a number\nSELECT META().id FROM _ WHERE n = $n"
        #expect(
            try database.run("query", "-p", "n=1", "--ndjson", "--", query).success().lines
                == [#"{"id":"-p"}"#])
    }
}
