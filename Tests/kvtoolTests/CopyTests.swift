import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool cp and snapshot")
struct CopyTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 20)
    }

    @Test(
        "copies a database with UUIDs of its own, or as it is", .enabled(if: SQLiteShell.isPresent))
    func databases() throws {
        let sql = "SELECT hex(body) FROM kv_info WHERE key='privateUUID'"
        let own = try database.rows(sql)
        let (copy, backup) = (database.folder("copy.cblite2"), database.folder("b.cblite2"))
        let outcome = try Kvtool.run(["cp", database.path, copy]).success()
        #expect(outcome.stdout == "Copied \(database.path) to \(copy)\n")
        try database.run("snapshot", backup).success()
        #expect(try SQLiteShell.rows("\(copy)/db.sqlite3", sql) != own)
        #expect(try SQLiteShell.rows("\(backup)/db.sqlite3", sql) == own)
        for path in [copy, backup] {
            #expect(try Kvtool.run(["export", path]).success().lines == database.exported())
            try Kvtool.run(["cp", database.path, path]).refusal(status: 6)
        }
    }

    @Test("copies to files and back, and documents into a database that is there")
    func files() throws {
        let (json, target) = (database.folder("all.json"), database.folder("new.cblite2"))
        try Kvtool.run(["cp", database.path, json]).success()
        try Kvtool.run(["cp", json, target]).success()
        #expect(try Kvtool.run(["export", target]).success().lines == database.exported())
        let arguments = ["cp", database.path, target, "--existing", "--idprefix", "x-"]
        try Kvtool.run(arguments + ["--limit", "5"]).success()
        #expect(try Kvtool.run(["export", target]).success().lines.count == 25)
        try Kvtool.run(["cp", json, database.folder("none.cblite2"), "-x"]).refusal(status: 3)
    }

    @Test("documents go into a database that is there only with --existing")
    func withoutExisting() throws {
        let other = try SampleDatabase(people: 2)
        let before = try other.contents
        for option in ["--limit=3", "--idprefix=x-", "--collection=_default"] {
            #expect(
                try Kvtool.run(["cp", database.path, other.path, option]).refusal(status: 6)
                    == "\(other.path) exists already; --existing copies documents into it")
        }
        #expect(try other.contents == before)
    }

    @Test("a collection that is not there is the source's, and nothing is made")
    func noCollection() throws {
        let target = database.folder("new.cblite2")
        let complaint = try Kvtool.run(
            ["cp", database.path, target, "--collection", "nosuch"]
        ).refusal(status: 3)
        #expect(complaint.hasSuffix("people.cblite2: there is no collection nosuch"))
        #expect(!complaint.contains("new.cblite2"))
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("says that there is no replication")
    func replication() throws {
        let complaint = try database.run("push", "ws://localhost/db").refusal(status: 2)
        #expect(complaint.contains("no replication"))
    }
}
