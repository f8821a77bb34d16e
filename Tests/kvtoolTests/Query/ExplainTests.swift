import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool explain")
struct ExplainTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 50)
    }

    @Test("shows a query that scans all documents, and the index that would help")
    func scan() throws {
        let query = "select name.last from _ where age > 80 order by name.last"
        #expect(
            try database.run("explain", query).success().stdout == """
                SELECT name.last FROM _ WHERE age > 80 ORDER BY name.last
                ├─ scans all documents of _; about 50 rows
                │  · no index on age
                └─ sorts the rows for ORDER BY

                An index would help: an index on age finds the documents.
                  kvtool mkindex \(database.path) by_age age

                """)
    }

    @Test("shows an index that is used, and no further suggestions")
    func indexed() throws {
        try database.run("mkindex", "byAge", "age").success()
        let query = "SELECT name.last FROM _ WHERE age = $age"
        let lines = try database.run("explain", query, "-p", "age=80").success().lines
        #expect(lines.count == 2 && lines[0] == query)
        let form = /└─ searches documents of _ using index byAge \(value = …\); about [12] rows?/
        #expect(lines.last?.wholeMatch(of: form) != nil, "\(lines)")
    }

    @Test("shows the SQL statement on request")
    func sql() throws {
        let lines = try database.run("explain", "SELECT name.last FROM _", "--sql").success().lines
        #expect(
            lines == [
                "SELECT name.last FROM _", "└─ scans all documents of _; about 50 rows",
                "SQL: SELECT fl_result(fl_value(_.body, 'name.last')) FROM kv_default AS _",
            ])
    }

    @Test("writes the plan and the suggestions for programs")
    func json() throws {
        let query = "SELECT name.last FROM _ WHERE age > 80 ORDER BY name.last"
        let text = try database.run("explain", query, "--json").success().standardOutput
        let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        #expect(object["schema"] as? String == "kvtool.explain/1")
        #expect(object["query"] as? String == query)
        #expect((object["sql"] as? String)?.hasPrefix("SELECT ") == true)
        #expect((object["json"] as? [String: Any])?["WHAT"] != nil)
        #expect(object["scansDocuments"] as? Bool == true)
        #expect(object["indexes"] as? [String] == [])
        let plan = try #require(object["plan"] as? [[String: Any]])
        #expect(plan.map { $0["kind"] as? String } == ["scan", "sort"])
        #expect(plan[0]["estimatedRows"] as? Int == 50)
        #expect(plan[0]["reasons"] as? [String] == ["no index on age"])
        let advice = try #require(object["advice"] as? [[String: Any]])
        #expect(advice.map { $0["name"] as? String } == ["by_age"])
        #expect(advice[0]["secondsWith"] == nil)
        let measured = try database.run("explain", query, "--ndjson", "--measure").success()
        #expect(measured.lines.count == 1 && measured.stdout.contains(#""secondsWithout":"#))
        let steps = try database.run("explain", query, "--csv").success().lines
        #expect(steps[0] == "depth,kind,text,index,estimatedRows,detail" && steps.count == 3)
        #expect(steps[1].hasPrefix("0,scan,scans all documents of _,,50,"))
    }

    @Test("shows how the documents of an UPDATE are found, and changes none")
    func update() throws {
        let before = try database.contents
        let query = "UPDATE _ SET age = 1 WHERE age = 2"
        let lines = try database.run("explain", query).success().lines
        #expect(lines[0] == "UPDATE _ SET age = 1 WHERE age = 2")
        #expect(lines[1] == "└─ scans all documents of _; about 50 rows")
        #expect(lines.contains("An index would help: an index on age finds the documents."))
        #expect(try database.contents == before)
    }

    @Test("escapes control characters in names")
    func control() throws {
        let query = "SELECT `a\u{1B}[31m` FROM _ WHERE `b\n` = 1"
        let out = try database.run("explain", query, "--sql").success().stdout
        #expect(!out.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(out.contains(#"\u{1B}[31m"#))
    }

    @Test("measures an index in a copy, which is removed")
    func measure() throws {
        let names = try DirectoryContents(database.directory.path).names
        let before = try database.contents
        let lines = try database.run("explain", "SELECT name FROM _ WHERE age = 80", "--measure")
            .success().lines
        let form = /\s+measured: [0-9].* without, [0-9].* with it; created in [0-9].*/
        #expect(lines.last?.wholeMatch(of: form) != nil, "\(lines)")
        #expect(try DirectoryContents(database.directory.path).names == names)
        #expect(try database.contents == before)
    }

    @Test("removes the copy if the query fails there")
    func failedMeasure() throws {
        let names = try DirectoryContents(database.directory.path).names
        let query = "SELECT regexp_like(name.last, '(') FROM _ WHERE age > 0"
        let outcome = try database.run("explain", query, "--measure")
        #expect(outcome.status == 1)
        #expect(outcome.complaint().contains("regular expression"))
        #expect(try DirectoryContents(database.directory.path).names == names)
    }

    @Test(
        "reports if the copy cannot be created",
        .enabled(if: Kvtool.canRunUnprivileged))
    func noRoom() throws {
        try database.setPermissions(0o555, of: database.directory.path)
        try database.setPermissions(0o755, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.directory.path) }
        let outcome = try database.run(
            "explain", "SELECT name FROM _ WHERE age = 80", "--measure", asUser: .unprivileged)
        #expect(outcome.status == 4 && !outcome.isSignalled)
        let complaints = outcome.stderr.split(separator: "\n")
        #expect(complaints.allSatisfy { $0.hasPrefix("kvtool: ") })
        #expect(complaints.last?.hasSuffix("cannot be created: Permission denied") == true)
    }
}
