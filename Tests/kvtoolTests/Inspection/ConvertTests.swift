import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite(
    "kvtool convert", .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
    .enabled(if: SQLiteShell.isPresent))
struct ConvertTests {
    private func forms(_ database: SampleDatabase, _ to: String) throws -> [[String: Any]] {
        try database.run("convert", "--to", to, "--dry-run", "--json").success().answer()
            .list("collections")
    }

    @Test("counts with --dry-run, and changes nothing", arguments: GoldenTests.names)
    func dry(_ name: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        // Every document and tombstone has one of the formats.
        var counts: [String: Int] = [:]
        for collection in try forms(database, "vectors") {
            let forms = ["treesInBody", "trees", "vectors"].compactMap { collection[$0] as? Int }
            #expect(forms.count == 3)
            counts[try #require(collection["collection"] as? String)] = forms.reduce(0, +)
        }
        var expected: [String: Int] = [:]
        let collections = try database.run("lscoll", "--json").success().answer()
        for collection in collections.list("collections") {
            let records = ["documents", "deleted"].compactMap { collection[$0] as? Int }
            expected[try #require(collection["collection"] as? String)] = records.reduce(0, +)
        }
        #expect(counts == expected)
        #expect(counts.values.reduce(0, +) > 0)
        #expect(try database.contents == before)
    }

    @Test("converts trees to vectors; documents, sequences and expirations do not change")
    func vectors() throws {
        let database = try SampleDatabase(golden: "sample_revtree_503")
        let documents = try database.exported()
        let rows = "SELECT key, sequence, expiration FROM kv_default ORDER BY key"
        let before = try database.rows(rows)
        #expect(
            try database.run("convert", "--to", "vectors").refusal(status: 2)
                .contains("cannot be undone"))
        let outcome = try database.run("convert", "--to", "vectors", "--yes", "--json")
        let answer = try outcome.answer()
        let collection = try #require(answer.list("collections").first)
        let converted = try #require(collection["converted"] as? Int)
        let kept = try #require(collection["kept"] as? Int)
        #expect(converted > 0)
        #expect(outcome.status == (answer.list("kept").isEmpty ? 0 : 7))
        #expect(converted + kept == collection["trees"] as? Int)
        #expect(try database.exported() == documents)
        #expect(try database.rows(rows) == before)
        #expect(try forms(database, "vectors").first?["vectors"] as? Int == converted)
        #expect(try database.run("verify").status == 0)
        // No confirmation is needed if there is nothing to convert.
        guard kept == 0 else { return }
        let contents = try database.contents
        let again = try database.run("convert", "--to", "vectors")
        #expect(again.status == 0, "\(again)")
        #expect(again.complaint() == "note: there is nothing to convert to vectors")
        #expect(try database.contents == contents)
    }

    @Test("reports that a database with vectors needs no conversion")
    func nothing() throws {
        let database = try SampleDatabase(people: 2)
        let outcome = try database.run("convert", "--to", "vectors", "--csv")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.complaint() == "note: there is nothing to convert to vectors")
        #expect(outcome.lines.last == "_default,0,0,2,0,0")
    }

    @Test("converts a file of Couchbase Lite 2 to trees of 3, if it may be upgraded")
    func older() throws {
        let database = try SampleDatabase(golden: "upgrade_2.7")
        let documents = try database.exported()
        #expect(
            try database.run("convert", "--to", "trees", "--yes").refusal().contains("schema 302"))
        try database.run("convert", "--to", "trees", "--yes", "--upgrade").success()
        #expect(try database.exported() == documents)
        let collection = try #require(try forms(database, "trees").first)
        #expect(collection["treesInBody"] as? Int == 0)
        #expect((collection["trees"] as? Int ?? 0) > 0)
        #expect(try database.run("convert", "--to", "nothing").status == 2)
    }
}
