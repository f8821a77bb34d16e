import Foundation
import StoreTestSupport
import Testing

@Suite("Ids, files of ids and a condition together select the documents that are in each")
struct SelectionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(
            lines: [("a1", 1), ("a2", 2), ("a3", 1), ("b1", 1), ("b2", 2)].map {
                #"{"_id":"\#($0)","n":\#($1)}"#
            })
    }

    private var ids: [String] {
        get throws {
            try database.run("ls", "-0").success().stdout.split(separator: "\0").map(String.init)
        }
    }

    private func file(_ names: String...) throws -> String {
        try database.newFile("ids", Data(names.map { $0 + "\n" }.joined().utf8))
    }

    @Test("in rm and purge", arguments: ["rm", "purge"])
    func removing(_ command: String) throws {
        let none = try database.run(command, "a*", "--where", "n = 3", "--yes")
        #expect(none.status == 0 && none.stdout == "" && none.stderr == "(no documents)\n")
        try database.run(command, "a*", "--where", "n = 2", "--yes").success()
        #expect(try ids == ["a1", "a3", "b1", "b2"])
        try database.run(command, "a*", "--ids-from", file("b1", "a3"), "--yes").success()
        #expect(try ids == ["a1", "b1", "b2"])
        try database.run(
            command, "a1", "b1", "--ids-from", file("b?"), "--where", "n = 1", "--yes"
        ).success()
        #expect(try ids == ["a1", "b2"])
        let empty = try file()
        let nothing = try database.run(
            command, "*", "--ids-from", empty, "--where", "TRUE", "--yes")
        #expect(nothing.stderr == "(no documents)\n")
        #expect(try ids == ["a1", "b2"])
    }

    @Test("in cat, in the order of the ids")
    func reading() throws {
        func cat(_ arguments: String...) throws -> [String] {
            try Kvtool.run(["cat", database.path, "--raw"] + arguments).success().lines
                .map { String($0.dropFirst(8).prefix(2)) }
        }
        #expect(try cat("a*", "--where", "n = 1") == ["a1", "a3"])
        #expect(try cat("b1", "a3", "a2", "--where", "n = 1") == ["b1", "a3"])
        #expect(try cat("a*", "--ids-from", file("b1", "a2", "a1")) == ["a2", "a1"])
        #expect(try cat("a*", "*1", "--where", "n = 1") == ["a1", "a3", "b1"])
        #expect(try cat("*", "--where", "META(_).id = 'b2'") == ["b2"])
    }

    @Test("in mv, expire set, expire clear and edit")
    func changing() throws {
        func run(_ words: [String], _ rest: String...) throws -> [String] {
            let lines = try Kvtool.run(words + [database.path] + rest + ["--csv"]).success().lines
            return Array(lines.dropFirst())
        }
        let set = try run(["expire", "set"], "a*", "--where", "n = 1", "--at", "2100-01-01")
        #expect(set.count == 2 && set[0].contains(",a1,") && set[1].contains(",a3,"))
        #expect(try run(["expire", "clear"], "*1", "--where", "n = 2").isEmpty)
        #expect(try run(["expire", "ls"]).count == 2)
        let edited = try run(["edit"], "a*", "--where", "n = 2", "--with", "true")
        #expect(edited.map { $0.prefix(8) } == ["a2,none,"])
        let moved = try run(["mv"], "a*", "other", "--where", "n = 1", "--create")
        #expect(moved.map { $0.prefix(3) } == ["a1,", "a3,"])
        #expect(try ids == ["a2", "b1", "b2"])
    }

    @Test("in export, with --since as well")
    func exporting() throws {
        func export(_ arguments: String...) throws -> [String] {
            try Kvtool.run(["export", database.path] + arguments).success().lines
                .map { String($0.dropFirst(8).prefix(2)) }
        }
        #expect(try export("--id", "a*", "--where", "n = 1") == ["a1", "a3"])
        #expect(try export("--id", "a*", "--since", "1") == ["a2", "a3"])
        #expect(try export("--id", "*1", "--ids-from", file("a1", "b2")) == ["a1"])
        #expect(try export("--where", "n = 1", "--since", "3") == ["b1"])
        #expect(
            try export("--id", "a*", "--ids-from", file("a?"), "--where", "n = 1", "--since", "1")
                == ["a3"])
    }

    @Test("and an id that does not exist is missing, one that does not meet the condition is not")
    func missing() throws {
        let outcome = try database.run("cat", "a1", "a2", "nope", "--where", "n = 1", "--raw")
        #expect(outcome.status == 7 && outcome.lines.count == 1)
        #expect(outcome.complaint().contains("\"nope\""))
        let none = try database.run("cat", "a2", "--where", "n = 1")
        #expect(none.success().stdout == "")
        try database.run("cat", "x*", "--where", "n = 1").refusal(status: 3)
        let listed = try database.run("rm", "a1", "--ids-from", file("nope", "a1"))
        #expect(listed.success().lines.count == 1)
    }

    @Test(
        "and damage matters only if the others leave the document selected",
        .enabled(if: SQLiteShell.isPresent))
    func damage() throws {
        try database.rows("UPDATE kv_default SET body=x'8000' WHERE key='b1'")
        try database.run("rm", "a*", "--where", "n = 2", "--yes").success()
        #expect(try database.run("rm", "b*", "--where", "n = 2", "--yes").status == 5)
        #expect(try ids == ["a1", "a3", "b1", "b2"])
    }
}
