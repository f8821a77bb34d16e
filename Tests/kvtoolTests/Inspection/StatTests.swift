import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool stat", .enabled(if: SQLiteShell.isPresent))
struct StatTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 40)
        let long = String(repeating: "x", count: 20_000)
        try database.run("put", "large", #"{"text":"\#(long)"}"#).success()
        try database.run("rm", "person-0002").success()
        try database.run("mkindex", "byAge", "age").success()
    }

    @Test("prints all sizes as JSON, equal to those of SQLite's own tool")
    func json() throws {
        let answer = try database.run("stat", "--json", "--largest", "2").success().answer()
        #expect(answer["schema"] as? String == "kvtool.stat/2")
        let pages = try database.rows("PRAGMA page_count")
        #expect(pages == ["\(answer["pages"] ?? "")"])
        #expect(answer["bytes"] as? Int == (answer["pages"] as? Int ?? 0) * 4096)
        let store = try #require(
            answer.list("stores").first { $0["store"] as? String == "_default" })
        #expect(store["documents"] as? Int == 40)
        #expect(store["deleted"] as? Int == 1)
        #expect(
            try database.rows(
                "SELECT (SELECT sum(length(body)) FROM kv_default) + "
                    + "(SELECT ifnull(sum(length(body)), 0) FROM kv_del_default)")
                == ["\(store["bodyBytes"] ?? "")"])
        #expect(answer.list("trees").contains { $0["name"] as? String == "byAge" })
        let collection = try #require(answer.list("collections").first)
        #expect(collection.list("largest").count == 2)
        #expect(collection.list("largest").first?["id"] as? String == "large")
        #expect(
            collection.list("histogram").reduce(0) { $0 + ($1["documents"] as? Int ?? 0) } == 41)
        let text = try #require(
            collection.list("properties").first { $0["name"] as? String == "text" })
        #expect(text["documents"] as? Int == 1)
        #expect((text["bytes"] as? Int ?? 0) >= 20_000)
    }

    @Test("prints the same as text, under both names, and tables and indexes as CSV")
    func text() throws {
        let text = try database.run("stat").success().stdout
        #expect(text.hasPrefix("Database:    \(database.path)\n"))
        #expect(text.contains("\nBodies in _default\n"))
        #expect(text.contains("\nLargest documents"))
        #expect(try database.run("du").success().stdout == text)
        let lines = try database.run("stat", "--csv").success().lines
        #expect(lines[0].hasPrefix("name,table,type,pages,bytes,unusedBytes"))
        #expect(lines.contains { $0.hasPrefix("byAge,kv_default,index,") })
        #expect(try database.run("stat", "--largest", "-1").status == 2)
        #expect(try database.run("stat", "--sample", "-1").status == 2)
        func sampled(_ most: String) throws -> Int? {
            let answer = try database.run("stat", "--sample", most, "--json").success().answer()
            return answer.list("collections").first?["sampled"] as? Int
        }
        // 0 selects all documents, as in schema and keys.
        #expect(try sampled("0") == 40)
        #expect(try (sampled("10") ?? 40) < 40)
    }

    @Test(
        "works on databases of all versions, and does not change them",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"), arguments: GoldenTests.names
    )
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let before = try golden.contents
        try golden.run("stat").success()
        #expect(!(try golden.run("stat", "--json").success().answer().list("stores").isEmpty))
        #expect(try golden.contents == before)
    }
}
