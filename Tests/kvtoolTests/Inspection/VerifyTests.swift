import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool verify", .enabled(if: SQLiteShell.isPresent))
struct VerifyTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 30)
    }

    @Test("finds no errors in a sound database, and does not change its bytes")
    func sound() throws {
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let before = try database.contents
        let text = try database.run("verify").success().stdout
        #expect(text.hasPrefix("no errors"))
        let answer = try database.run("verify", "--json").success().answer()
        #expect(answer["schema"] as? String == "kvtool.verify/1")
        #expect(answer["intact"] as? Bool == true)
        #expect(answer["errors"] as? Int == 0)
        #expect(answer["level"] as? String == "full")
        let store = try #require(
            answer.list("stores").first { $0["store"] as? String == "_default" })
        #expect(store["rows"] as? Int == 30)
        try database.run("verify", "--quick").success()
        #expect(try database.run("verify", "--quick", "--full").status == 2)
        #expect(try database.contents == before)
    }

    @Test("names the document whose body is damaged, with status 5")
    func damaged() throws {
        try database.rows("UPDATE kv_default SET body=x'6000' WHERE key='person-0003'")
        let outcome = try database.run("verify", "--json")
        #expect(outcome.status == 5)
        let answer = try outcome.answer()
        #expect(answer["intact"] as? Bool == false)
        let finding = try #require(
            answer.list("findings").first { $0["id"] as? String == "person-0003" })
        #expect(finding["severity"] as? String == "error")
        #expect(finding["store"] as? String == "_default")
        #expect(finding["fixable"] as? Bool == false)
        let text = try database.run("verify")
        #expect(text.status == 5)
        #expect(text.lines.contains { $0.hasPrefix("error: _default, \"person-0003\": ") })
        let advice =
            "Errors that are not fixable: restore a backup, or save the readable documents with "
            + "kvtool recover DATABASE NEW"
        #expect(text.lines.last == advice)
        let unfixed = try database.run("verify", "--fix", "--yes")
        #expect(unfixed.status == 5)
        #expect(
            unfixed.stderr.hasSuffix(
                "note: --fix can correct none of these errors; nothing was changed\n"))
    }

    @Test("--fix rebuilds a wrong index, and then finds nothing")
    func fixing() throws {
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let index = try WrongIndex(in: database)
        #expect(try database.run("verify", "--quick").status == 0)
        let wrong = try database.run("verify")
        #expect(wrong.status == 5)
        #expect(wrong.lines.last?.hasPrefix("Fix ") == true, "\(wrong)")
        #expect(wrong.lines.last?.hasSuffix(" with kvtool verify --fix") == true, "\(wrong)")
        #expect(try database.run("index check", "byLikes").status == 5)
        let answer = try database.run("verify", "--fix", "--yes", "--json").success().answer()
        #expect((answer["done"] as? [String])?.isEmpty == false)
        #expect(answer["intact"] as? Bool == true)
        #expect(try index.isRight)
        #expect(try database.run("index check").success().stdout.hasPrefix("1 index, no errors"))
    }

    @Test("prints names of collections as in commands")
    func names() throws {
        try database.run("mkindex", "byAge", "age").success()
        try database.rows(
            """
            INSERT INTO indexes (name, type, keyStore, expression)
            VALUES ('old', 0, '.hr.Gone', '[[".a"]]')
            """)
        let found = try database.run("verify", "--ndjson").stdout
        #expect(found.contains("the index old is on hr.Gone, which does not exist"))
        let fixed = try database.run("verify", "--fix", "--yes").stdout
        #expect(
            fixed.contains("fixed: the index old of hr.Gone, which does not exist, was removed\n"))
    }

    @Test(
        "reports what it could not check, and why",
        arguments: [("f_x(body)", "f_x"), ("prediction('mood', body)", "the model mood")])
    func unchecked(_ expression: String, _ part: String) throws {
        let sql = "CREATE INDEX zz ON kv_default (\(expression))"
        try database.rows(
            """
            CREATE INDEX zz ON kv_default (flags);
            PRAGMA writable_schema = on;
            UPDATE sqlite_master SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = 'zz'
            """)
        let reason = "they need \(part), which this program does not have"
        let ofIndex = "its definition is unknown"
        let outcome = try database.run("verify")
        #expect(outcome.status == 0, "\(outcome)")
        let note = "kvtool: \(database.path): note: could not check"
        // A finding says that the index was not checked.
        #expect(outcome.stderr == "\(note) the values of indexes: \(reason)\n")
        #expect(outcome.lines.contains { $0.hasSuffix("index zz: not checked: \(ofIndex)") })
        let skipped = try database.run("verify", "--json").answer().list("unchecked")
        #expect(skipped.map { $0["reason"] as? String } == [reason, ofIndex])
        let check = try database.run("check")
        #expect(check.status == 0, "\(check)")
        #expect(
            check.stderr.hasSuffix("indexes were not compared with their tables: \(reason)\n"))
    }

    @Test(
        "finds no error in databases of other implementations",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"), arguments: GoldenTests.names
    )
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let before = try golden.contents
        let outcome = try golden.run("verify", "--json")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.answer()["errors"] as? Int == 0)
        #expect(try golden.contents == before)
    }
}
