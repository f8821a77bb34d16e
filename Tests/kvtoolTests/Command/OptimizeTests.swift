import Foundation
import Testing

@Suite("kvtool optimize")
struct OptimizeTests {
    @Test(
        "updates the planner statistics, under both names",
        .enabled(if: SQLiteShell.isPresent))
    func figures() throws {
        let database = try SampleDatabase(people: 30)
        try database.run("mkindex", "byAge", "age").success()
        try database.rows("DROP TABLE IF EXISTS sqlite_stat1")
        #expect(
            try database.run("optimize").success().stdout
                .hasPrefix("Updated the planner statistics in "))
        #expect(
            try database.rows("SELECT count(*) FROM sqlite_stat1 WHERE idx='byAge'") == ["1"])
        let json = try database.run("analyze", "--thorough", "--json").success().standardOutput
        let answer = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(answer["schema"] as? String == "kvtool.optimize/1")
        #expect(answer["thorough"] as? Bool == true)
        #expect(answer["seconds"] is Double)
    }

    @Test("refuses a database that does not exist")
    func missing() throws {
        try Kvtool.run(["optimize", "/nowhere/a.cblite2"]).refusal(status: 3)
    }
}
