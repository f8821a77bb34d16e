import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool recover")
struct RecoverTests {
    private let database: SampleDatabase
    private let target: String

    init() throws {
        database = try SampleDatabase(people: 20)
        target = database.directory("saved.cblite2")
    }

    @Test("recovers everything of an undamaged database, with status 0, and rebuilds its indexes")
    func whole() throws {
        try database.run("rm", "person-0002").success()
        try database.run("mkindex", "byAge", "age", "--where", "age > 3").success()
        try database.run("mkindex", "byStreet", "contact.address.street", "--fts", "--language=en")
            .success()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let before = try database.contents
        let lines = try database.run("recover", target).success().lines
        #expect(lines[0].hasPrefix("Store     "))
        #expect(lines.contains { $0.hasSuffix("; no record was lost") })
        #expect(lines.last == "Rebuilt indexes: byAge, byLikes, byStreet")
        let indexes = try database.run("index ls", "--csv").success().lines
        #expect(try Kvtool.run(["index", "ls", target, "--csv"]).success().lines == indexes)
        try Kvtool.run(["verify", target]).success()
        #expect(try database.contents == before)
        #expect(try Kvtool.run(["export", target]).success().lines == database.exported())
    }

    @Test(
        "reports the losses, with status 7, and recovers the rest",
        .enabled(if: SQLiteShell.isPresent))
    func partly() throws {
        try database.rows("UPDATE kv_default SET body=x'6000' WHERE key='person-0003'")
        let outcome = try database.run("recover", target, "--json")
        #expect(outcome.status == 7)
        #expect(outcome.stderr == "")
        let report = try #require(
            JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        #expect(report["schema"] as? String == "kvtool.recover/1")
        #expect(report["source"] as? String == database.path)
        #expect(report["target"] as? String == target)
        #expect(report["lost"] as? Int == 1)
        let loss = try #require((report["losses"] as? [[String: Any]])?.first)
        #expect(loss["store"] as? String == "_default")
        #expect(loss["id"] as? String == "person-0003")
        #expect(loss["reason"] is String)
        let stores = try #require(report["stores"] as? [[String: Any]])
        let store = try #require(stores.first { $0["store"] as? String == "_default" })
        #expect(store["documents"] as? Int == 19)
        #expect(store["lost"] as? Int == 1)
        #expect(try Kvtool.run(["export", target]).success().lines.count == 19)
    }

    @Test("does not claim that no record was lost of a truncated file, with status 7")
    func cutOff() throws {
        let large = try SampleDatabase(people: 500)
        let bytes = try large.bytes
        let pages = bytes.count / 4096
        try large.write(bytes.prefix(pages / 2 * 4096))
        let outcome = try large.run("recover", large.directory("saved.cblite2"))
        #expect(outcome.status == 7 && outcome.stderr == "")
        #expect(!outcome.stdout.contains("no record was lost"))
        #expect(
            outcome.lines.contains("Pages missing from the end of the file: \(pages - pages / 2)"))
    }

    @Test("recovers nothing of an empty file, with status 5")
    func empty() throws {
        try database.write(Data())
        let outcome = try database.run("recover", target)
        #expect(outcome.status == 5 && outcome.stderr == "")
        #expect(outcome.lines.contains("Recovered 0 records into \(target); 1 lost"))
        #expect(outcome.lines.contains("  the file has no complete page"))
    }

    @Test("overwrites nothing, and needs a database")
    func refusals() throws {
        let other = try database.newFile("there.cblite2", Data("mine".utf8))
        let hint = "already exists; specify another path for the new database"
        #expect(try database.run("recover", other).refusal(status: 6) == "\(other) \(hint)")
        let before = try database.contents
        #expect(
            try database.run("recover", database.path).refusal(status: 6)
                == "\(database.path) \(hint)")
        try Kvtool.run(["cp", database.path, database.path]).refusal(status: 6)
        #expect(try database.contents == before)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
        try Kvtool.run(["recover", "/nowhere/a.cblite2", target]).refusal(status: 3)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(
        "is refused while another process writes", .enabled(if: SQLiteShell.isPresent))
    func busy() throws {
        let other = try OtherProcess(database.file, "BEGIN IMMEDIATE")
        defer { other.finish() }
        try database.run("recover", target).refusal(status: 4)
        #expect(!FileManager.default.fileExists(atPath: target))
    }
}
