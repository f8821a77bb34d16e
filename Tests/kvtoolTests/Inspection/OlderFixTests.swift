import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("verify --fix of an older file", .enabled(if: SQLiteShell.isPresent))
struct OlderFixTests {
    @Test(
        "requires --upgrade",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"))
    func hint() throws {
        let database = try SampleDatabase(golden: "db_3_0_0_names_100_with_deleted")
        try database.rows("UPDATE kvmeta SET lastSeq = 1")
        let before = try database.rows("SELECT lastSeq FROM kvmeta; PRAGMA user_version")
        let refused = try database.run("verify", "--fix", "--yes")
        #expect(refused.status == 4)
        #expect(refused.complaint().hasSuffix("; use --upgrade to upgrade it first"), "\(refused)")
        #expect(try database.rows("SELECT lastSeq FROM kvmeta; PRAGMA user_version") == before)
        try database.run("verify", "--fix", "--yes", "--upgrade").success()
        #expect(try database.run("verify").success().stdout.hasPrefix("no errors; "))
    }
}
