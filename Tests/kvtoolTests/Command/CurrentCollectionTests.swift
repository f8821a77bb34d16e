import Foundation
import StoreTestSupport
import Testing

@Suite("_ in a statement is the named collection, or the shell's current one")
struct CurrentCollectionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"d1","n":1}"#, #"{"_id":"d2","n":2}"#])
        try database.run("mkcoll", "hr.staff").success()
        let staff = (1...3).map { #"{"_id":"s\#($0)","n":\#($0 * 10)}"# }
        try database.importing(staff, "--collection", "hr.staff").success()
    }

    private var staff: String { "\(database.path)//hr.staff" }

    /// The ways to select `hr.staff` for a statement.
    enum Way: CaseIterable, Sendable {
        case address, option, scope, shell
    }

    private func run(_ statement: String, _ way: Way) throws -> Command.Outcome {
        switch way {
        case .address: return try Kvtool.run(["query", staff, statement, "--ndjson"])
        case .option:
            return try database.run("query", statement, "--collection", "hr.staff", "--ndjson")
        case .scope:
            return try database.run(
                "query", statement, "--scope", "hr", "--collection", "staff", "--ndjson")
        case .shell:
            return try Kvtool.run(
                ["-w", database.path, "--ndjson"],
                stdin: Data("cd hr.staff\nquery \(statement)\n".utf8))
        }
    }

    private func ids(_ collection: String) throws -> [String] {
        try database.run("ls", "-0", "--collection", collection).success().stdout
            .split(separator: "\0").map(String.init)
    }

    static let statements: [(String, [String])] = [
        ("SELECT COUNT(*) AS n FROM _", [#"{"n":3}"#]),
        ("SELECT META(_).id AS id FROM _ WHERE _.n = 10", [#"{"id":"s1"}"#]),
        ("SELECT META().id AS id, `_`.n FROM `_` WHERE n > 20", [#"{"id":"s3","n":30}"#]),
        ("SELECT x.n FROM _ AS x WHERE x.n = 20", [#"{"n":20}"#]),
        (
            "SELECT a.n FROM _ AS a JOIN _ AS b ON a.n + 10 = b.n ORDER BY a.n",
            [#"{"n":10}"#, #"{"n":20}"#]
        ),
        ("SELECT n FROM _ WHERE n = (SELECT MAX(n) FROM _)", [#"{"n":30}"#]),
        ("SELECT n FROM _ UNION SELECT n FROM _ ORDER BY n LIMIT 1", [#"{"n":10}"#]),
        ("SELECT q.n FROM (SELECT n FROM _ WHERE n < 20) AS q", [#"{"n":10}"#]),
        ("WITH x AS (SELECT n FROM _) SELECT MIN(x.n) AS n FROM x", [#"{"n":10}"#]),
        ("SELECT n ORDER BY n DESC LIMIT 1", [#"{"n":30}"#]),
        // What it does not stand for.
        ("WITH _ AS (SELECT COUNT(*) AS n FROM hr.staff) SELECT n FROM _", [#"{"n":3}"#]),
        ("SELECT COUNT(*) AS n FROM _default", [#"{"n":2}"#]),
        (
            "SELECT d.n FROM _ AS s JOIN _default AS d ON s.n = d.n * 10 ORDER BY d.n LIMIT 1",
            [#"{"n":1}"#]
        ),
        (
            #"{"WHAT":[[".n"]],"FROM":[{"COLLECTION":"_"}],"WHERE":["=",[".n"],20]}"#,
            [#"{"n":20}"#]
        ),
        (
            #"{"WHAT":[[".x.n"]],"FROM":[{"COLLECTION":"_","AS":"x"}],"WHERE":["=",[".x.n"],20]}"#,
            [#"{"n":20}"#]
        ),
        (#"{"WHAT":[[".n"]],"WHERE":["=",[".n"],30]}"#, [#"{"n":30}"#]),
    ]

    @Test("in SELECT and in the JSON form", arguments: statements, Way.allCases)
    func reading(_ statement: (String, [String]), _ way: Way) throws {
        #expect(try run(statement.0, way).success().lines == statement.1, "\(way): \(statement.0)")
    }

    @Test("in UPDATE and DELETE: no other collection is changed", arguments: Way.allCases)
    func changing(_ way: Way) throws {
        let before = try database.run("export").success().stdout
        #expect(
            try run("UPDATE _ SET n = 11 WHERE n = 10", way).success().stdout
                .contains(#""changed":1"#))
        #expect(
            try run("DELETE FROM _ WHERE _.n = 11 OR n = (SELECT MAX(n) FROM _)", way).success()
                .stdout.contains(#""changed":2"#))
        #expect(try database.run("export").success().stdout == before)
        #expect(try ids("hr.staff") == ["s2"])
    }

    @Test("in explain, whose advice and JSON form name the collection")
    func explaining() throws {
        let query = "SELECT n FROM _ WHERE n = 10"
        let answer = try Kvtool.run(["explain", staff, query, "--json"]).success().answer()
        #expect(answer.list("advice").map { $0["collection"] as? String } == ["hr.staff"])
        let form = try #require(answer["json"] as? [String: Any])
        #expect(
            form.list("FROM") as NSArray
                == [["SCOPE": "hr", "COLLECTION": "staff", "AS": "_"]] as NSArray)
        let explained = try database.run("query", query, "--explain", "--collection", "hr.staff")
        #expect(explained.success().stdout.contains("hr.staff"))
    }

    @Test("in select, and in a query that is watched")
    func others() throws {
        #expect(
            try Kvtool.run(["select", staff, "MAX(n)", "AS", "n", "FROM", "_", "--ndjson"])
                .success().lines == [#"{"n":30}"#])
        let tool = try RunningTool([
            "query", staff, "SELECT COUNT(*) AS n FROM _", "--watch", "--ndjson",
        ])
        #expect(tool.line()?.contains(#""row":{"n":3}"#) == true)
        try Kvtool.run(["put", "\(staff)/s4", "{}"]).success()
        #expect(tool.line()?.contains(#""n":3"#) == true)
        #expect(tool.line()?.contains(#""n":4"#) == true)
        _ = tool.interrupt()
    }

    @Test("in a condition: by itself, in META() and in a subquery")
    func conditions() throws {
        for condition in [
            "_.n = 30", "META(_).id = 's3'", "n = (SELECT MAX(n) FROM _)",
            "n = (SELECT MAX(x.n) FROM _ AS x)",
        ] {
            #expect(
                try Kvtool.run(["cat", staff, "--raw", "--where", condition]).success().lines
                    == [#"{"_id":"s3","n":30}"#], "\(condition)")
            #expect(
                try Kvtool.run(["export", staff, "--where", condition]).success().lines
                    == [#"{"_id":"s3","n":30}"#], "\(condition)")
        }
        let watched = try Kvtool.run(["watch", staff, "--where", "_.n = 30", "--ndjson"])
        #expect(watched.success().lines.count == 1)
    }

    @Test("in the expressions and the condition of an index, which queries then use")
    func indexes() throws {
        try Kvtool.run(["put", "\(staff)/s4", #"{"m":5,"k":"K"}"#]).success()
        try Kvtool.run(["mkindex", staff, "byN", "_.n"]).success()
        try Kvtool.run(["mkindex", staff, "byM", "_.m, lower(_.k)", "--where", "_.m > 3"]).success()
        try Kvtool.run(["mkindex", staff, "byK", #"[["._.k"]]"#]).success()
        let rows = try database.run("index ls", "--csv").success().lines
        #expect(rows.contains { $0.hasPrefix("byN,hr.staff,value,n,") }, "\(rows)")
        #expect(rows.contains { $0.contains(#""m, lower(k)""#) }, "\(rows)")
        #expect(rows.contains { $0.contains(#"[["".k""]]"#) }, "\(rows)")
        let plan = try Kvtool.run(["explain", staff, "SELECT n FROM _ WHERE _.n = 10"]).success()
        #expect(plan.stdout.contains("using index byN"))
        // The same definition again.
        #expect(
            try Kvtool.run(["mkindex", staff, "byN", "n"]).success().stdout.contains("already"))
    }
}

@Suite("A command with two collections, or with a document")
struct ContradictingAddressTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        try database.run("mkcoll", "x", "y").success()
        try Kvtool.run(["put", "\(database.path)//x/b", "{}"]).success()
    }

    @Test("fails, and changes nothing")
    func collections() throws {
        let before = try database.contents
        for command in [
            ["rm", "b"], ["ls"], ["query", "DELETE FROM _", "--yes"], ["export"], ["watch"],
        ] {
            let outcome = try Kvtool.run(
                [command[0], "\(database.path)//x"] + command.dropFirst() + ["--collection=y"])
            #expect(
                outcome.refusal(status: 2).contains(
                    "\(database.path)//x and --collection y are different collections; name one"),
                "\(command)")
        }
        #expect(try database.contents == before)
        try Kvtool.run(["ls", "\(database.path)//x", "--collection", "x"]).success()
    }

    @Test("fails where it would ignore the document")
    func documents() throws {
        let before = try database.contents
        for command in [
            ["query", "DELETE FROM _", "--yes"], ["select", "* FROM _"],
            ["explain", "SELECT * FROM _"], ["compact", "--purge-deleted", "--yes"],
            ["expire", "run"], ["watch"],
        ] {
            let (name, rest) =
                command[0] == "expire" ? (["expire", "run"], []) : ([command[0]], command[1...])
            let outcome = try Kvtool.run(name + ["\(database.path)//x/b"] + rest)
            #expect(
                outcome.refusal(status: 2).contains("this command does not work on one document"),
                "\(command)")
        }
        #expect(try database.contents == before)
    }

    @Test("in a shell uses the collection that it names, not the current one")
    func shell() throws {
        let outcome = try Kvtool.run(
            ["-w", database.path],
            stdin: Data(
                """
                cd x
                ls --count --collection _default
                rmcoll y --yes > /dev/null
                mkcoll z > /dev/null
                lscoll * --csv

                """.utf8))
        #expect(outcome.success().lines.first == "1")
        let names = outcome.lines.dropFirst(2).map { $0.prefix { $0 != "," } }
        #expect(names == ["_default", "x", "z"], "\(outcome)")
    }

    @Test("after cd uses that collection, whatever the name of the database")
    func otherName() throws {
        let path = database.directory("people.db")
        try FileManager.default.moveItem(atPath: database.path, toPath: path)
        let outcome = try Kvtool.run(
            ["shell", "-w", path],
            stdin: Data("cd x\nquery --yes DELETE FROM _\nls --count\n".utf8))
        #expect(outcome.success().lines == ["1 document changed", "0"])
        #expect(try Kvtool.run(["ls", path, "--count"]).success().stdout == "1\n")
        #expect(try Kvtool.run(["ls", "\(path)//x", "--count"]).success().stdout == "0\n")
        #expect(try Kvtool.run(["cat", "\(path)//_default/a", "--raw"]).success().lines.count == 1)
    }
}
