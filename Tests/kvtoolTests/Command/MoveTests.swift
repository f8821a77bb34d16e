import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool mv")
struct MoveTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: ["a1", "a2", "b"].map { #"{"_id":"\#($0)","n":1}"# })
        try database.run("mkcoll", "hr.staff").success()
    }

    private func ids(_ collection: String) throws -> [String] {
        let text = try database.run("ls", "-0", "--collection", collection).success().stdout
        return text.split(separator: "\0").map(String.init)
    }

    @Test("moves documents that are named or match, with revision and expiration")
    func moves() throws {
        try database.run("expire set", "a1", "--at", "2099-01-01").success()
        let before = try database.run("ls", "a1", "--csv", "--columns", "revision,expiration")
            .success().stdout
        #expect(
            try database.run("mv", "a*", "b", "hr.staff").success().stdout == """
                Moved "a1" to hr.staff
                Moved "a2" to hr.staff
                Moved "b" to hr.staff

                """)
        #expect(try ids("_default") == [])
        #expect(try ids("hr.staff") == ["a1", "a2", "b"])
        let after = try Kvtool.run([
            "ls", "\(database.path)//hr.staff", "a1", "--csv", "--columns", "revision,expiration",
        ])
        #expect(after.success().stdout == before)
    }

    @Test("an existing document in the target is a conflict (6), and nothing is moved")
    func conflict() throws {
        try Kvtool.run(["put", "\(database.path)//hr.staff/a2", "{}"]).success()
        let message = try database.run("mv", "a1", "a2", "hr.staff").refusal(status: 6)
        #expect(message.contains("hr.staff has a document or tombstone \"a2\""))
        #expect(try ids("_default") == ["a1", "a2", "b"])
        #expect(try ids("hr.staff") == ["a2"])
    }

    @Test("missing documents end with 7 if others are moved, otherwise with 3")
    func missing() throws {
        let outcome = try database.run("mv", "a1", "nope", "a1", "hr.staff")
        #expect(outcome.status == 7)
        #expect(outcome.stdout == "Moved \"a1\" to hr.staff\n")
        #expect(
            outcome.complaint()
                == "\(database.path): document \"nope\" is not in the collection _default")
        #expect(
            try database.run("mv", "a2", "nope").refusal(status: 3)
                == "\(database.path) has no collection nope; --create creates it")
        #expect(
            try database.run("mv", "x*", "hr.staff").refusal(status: 3)
                == "\(database.path): no document of the collection _default matches \"x*\"")
    }

    @Test("a database is named once in a message, also by a relative path")
    func relativePath() throws {
        func inDirectory(_ arguments: String) throws -> String {
            let script = #"cd "$1" && "$KVTOOL" \#(arguments)"#
            return try Kvtool.shell(script, [database.directory.path]).refusal(status: 3)
        }
        #expect(
            try inDirectory("mv people.cblite2 a2 nope")
                == "people.cblite2 has no collection nope; --create creates it")
        let complaint = try inDirectory("diff people.cblite2 absent.cblite2")
        #expect(complaint.hasSuffix("/absent.cblite2 does not exist"))
        #expect(!complaint.contains("people.cblite2"))
    }

    @Test("--rename changes the ID, also in the same collection; --create creates the target")
    func rename() throws {
        #expect(
            try database.run("mv", "a1", "_", "--rename", "z 1").success().stdout
                == "Moved \"a1\" to _default as \"z 1\"\n")
        #expect(try ids("_default") == ["a2", "b", "z 1"])
        #expect(try database.run("cat", "z 1", "--raw").success().stdout.contains("\"n\":1"))
        let json = try database.run("mv", "b", "new", "--rename", "c", "--create", "--ndjson")
        #expect(
            json.success().stdout
                == #"{"id":"b","action":"moved","collection":"new","newID":"c","sequence":1}"#
                + "\n")
        #expect(try ids("new") == ["c"])
        try database.run("mv", "a2", "z 1", "hr.staff", "--rename", "x").refusal(status: 2)
    }

    @Test("--dry-run and invalid usage change nothing")
    func dryRun() throws {
        let before = try database.contents
        #expect(
            try database.run("mv", "--where", "n = 1", "hr.staff", "-n").success().lines.count == 3)
        #expect(try database.run("mv", "hr.staff").status == 2)
        #expect(try database.run("mv").status == 2)
        try database.run("mv", "a1", "_default").refusal(status: 2)
        #expect(try database.contents == before)
    }
}
