import EngineTestSupport
import StoreTestSupport
import Testing
@testable import QueryEngine

/// The naive evaluator and SQLite's JSON functions check each other.
///
/// `STORE_SEED` is the seed, `STORE_QUERIES` the number of random queries.
@Suite struct QueryModelTests {
    @Test("The evaluator and plain SQL over JSON give the same rows of our own queries")
    func queriesOfOurOwn() throws {
        let check = try QueryCheck(seed: 1)
        for entry in try ModelQueries.entries() {
            let problems = check.problems(try Query(entry.text), entry.parameters)
            #expect(problems.isEmpty, "\(entry.section): \(entry.text)\n\(problems.joined())")
        }
        #expect(check.tally.asked >= 300)
        #expect(check.tally.unsupported.isEmpty)
        #expect(check.tally.overJSON >= 380, "\(check.tally)")
    }

    @Test("The evaluator and plain SQL over JSON give the same rows of random queries")
    func randomQueries() throws {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        let count = TestEnvironment.number("STORE_QUERIES", or: 200)
        let check = try QueryCheck(seed: seed)
        var random = RandomQueries(seed: seed)
        for index in 0..<count {
            let query = Query(random.next())
            let problems = check.problems(query, random.parameters)
            #expect(
                problems.isEmpty,
                """
                seed \(seed), query \(index): \(query.sqlPlusPlus)
                parameters \(random.parameters)
                \(problems.joined(separator: "\n"))
                """)
        }
        #expect(check.tally.overJSON > count / 2, "\(check.tally)")
        #expect(check.tally.unsupported.isEmpty)
    }

    @Test("A statement of each form reads back from its text in SQL++ and in JSON")
    func texts() throws {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        var random = RandomQueries(seed: seed)
        for index in 0..<TestEnvironment.number("STORE_QUERIES", or: 200) {
            let query = Query(random.next())
            #expect(
                try Query(query.sqlPlusPlus).statement == query.statement,
                "seed \(seed), query \(index): \(query.sqlPlusPlus)")
            #expect(
                try Query(json: query.json).statement == query.statement,
                "seed \(seed), query \(index): \(query.json)")
        }
    }

    @Test("A row that is wrong, missing, too many or in the wrong place is found")
    func comparison() throws {
        let rows: [[ModelValue]] = [[.integer(1)], [.integer(2)], [.real(3)], [.boolean(true)]]
        let expected = ModelResult(columns: ["a"], rows: rows, ties: [0, 1, 1, 3])
        let comparison = QueryComparison(expected, ModelNotes())
        #expect(comparison.difference(to: rows) == nil)
        #expect(comparison.difference(to: [rows[0], [.integer(3)], rows[1], rows[3]]) == nil)
        #expect(comparison.difference(to: [rows[1], rows[0], rows[2], rows[3]]) != nil)
        #expect(comparison.difference(to: Array(rows[..<3])) != nil)
        #expect(comparison.difference(to: rows + [rows[0]]) != nil)
        #expect(comparison.difference(to: [rows[0], rows[1], rows[1], rows[3]]) != nil)
        #expect(comparison.difference(to: rows[..<3] + [[.integer(1)]]) != nil)
        #expect(comparison.difference(to: rows[..<3] + [[.null]]) != nil)
    }
}
