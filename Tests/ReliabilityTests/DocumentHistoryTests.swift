import DocumentStore
import SampleData
import StoreTestSupport
import Testing

/// Random histories of documents against a model in memory.
///
/// `STORE_HISTORIES` is their number, `STORE_HISTORY_OPERATIONS` their length, `STORE_SEED` the
/// first seed.
@Suite("Documents equal their model", .timeLimit(.minutes(60)))
struct DocumentHistoryTests {
    /// How a file stores revisions.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case trees = "revision trees"
        case vectors = "version vectors"
        case upgraded = "revision trees, later version vectors"

        var testDescription: String { rawValue }
    }

    @Test("over random histories of all operations on them", arguments: Kind.allCases)
    func histories(_ kind: Kind) throws {
        let all = TestEnvironment.number("STORE_HISTORIES", or: 12)
        let operations = TestEnvironment.number("STORE_HISTORY_OPERATIONS", or: 150)
        let first = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        let count = (all + Kind.allCases.count - 1) / Kind.allCases.count
        var tally: [String: Int] = [:]
        for seed in first..<first + UInt64(count) {
            let history = try DocumentHistoryRun(
                seed: seed, kind == .vectors ? .versionVectors : .treesInExtra,
                hasIndexes: seed % 2 == 0)
            do {
                try history.run(
                    operations: operations,
                    upgradingBefore: kind == .upgraded ? operations / 2 : nil)
            } catch {
                Issue.record("STORE_SEED=\(seed), \(kind.rawValue): \(error)")
            }
            tally.merge(history.tally, uniquingKeysWith: +)
        }
        Figures.note(
            "documents, \(kind.rawValue): \(count) histories of \(operations) operations, from "
                + "STORE_SEED=\(first)")
        // Histories in which an outcome never occurs do not test it.
        for needed in [
            "save", "save mutable, fail: saved", "save mutable, fail: conflict",
            "save mutable, merge: saved", "save mutable, overwrite: saved", "save typed: saved",
            "save typed: conflict", "save typed: all", "delete", "undelete", "purge",
            "delete document, overwrite: saved", "delete document, fail: conflict",
            "insert: saved", "insert: known", "insert: conflict", "insert: refused", "resolve",
            "transaction", "savepoint", "undone", "reopen", "compact: blobs removed", "expire",
            "indexes compared",
        ] {
            #expect(tally[needed, default: 0] > 0, "\(needed) in \(tally)")
        }
    }
}
