import DocumentStore
import Foundation
import SampleData
import StoreTestSupport
import Testing

import OONIStore

/// `STORE_HISTORIES` is how many histories are run, `STORE_SEED` the first one's seed.
@Suite("The store beside plain arrays", .timeLimit(.minutes(60)))
struct ModelTests {
    private struct TakenBack: Error {}

    static let histories = TestEnvironment.number("STORE_HISTORIES", or: 12)
    static let firstSeed = TestEnvironment.number("STORE_SEED", or: 20_260_311)

    @Test("every query returns what a scan of everything returns, whatever was done before")
    func histories() throws {
        print("ModelTests: \(Self.histories) histories from STORE_SEED=\(Self.firstSeed)")
        for seed in Self.firstSeed..<Self.firstSeed + Self.histories {
            let (differences, operations) = try Self.run(seed: UInt64(seed))
            guard !differences.isEmpty else { continue }
            Issue.record(
                """
                STORE_SEED=\(seed) STORE_HISTORIES=1
                \(differences.prefix(3).joined(separator: "\n"))
                after \(operations.count) operations, the last ones of them:
                \(operations.suffix(60).joined(separator: "\n"))
                """)
            return
        }
    }

    /// About 150 operations in transactions of up to four, by two handles of one file.
    private static func run(
        seed: UInt64
    ) throws -> (differences: [String], operations: [String]) {
        let directory = try TemporaryDirectory()
        let path = directory("probe.cblite2")
        var options = DataFileOptions(access: .create)
        // What expires goes when the history says so.
        options.maintenance = false
        let handles = try (0..<2).map { _ in try OONIStore(path: path, options: options) }
        defer { for handle in handles { handle.file.close() } }
        var history = OONIHistory(seed: seed)
        var (operations, differences): ([String], [String]) = ([], [])
        for step in 0..<60 where differences.isEmpty {
            let store = handles[history.generator.below(2)]
            let before = history.model
            let isTakenBack = history.generator.below(10) == 0
            do {
                try store.write { transaction in
                    for _ in 0..<1 + history.generator.below(4) {
                        let operation = history.operation()
                        operations.append("\(isTakenBack ? "taken back: " : "")\(operation)")
                        let right = operation.run(&history.model)
                        let real = try operation.run(store, transaction)
                        if real != right {
                            differences.append("answer:\n  store \(real)\n  right \(right)")
                        }
                    }
                    if isTakenBack { throw TakenBack() }
                }
            } catch is TakenBack {
                history.model = before
            }
            guard step % 6 == 5 || differences.count > 0 else { continue }
            differences += try compare(handles[history.generator.below(2)], &history)
        }
        return (differences, operations)
    }

    private static func compare(
        _ store: OONIStore, _ history: inout OONIHistory
    ) throws -> [String] {
        let filters = [.all] + (0..<4).map { _ in history.filter() }
        let limit = 1 + history.generator.below(6)
        return try store.read { snapshot in
            var comparison = NaiveComparison(store: store, model: history.model, snapshot: snapshot)
            try comparison.compare(filters, limit: limit)
            return comparison.differences
        }
    }
}
