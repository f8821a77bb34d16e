import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import SampleData
import StoreTestSupport
import Testing

/// Two files of the same documents, one with indexes.
private struct TwinFiles {
    let plain: QueryFixture
    let indexed: QueryFixture

    init(_ statements: inout RandomTypedStatements) throws {
        let documents = statements.documents(24)
        plain = try QueryFixture(documents)
        indexed = try QueryFixture(documents)
        for number in 0..<5 {
            let spec = statements.index("i\(number)")
            // SQLite does not take each.
            try? indexed.createIndex(spec)
        }
    }

    /// The values of parameters; only those that the statement uses are passed.
    func difference(_ text: String) throws -> String? {
        let query = try Query(text)
        let parameters = RandomTypedStatements.parameters.named(in: text)
        let expected = plain.answer(query, parameters)
        let found = indexed.answer(query, parameters)
        if expected == found { return nil }
        let sql = try? indexed.file.read { try indexed.prepared(query, parameters, in: $0) }
        let indexes = try indexed.file.read { snapshot in
            try snapshot.indexes().map { "\($0.name) \($0.expressions?.text ?? "")" }
        }
        return """
            \(text)
              without indexes: \(expected.prefix(12))
              with indexes:    \(found.prefix(12))
              \(sql ?? "no SQL")
              \(indexes)
            """
    }
}

extension QueryParameters {
    fileprivate func named(in text: String) -> QueryParameters {
        var named = QueryParameters()
        for name in ["Boolean", "large", "text", "list"] where text.contains("$" + name) {
            named[name] = self[name]
        }
        return named
    }
}

extension QueryFixture {
    /// The rows of a question, or all documents as a change leaves them, in a fixed order; of an
    /// error that it is one. Nothing stays changed.
    fileprivate func answer(_ query: Query, _ parameters: QueryParameters) -> [String] {
        do {
            guard query.isChange else {
                return try file.read {
                    try query.rows(in: $0, parameters).all().map(Self.text).sorted()
                }
            }
            var left: [String] = []
            try? file.write { transaction in
                let count = try query.run(in: transaction, parameters)
                let all = try Query("SELECT META().id, * FROM _").rows(in: transaction).all()
                left = ["\(count)"] + all.map(Self.text).sorted()
                throw Mishap()
            }
            return left
        } catch {
            return ["an error"]
        }
    }

    fileprivate func prepared(
        _ query: Query, _ parameters: QueryParameters, in snapshot: Snapshot
    ) throws -> String {
        guard !query.isChange else { return "a change" }
        return try query.explain(in: snapshot, parameters).sql
    }

    /// The values with their types; a whole number is the same as an integer and otherwise.
    private static func text(_ row: ResultRow) -> String {
        (0..<row.count).map { text(row[$0]) }.joined(separator: " | ")
    }

    private static func text(_ value: QueryValue) -> String {
        switch value {
        case .missing: "MISSING"
        case .real(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .data(let bytes): "data \([UInt8](bytes))"
        default: (try? value.json()) ?? "no JSON"
        }
    }
}

/// `STORE_SEED` is the seed, `STORE_QUERIES` the number of random statements.
@Suite("Results with and without indexes", .timeLimit(.minutes(60)))
struct IndexIndependenceTests {
    @Test("are the same for queries and changes, whatever the types of the values")
    func randomStatements() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 7)
        let count = TestEnvironment.number("STORE_QUERIES", or: 600)
        print("IndexIndependenceTests: \(count) statements from STORE_SEED=\(seed)")
        var done = 0
        var problems: [String] = []
        var round = 0
        while done < count, problems.count < 8 {
            round += 1
            var statements = RandomTypedStatements(seed: UInt64(seed &* 1_000_003 &+ round))
            let files = try TwinFiles(&statements)
            for _ in 0..<min(100, count - done) {
                let text =
                    statements.random.below(5) == 0 ? statements.change() : statements.question()
                if let difference = try files.difference(text) {
                    problems.append("seed \(seed), file \(round): " + difference)
                }
                done += 1
            }
        }
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
