import Foundation
import StoreTestSupport
import Testing

@Suite(
    "A database with damage in one part",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DamagedPartsTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 5)
    }

    private func damageKeys() throws {
        try database.rows("UPDATE kv_info SET body=x'deadbeef' WHERE key='SharedKeys'")
    }

    @Test("with damaged shared keys allows commands that do not need them")
    func withoutKeys() throws {
        try damageKeys()
        #expect(try database.run("ls").success().lines.count == 6)
        #expect(try database.run("ls", "--count").success().lines == ["5"])
        #expect(try database.run("lscoll").success().lines.count == 2)
        #expect(
            try database.run("sql", "SELECT count(*) AS n FROM kv_default", "--csv").success().lines
                == ["n", "5"])
        for command in ["blob", "expire", "index"] {
            #expect(try Kvtool.run([command, "ls", database.path]).status == 0, "\(command)")
        }
        let watch = try database.run("watch", "--ndjson", "--since", "0")
        #expect(watch.status == 0 && watch.lines.count == 5, "\(watch)")
    }

    @Test("with damaged shared keys is reported by info and verify")
    func tellingKeys() throws {
        try damageKeys()
        let info = try database.run("info")
        #expect(info.status == 5)
        #expect(info.lines.contains { $0.hasPrefix("Shared keys") && $0.hasSuffix("damaged") })
        #expect(info.complaint().hasPrefix("the shared keys of \(database.path) are damaged: "))
        let json = try database.run("info", "--json").answer()
        #expect(json["sharedKeys"] == nil && json["collections"] != nil)
        let verify = try database.run("verify")
        #expect(verify.status == 5)
        #expect(verify.stdout.contains("the shared keys are damaged"))
    }

    @Test(
        "with damaged shared keys fails in commands that read documents",
        arguments: [
            ["query", "SELECT name FROM _"], ["select", "count(*) FROM _"], ["dump"], ["keys"],
            ["info", "keys"], ["schema"], ["revs", "person-0001"], ["ls", "--body"],
            ["sql", "SELECT fl_value(body, 'name') FROM kv_default"],
            ["query", "UPDATE _ SET x = 1", "--yes"], ["purge", "person-0001", "--yes"],
            ["compact"],
        ])
    func keys(_ arguments: [String]) throws {
        try damageKeys()
        let before = try database.contents
        let outcome = try Kvtool.run(
            [arguments[0], database.path] + arguments.dropFirst())
        let complaint = outcome.refusal(status: 5)
        #expect(complaint.hasPrefix("the shared keys of \(database.path) are damaged: "))
        #expect(try database.contents == before)
    }

    private func damageBody() throws {
        try database.rows("UPDATE kv_default SET body=zeroblob(200) WHERE key='person-0002'")
    }

    @Test("with a damaged body affects only queries that encounter it")
    func queries() throws {
        try damageBody()
        let said = "\(database.path): \(DamageTests.emptyBodies)"
        for command in [
            ["query", "SELECT name FROM _"], ["query", "SELECT count(*) FROM _ WHERE age > 1"],
            ["query", "SELECT * FROM _"], ["select", "array_count(likes) FROM _"],
            ["query", "UPDATE _ SET x = 1 WHERE age > 1000"],
            ["sql", "SELECT fl_value(body, 'name') FROM kv_default"],
        ] {
            for form in [[], ["--json"]] {
                let outcome = try Kvtool.run(
                    [command[0], database.path] + command.dropFirst() + form)
                #expect(outcome.status == 5, "\(command): \(outcome)")
                #expect(outcome.stdout != "", "\(command)")
                #expect(outcome.complaint() == said, "\(command)")
            }
        }
        for query in [
            "SELECT META().id FROM _", "SELECT name FROM _ WHERE META().id = 'person-0001'",
        ] {
            try database.run("query", query).success()
        }
    }

    @Test("is reported by commands whose condition encounters a damaged body, and not changed then")
    func conditions() throws {
        try damageBody()
        let before = try database.contents
        for command in [["cat", "--raw"], ["export"]] {
            let outcome = try Kvtool.run(
                [command[0], database.path, "--where", "age > 0"] + command.dropFirst())
            #expect(outcome.status == 5 && outcome.lines.count == 4, "\(command): \(outcome)")
            #expect(outcome.complaint() == "\(database.path): \(DamageTests.emptyBodies)")
        }
        let said =
            "\(database.path): documents with damaged bodies are treated as empty in the "
            + "condition, so nothing was changed; list them with kvtool verify"
        for (command, rest) in [
            (["rm"], ["--yes"]), (["purge"], ["--yes"]), (["rm"], ["--dry-run"]),
            (["mv"], ["archive", "--create"]), (["expire", "set"], ["--in", "7d"]),
            (["edit"], ["--with", "true"]),
        ] {
            let outcome = try Kvtool.run(
                command + [database.path, "--where", "age > 0"] + rest)
            #expect(outcome.refusal(status: 5) == said, "\(command)")
        }
        #expect(try database.contents == before)
        // A lookup by id reads no other body.
        let one = "META().id = 'person-0001'"
        #expect(try database.run("cat", "--raw", "--where", one).success().lines.count == 1)
    }

    @Test("with a damaged body allows commands that do not need bodies")
    func withoutBody() throws {
        try damageBody()
        for command in ["ls", "lscoll", "info"] { try database.run(command).success() }
        let list = try database.run("ls", "--body")
        #expect(list.status == 5)
        #expect(list.lines.count == 6)
        let verify = try database.run("verify")
        #expect(verify.status == 5)
        #expect(verify.lines.contains { $0.hasPrefix("error: _default, \"person-0002\": ") })
        // A dump contains its bytes unchanged.
        let dump = try database.dump()
        try database.load(dump).success()
        #expect(
            try DumpedTables.rows(of: database.directory("new.cblite2"))
                == DumpedTables.rows(of: database.path))
    }

    @Test(
        "may be a dump, for which import refers to load",
        arguments: ["people.dump", "people.tar"])
    func dump(_ name: String) throws {
        let dump = try database.dump(name)
        let target = database.directory("new.cblite2")
        for file in [dump, "-"] {
            let outcome = try Kvtool.run(
                ["import", target, file], stdin: SampleDatabase.bytes(dump))
            let shown = file == "-" ? "standard input" : file
            #expect(
                outcome.refusal(status: 2)
                    == "\(shown) is a dump; use kvtool load to create a database from it")
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }
}
