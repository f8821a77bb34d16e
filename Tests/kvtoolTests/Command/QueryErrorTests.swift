import Foundation
import StoreTestSupport
import Testing

@Suite("Errors of kvtool query and explain")
struct QueryErrorTests {
    private let database: SampleDatabase
    private static let commands = ["query", "explain"]

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","name":"Ada","age":36}"#, #"{"_id":"bob","name":"(","age":17}"#,
        ])
    }

    @Test(
        "of syntax name line and column, and what was expected",
        arguments: [
            ("SELECT", "line 1, column 7: found the end of input, expected an expression"),
            ("SELECT name,\n  FROM _", "line 2, column 3: found the keyword 'FROM'"),
            ("SELECT lenght(name) FROM _", "column 8: found the unknown function lenght()"),
            ("SELECT \u{1B}[31m FROM _", "line 1, column 8: found"),
            (#"{"WHAT": [["frob()"]]}"#, "frob"), (#"{"WHAT": "#, "invalid JSON"),
        ])
    func grammar(_ query: String, _ expected: String) throws {
        for command in Self.commands {
            let complaint = try database.run(command, query).refusal(status: 1)
            let isJSON = query.hasPrefix("{")
            #expect(isJSON || complaint.hasPrefix("syntax error: "), "\(complaint)")
            #expect(complaint.contains(expected), "\(complaint)")
        }
    }

    @Test("for a missing collection end with 3 and name it")
    func collection() throws {
        for (query, column) in [
            ("SELECT * FROM hr.people", 15), ("DELETE FROM hr.people", 13),
            ("UPDATE hr.people SET a = 1", 8),
        ] {
            for command in Self.commands {
                #expect(
                    try database.run(command, query).refusal(status: 3)
                        == "line 1, column \(column): \(database.path) has no collection "
                        + "hr.people; there is _default")
            }
        }
    }

    @Test("for unknown names, and for missing indexes")
    func meaning() throws {
        for (query, expected) in [
            (
                "SELECT x.name FROM _ AS a JOIN _ AS b ON a.age = b.age",
                "line 1, column 8: the property x.name belongs to none of the sources"
            ),
            (
                "SELECT name FROM _ WHERE MATCH(byName, 'x')",
                "no full-text index byName of a collection of the query; create one with kvtool "
                    + "mkindex --fts"
            ),
            (
                "SELECT name FROM _\nLIMIT 'x'",
                "line 2, column 7: LIMIT and OFFSET need an integer"
            ),
        ] {
            let complaint = try database.run("query", query).refusal()
            #expect(complaint.contains(expected), "\(complaint)")
        }
    }

    @Test("of meaning show their position at a terminal, as errors of syntax do")
    func marks() throws {
        let query = "SELECT name FROM _ WHERE age = 'é' AND MAX(age) > 1"
        let mark = String(repeating: " ", count: 41) + "^\r\n"
        for command in Self.commands {
            let end = try PseudoTerminal([command, database.path, query]).end()
            #expect(end.output.contains("  \(query)\r\n\(mark)"), "\(end.output)")
            #expect(end.output.contains("line 1, column 40: max() is an"), "\(end.output)")
        }
        let select = try PseudoTerminal(["select", database.path, "x.a FROM _ a, _ b"]).end()
        #expect(select.output.contains("  SELECT x.a FROM _ a, _ b\r\n         ^\r\n"))
        let change = try PseudoTerminal(
            ["query", database.path, "UPDATE _ SET a = 1, a = 2 WHERE age = 1"]
        ).end()
        let end = String(repeating: " ", count: 22) + "^\r\n"
        #expect(change.output.contains(end), "\(change.output)")
    }

    @Test("follow the rows before them", arguments: [true, false])
    func rowsBefore(_ isJSON: Bool) throws {
        let query = ["query", database.path, "SELECT regexp_like('a', name) AS x FROM _"]
        let outcome = try Kvtool.run(query + (isJSON ? ["--ndjson"] : []))
        #expect(outcome.status == 1 && !outcome.isSignalled)
        #expect(outcome.lines == (isJSON ? [#"{"x":false}"#] : ["x", "false"]))
        if isJSON {
            #expect(outcome.stderr.hasPrefix(#"{"error":{"status":1,"message":""#))
        } else {
            #expect(outcome.complaint().hasPrefix("\(database.path): "))
        }
    }

    @Test("leave the documents unchanged")
    func changes() throws {
        let before = try database.exported()
        for query in [
            "UPDATE _ SET name = regexp_like('a', name)", "UPDATE _ SET _id = 'x'",
            "DELETE FROM _ WHERE regexp_like('a', name) = 5 OR TRUE",
        ] {
            try database.run("query", query, "--yes").refusal(status: 1)
        }
        #expect(try database.exported() == before)
    }
}
