import EngineTestSupport
@testable import QueryEngine

/// Runs a query in several ways, and reports where the rows differ.
final class QueryCheck {
    /// What became of the queries.
    struct Tally {
        var asked = 0
        /// Compared with the evaluator.
        var compared = 0
        /// The evaluator and SQL over JSON.
        var overJSON = 0
        /// Some of the rows may be others, and still right.
        var undetermined = 0
        /// Both the evaluator and the engine report an error.
        var refused = 0
        /// The evaluator does not know something.
        var unsupported: [String: Int] = [:]
        var notExpressible: [String: Int] = [:]
        var empty = 0
    }

    let documents: [String: [ModelDocument]]
    let json: JSONModel
    /// Files of the same documents, with other indexes.
    var stores: [(name: String, store: ModelStore)] = []
    private(set) var tally = Tally()

    init(seed: UInt64) throws {
        documents = ModelDocuments.make(seed: seed)
        json = try JSONModel(documents)
    }

    /// What is wrong; empty if all agree.
    func problems(_ query: Query, _ parameters: [String: ModelValue]) -> [String] {
        tally.asked += 1
        let evaluator = QueryEvaluator(documents: documents, parameters: parameters)
        let expected: ModelResult
        do {
            expected = try evaluator.rows(of: query.statement)
        } catch let error as ModelError {
            if case .unsupported = error {
                tally.unsupported[error.description, default: 0] += 1
                return []
            }
            return refusal(query, parameters, error)
        } catch {
            return ["the evaluator: \(error)"]
        }
        let notes = evaluator.notes
        if notes.isUndetermined || notes.hasReadBytes {
            tally.undetermined += 1
            return ran(query, parameters)
        }
        if expected.kept.isEmpty { tally.empty += 1 }
        tally.compared += 1
        var problems: [String] = []
        if !notes.hasOrderedCollections {
            problems += overJSON(query, parameters, QueryComparison(expected, notes))
        }
        for (name, store) in stores(for: query) {
            problems += engine(name, store, query, parameters, QueryComparison(expected, notes))
        }
        return problems
    }

    /// Full-text search needs a file with indexes.
    private func stores(for query: Query) -> [(name: String, store: ModelStore)] {
        let needsWords = query.sqlPlusPlus.contains("MATCH(")
        return stores.filter { !needsWords || $0.store.hasIndexes }
    }

    private func overJSON(
        _ query: Query, _ parameters: [String: ModelValue], _ comparison: QueryComparison
    ) -> [String] {
        var comparison = comparison
        comparison.isOverJSON = true
        var sql = "no SQL"
        do {
            sql = try JSONQueryWriter.sql(query.statement, parameters)
            let rows = try json.rows(sql)
            tally.overJSON += 1
            guard let difference = comparison.difference(to: rows) else { return [] }
            return [
                "over JSON: \(difference)\n  \(sql)\n" + Self.shown(rows) + "\n  evaluator:\n"
                    + comparison.expected.summary
            ]
        } catch let error as JSONModel.NotExpressible {
            tally.notExpressible[error.description, default: 0] += 1
            return []
        } catch {
            return ["over JSON: \(error)\n  \(sql)"]
        }
    }

    private func engine(
        _ name: String, _ store: ModelStore, _ query: Query, _ parameters: [String: ModelValue],
        _ comparison: QueryComparison
    ) -> [String] {
        do {
            let rows = try store.rows(query, parameters)
            guard let difference = comparison.difference(to: rows) else { return [] }
            return [
                "\(name): \(difference)\n  \(store.sql(query))\n" + Self.shown(rows)
                    + "\n  evaluator:\n" + comparison.expected.summary
            ]
        } catch {
            return ["\(name): \(error)\n  \(store.sql(query))"]
        }
    }

    /// An error of the evaluator must be one of the engine.
    private func refusal(
        _ query: Query, _ parameters: [String: ModelValue], _ error: ModelError
    ) -> [String] {
        tally.refused += 1
        return stores(for: query).compactMap { name, store in
            guard (try? store.rows(query, parameters)) != nil else { return nil }
            return "\(name) has an answer, the evaluator an error: \(error)"
        }
    }

    /// Any rows, but no error.
    private func ran(_ query: Query, _ parameters: [String: ModelValue]) -> [String] {
        stores(for: query).compactMap { name, store in
            do {
                _ = try store.rows(query, parameters)
                return nil
            } catch {
                return "\(name): \(error)\n  \(store.sql(query))"
            }
        }
    }

    private static func shown(_ rows: [[ModelValue]]) -> String {
        rows.prefix(12).map { "    \($0)" }.joined(separator: "\n")
            + (rows.count > 12 ? "\n    … \(rows.count) rows" : "")
    }
}
