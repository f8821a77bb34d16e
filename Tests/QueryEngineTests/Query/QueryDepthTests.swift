import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("The depth of a query")
struct QueryDepthTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture([("a", #"{"n":1,"s":"x"}"#)])
    }

    @Test("chains of operators are as long as the language allows", arguments: [30, 89, 150, 490])
    func chains(count: Int) throws {
        let fixture = try fixture()
        let sums = (0..<count).map { $0 % 2 == 0 ? "+ n" : "- n" }.joined(separator: " ")
        #expect(try fixture.rows("SELECT 0 \(sums) AS v FROM _") == ["{\"v\":\(count % 2)}"])
        func chain(_ term: String, _ known: String) -> String {
            Array(repeating: term, count: count).joined(separator: " \(known) ")
        }
        #expect(try fixture.rows("SELECT n FROM _ WHERE \(chain("n = 1", "AND"))").count == 1)
        #expect(try fixture.rows("SELECT n FROM _ WHERE \(chain("n = 2", "OR"))").isEmpty)
        #expect(try fixture.rows("SELECT \(chain("n", "+")) AS v FROM _") == ["{\"v\":\(count)}"])
        #expect(
            try fixture.rows("SELECT length(\(chain("s", "||"))) AS v FROM _")
                == ["{\"v\":\(count)}"])
    }

    @Test("long chains over groups and indexes, and nested subqueries, are fast")
    func seconds() throws {
        let fixture = try fixture()
        try fixture.createIndex(.value("byN", on: "n"))
        let seconds = try processorSeconds { try runLong(fixture) }
        print("long chains and queries in queries: \(seconds) s")
        // A translation that doubled with each level would take years.
        #expect(seconds < 60)
    }

    private func runLong(_ fixture: QueryFixture) throws {
        let chain = (0..<400).map { "n = \($0)" }.joined(separator: " OR ")
        #expect(try fixture.rows("SELECT n FROM _ GROUP BY n HAVING \(chain)").count == 1)
        #expect(try fixture.rows("SELECT n FROM _ WHERE \(chain)").count == 1)
        for count in [16, 40] {
            let sums = String(repeating: "1 + (SELECT ", count: count)
            let end = String(repeating: " FROM _ LIMIT 1)", count: count)
            _ = try? fixture.rows("SELECT \(sums)n\(end) AS r FROM _")
            let extremes = String(repeating: "(SELECT MAX(", count: count)
            let from = String(repeating: ") FROM _)", count: count)
            _ = try? fixture.rows("SELECT \(extremes)n\(from) AS r FROM _ GROUP BY n")
        }
    }

    @Test("a query that is nested too deeply for SQLite's parser is an error")
    func nests() throws {
        let fixture = try fixture()
        func nest(_ start: String, _ middle: String, _ end: String, _ count: Int) -> String {
            String(repeating: start, count: count) + middle + String(repeating: end, count: count)
        }
        let nests: [(String, String, String)] = [
            ("NOT ", "n = 1", ""), ("CASE WHEN n = 1 THEN ", "1", " END"), ("[", "1", "]"),
            ("abs(", "n", ")"), ("1 - (", "n", ")"), ("{'a': ", "n", "}"),
            ("(SELECT ", "n", " AS n FROM _)"), ("n IN (SELECT n FROM _ WHERE ", "n = 1", ")"),
        ]
        for (start, middle, end) in nests {
            for count in [5, 60, 150] {
                do {
                    let text = "SELECT \(nest(start, middle, end, count)) AS v FROM _"
                    #expect(try fixture.rows(text).count == 1)
                } catch let error as StoreError where error.has(.invalidQuery) {
                    #expect(count > 5)
                    let words = ["nested too deeply", "inside of"]
                    #expect(words.contains { "\(error)".contains($0) }, "\(error)")
                }
            }
        }
    }
}
