import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool compact", .enabled(if: SQLiteShell.isPresent))
struct CompactTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 2000)
    }

    @Test("reclaims the space of purged documents, and prints the sizes before and after")
    func room() throws {
        try database.run("purge", "person-1*", "--yes").success()
        let size = try database.bytes.count
        let dry = try database.run("compact", "--dry-run", "--json").success().answer()
        #expect(dry["dryRun"] as? Bool == true)
        #expect(dry["after"] == nil)
        #expect((dry["freeBytes"] as? Int ?? 0) > 0)
        #expect(try database.bytes.count == size)
        let answer = try database.run("compact", "--json").success().answer()
        let before = try #require(answer["before"] as? [String: Any])
        let after = try #require(answer["after"] as? [String: Any])
        #expect(before["bytes"] as? Int == size)
        #expect(after["freePages"] as? Int == 0)
        #expect(try database.bytes.count == after["bytes"] as? Int)
        #expect(try database.bytes.count < size)
        #expect(try database.rows("PRAGMA freelist_count") == ["0"])
    }

    @Test("prints a table, and rewrites the whole file with --full")
    func full() throws {
        let before = try database.exported()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        let lines = try database.run("compact", "--full").success().lines
        #expect(lines[1].hasPrefix("Before"))
        #expect(lines[2].hasPrefix("After"))
        #expect(lines[3].contains(" reclaimed, 0 blobs removed"))
        #expect(try database.exported() == before)
        #expect(try database.run("verify").success().stdout.hasPrefix("no errors"))
    }

    @Test(
        "prunes revision trees with --prune, without changing documents and sequences",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func prune() throws {
        let database = try SampleDatabase(golden: "sample_revtree_503")
        func revisions(_ id: String) throws -> Int {
            try database.run("revs", id, "--json").success().answer().list("revisions").count
        }
        for number in 0..<5 { try database.run("put", "new", "{\"n\":\(number)}").success() }
        let rows = "SELECT key, sequence, expiration FROM kv_default ORDER BY key"
        let (documents, sequences) = (try database.exported(), try database.rows(rows))
        #expect(try revisions("new") == 5)
        let before = try database.contents
        let dry = try database.run("compact", "--prune", "2", "-n", "--json").success().answer()
        let removed = try #require(dry["prunedRevisions"] as? Int)
        #expect(removed >= 3)
        #expect(try database.contents == before)
        let done = try database.run("compact", "--prune", "2", "--yes", "--json").success().answer()
        #expect(done["prunedRevisions"] as? Int == removed)
        #expect(done["prunedDocuments"] as? Int == dry["prunedDocuments"] as? Int)
        #expect(try revisions("new") == 2)
        #expect(try database.exported() == documents)
        #expect(try database.rows(rows) == sequences)
        #expect(try database.run("verify").status == 0)
        #expect(
            try database.run("compact", "--prune", "2").success().stdout
                .contains(", 0 revisions of 0 documents removed\n"))
        #expect(try database.run("compact", "--prune", "0").status == 2)
    }

    @Test("removes tombstones with --purge-deleted, of one collection or of all")
    func tombstones() throws {
        try database.run("rm", "person-00*", "--yes").success()
        let count = try database.rows("SELECT count(*) FROM kv_del_default")
        let dry = try database.run("compact", "--purge-deleted", "-n", "--json").success().answer()
        #expect(["\(dry["tombstones"] ?? "")"] == count)
        let answer = try database.run("compact", "--purge-deleted", "--yes", "--json").success()
            .answer()
        #expect(["\(answer["tombstones"] ?? "")"] == count)
        #expect(try database.rows("SELECT count(*) FROM kv_del_default") == ["0"])
        #expect(try database.exported().count == 2000 - (Int(count[0]) ?? 0))
    }
}
