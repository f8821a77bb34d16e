import StoreTestSupport
import Testing

@testable import DataFileCore

/// The naive evaluator and SQLite's JSON functions check each other.
@Suite struct QueryModelTests {
    /// What became of many queries.
    struct Tally {
        var compared = 0
        var ordered = 0
        var undetermined = 0
        var failed = 0
        var notExpressible: [String: Int] = [:]
    }

    @Test("The evaluator and plain SQL over JSON give the same rows of random queries")
    func evaluatorAndJSON() throws {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        let count = TestEnvironment.number("STORE_QUERIES", or: 400)
        let documents = ModelDocuments.make(seed: seed)
        let json = try JSONModel(documents)
        var random = RandomQueries(seed: seed)
        var tally = Tally()
        for index in 0..<count {
            let statement = random.next()
            try check(statement, random.parameters, documents, json, &tally, "\(seed), \(index)")
        }
        #expect(tally.compared > count / 2, "\(tally)")
        #expect(tally.failed < count / 20, "\(tally)")
    }

    private func check(
        _ statement: QueryStatement, _ parameters: [String: ModelValue],
        _ documents: [String: [ModelDocument]], _ json: JSONModel, _ tally: inout Tally,
        _ place: String
    ) throws {
        let evaluator = QueryEvaluator(documents: documents, parameters: parameters)
        let sql: String
        let expected: ModelResult
        do {
            sql = try JSONQueryWriter.sql(statement, parameters)
            expected = try evaluator.rows(of: statement)
        } catch let error as JSONModel.NotExpressible {
            tally.notExpressible[error.description, default: 0] += 1
            return
        } catch let error as ModelError {
            tally.failed += 1
            guard case .failure = error else { return }
            Issue.record("\(error) of \(statement) (seed \(place))")
            return
        }
        let notes = evaluator.notes
        guard !notes.isUndetermined, !notes.hasReadBytes else { return tally.undetermined += 1 }
        guard !notes.hasOrderedCollections else { return tally.ordered += 1 }
        tally.compared += 1
        var comparison = QueryComparison(expected, notes)
        comparison.isOverJSON = true
        let rows = try json.rows(sql)
        if let difference = comparison.difference(to: rows) {
            let shown = rows.prefix(12).map { "    \($0)" }.joined(separator: "\n")
            Issue.record(
                """
                \(difference) (seed \(place))
                \(statement)
                \(sql)
                evaluator:
                \(expected.summary)
                JSON:
                \(shown)
                """)
        }
    }
}
