import EngineTestSupport
import QueryEngine
import StoreTestSupport
import Testing

/// The engine, without indexes and with those of every kind, gives the rows of the naive evaluator.
///
/// `STORE_SEED` is the seed, `STORE_QUERIES` the number of random queries.
@Suite struct QueryEngineTests {
    private func check(seed: UInt64) throws -> QueryCheck {
        let check = try QueryCheck(seed: seed)
        let indexed = try ModelStore(check.documents)
        try indexed.createIndexes()
        check.stores = [
            ("without indexes", try ModelStore(check.documents)), ("with indexes", indexed),
        ]
        return check
    }

    @Test("Our own queries have the same rows in the engine, with and without indexes")
    func queriesOfOurOwn() throws {
        let check = try check(seed: 1)
        for entry in try ModelQueries.entries() {
            let problems = check.problems(try Query(entry.text), entry.parameters)
            #expect(
                problems.isEmpty,
                "\(entry.section): \(entry.text)\n\(problems.joined(separator: "\n"))")
        }
        #expect(check.tally.compared >= 300, "\(check.tally)")
    }

    @Test("Random queries have the same rows in the engine, with and without indexes")
    func randomQueries() throws {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        let count = TestEnvironment.number("STORE_QUERIES", or: 200)
        let check = try check(seed: seed)
        var random = RandomQueries(seed: seed)
        for index in 0..<count {
            let query = try Query(Query(random.next()).sqlPlusPlus)
            let problems = check.problems(query, random.parameters)
            #expect(
                problems.isEmpty,
                """
                seed \(seed), query \(index): \(query.sqlPlusPlus)
                parameters \(random.parameters)
                \(problems.joined(separator: "\n"))
                """)
        }
        #expect(check.tally.compared > count * 4 / 5, "\(check.tally)")
    }
}
