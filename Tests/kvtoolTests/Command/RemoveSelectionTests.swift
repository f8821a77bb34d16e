import Foundation
import StoreTestSupport
import Testing

@Suite("Selections of kvtool rm and purge")
struct RemoveSelectionTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(
            lines: ["a1", "a2", "b1", "b2", "c*"].enumerated().map {
                #"{"_id":"\#($1)","n":\#($0)}"#
            })
    }

    private var ids: [String] {
        get throws {
            try database.run("ls", "-0").success().stdout.split(separator: "\0").map(String.init)
        }
    }

    @Test(
        "by a pattern, an ID that looks like one, a condition, a file",
        arguments: ["rm", "purge"])
    func choices(_ command: String) throws {
        try database.run(command, "c*", "--yes").success()
        #expect(try ids == ["a1", "a2", "b1", "b2"])
        try database.run(command, "a?", "--yes").success()
        #expect(try ids == ["b1", "b2"])
        try database.run(command, "--where", "n = 2", "--yes").success()
        #expect(try ids == ["b2"])
        let file = try database.newFile("ids", Data("b2\n\n".utf8))
        try database.run(command, "--ids-from", file, "--yes").success()
        #expect(try ids.isEmpty)
        #expect(
            try database.run(command, "x*", "--yes").refusal(status: 3)
                == "\(database.path): no document of the collection _default matches \"x*\"")
        let none = try database.run(command, "--where", "n = 2", "--yes")
        #expect(none.status == 0 && none.stdout == "" && none.stderr == "(no documents)\n")
    }

    @Test("with any property in the condition, which is exactly one condition")
    func conditions() throws {
        let database = try SampleDatabase(lines: [
            #"{"_id":"a","d":1}"#, #"{"_id":"b","d":2}"#, #"{"_id":"*","d":3}"#,
        ])
        let listed = ["cat", database.path, "--raw", "--where"]
        #expect(
            try Kvtool.run(listed + ["d = 1 -- the first"]).success().lines
                == [#"{"_id":"a","d":1}"#])
        for bad in ["d = 1 LIMIT 1", "d = 1) OR (d = 2", ""] {
            try Kvtool.run(listed + [bad]).refusal()
        }
        try database.run("rm", #"\*"#).success()
        #expect(try database.exported() == [#"{"_id":"a","d":1}"#, #"{"_id":"b","d":2}"#])
        #expect(
            try database.run("watch", "--where", "d = 2", "--csv").success().lines.count == 2)
    }

    @Test("are only listed with --dry-run, which writes nothing", arguments: ["rm", "purge"])
    func dry(_ command: String) throws {
        let before = try database.contents
        let lines = try database.run(command, "a*", "b1", "--dry-run").success().lines
        let verb = command == "rm" ? "deleted" : "purged"
        #expect(lines == ["a1", "a2", "b1"].map { "Would have \(verb) \"\($0)\"" })
        #expect(try database.run(command, "nope", "a1", "a1", "-n").status == 7)
        #expect(try database.run(command, "a1", "a?", "a1", "-n").success().lines.count == 2)
        #expect(try database.contents == before)
    }

    @Test("are reported as JSON, each with the action")
    func json() throws {
        let deleted = try database.run("rm", "a1", "--json").success().answer()
        #expect(deleted["schema"] as? String == "kvtool.rm/1")
        let item = try #require(deleted.list("documents").first)
        #expect(item["id"] as? String == "a1" && item["action"] as? String == "deleted")
        #expect(item["revision"] is String && item["sequence"] as? Int == 6)
        let purged = try database.run("purge", "a1", "a2", "--yes", "--json").success().answer()
        #expect(purged["schema"] as? String == "kvtool.purge/1")
        #expect(
            purged.list("documents").map { $0["action"] as? String } == ["purged", "purged"])
        let dry = try database.run("rm", "b1", "-n", "--json").success().answer()
        #expect(dry.list("documents").first?["action"] as? String == "none")
        let missing = try database.run("rm", "nope", "--json")
        #expect(missing.status == 3)
        #expect(try missing.answer().list("documents").isEmpty)
        #expect(missing.stderr.contains(#""status":3"#))
    }

    @Test("from a file with Windows line endings, which must be UTF-8")
    func files() throws {
        let bad = try database.newFile("bad", Data([0x61, 0x31, 0x0A, 0x62, 0xFF, 0x0A]))
        #expect(
            try database.run("rm", "--ids-from", bad).refusal(status: 2)
                == "\(bad), line 2: the ID is not UTF-8")
        let file = try database.newFile("ids", Data("b2\r\n\r\nb1\r\n".utf8))
        try database.run("rm", "--ids-from", file).success()
        #expect(try ids == ["a1", "a2", "c*"])
    }

    @Test("are not removed with -n and -y in one argument")
    func joinedFlags() throws {
        let before = try database.contents
        #expect(
            try database.run("rm", "a*", "-ny").success().lines
                == [#"Would have deleted "a1""#, #"Would have deleted "a2""#])
        #expect(try database.contents == before)
    }

    @Test("are required, and applied to all documents or none")
    func wrong() throws {
        let before = try database.contents
        for command in ["rm", "purge"] {
            #expect(try database.run(command).status == 2)
            #expect(try database.run(command, "--where", "n =").status == 1)
            #expect(
                try database.run(command, "--ids-from", database.directory("absent")).status == 3)
        }
        #expect(try database.contents == before)
    }
}
