import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool reindex")
struct ReindexTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 30)
        try database.run("mkindex", "byAge", "age").success()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        try database.run("mkindex", "byStreet", "contact.address.street", "--fts").success()
    }

    @Test("rebuilds all indexes, or the named ones")
    func rebuilding() throws {
        let all = try database.run("reindex", "--csv").success().lines
        #expect(all[0].hasPrefix("name,collection,kind,action,seconds"))
        #expect(
            all.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false)[0] }
                == ["(all of SQLite's own)", "byAge", "byLikes", "byStreet"])
        let some = try database.run("reindex", "byStreet").success().lines
        #expect(some.count == 2)
        #expect(some[1].hasPrefix("byStreet  _default    full-text  rebuilt"))
        #expect(
            try database.run("reindex", "none").refusal(status: 3)
                .contains("there is no index \"none\""))
    }

    @Test(
        "fixes an index whose rows are lost", .enabled(if: SQLiteShell.isPresent),
        arguments: ["byLikes", nil])
    func fixing(_ name: String?) throws {
        let index = try WrongIndex(in: database)
        try Kvtool.run(["reindex", database.path] + [name].compactMap(\.self)).success()
        #expect(try index.isRight)
    }

    @Test(
        "reports how to rebuild an index that is missing in SQLite",
        .enabled(if: SQLiteShell.isPresent))
    func missing() throws {
        try database.rows("DROP INDEX byAge")
        #expect(
            try database.run("reindex", "byAge").refusal(status: 5)
                == "\(database.path): the index byAge is missing in the file; kvtool verify --fix "
                + "rebuilds it")
        try database.run("verify", "--fix", "--yes").success()
        try database.run("reindex", "byAge").success()
    }

    @Test(
        "skips indexes that it cannot rebuild, reports them, and ends with status 7",
        .enabled(if: SQLiteShell.isPresent))
    func foreign() throws {
        try database.rows(
            """
            INSERT INTO indexes (name, type, keyStore, expression, indexTableName)
            VALUES ('byMeaning', 4, 'default', '[[".v"]]', 'kv_default:vector:by\\Meaning')
            """)
        let outcome = try database.run("reindex", "byMeaning", "byAge")
        #expect(outcome.status == 7)
        #expect(outcome.complaint().contains("byMeaning"))
        #expect(outcome.stdout.contains("skipped") && outcome.stdout.contains("rebuilt"))
    }
}
