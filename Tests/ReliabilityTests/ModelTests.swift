import DocumentStore
import SQLPlus
import StoreTestSupport
import Testing

/// Random histories against a model in memory, with options that change SQLite's behavior.
///
/// `STORE_HISTORIES` is their number, `STORE_HISTORY_OPERATIONS` their length.
@Suite("The engine equals its model")
struct ModelTests {
    /// Options that must not change the results.
    struct Variant: CustomTestStringConvertible {
        let testDescription: String
        let options: DataFileOptions
        let isInMemory: Bool
        let indexes: DataFileDriver.Indexes

        init(
            _ name: String, inMemory isInMemory: Bool = false,
            indexes: DataFileDriver.Indexes = .none, _ change: (inout DataFileOptions) -> Void
        ) {
            testDescription = name
            self.isInMemory = isInMemory
            self.indexes = indexes
            var options = DataFileOptions(access: .create)
            change(&options)
            self.options = options
        }
    }

    static let variants = [
        Variant("default options") { _ in },
        Variant("small pages, no maintenance") {
            $0.pageSize = 512
            $0.maintenance = false
        },
        Variant("large pages, one reader") {
            $0.pageSize = 65_536
            $0.readers = 1
        },
        Variant("a cache of one page") { $0.cacheKilobytes = 1 },
        Variant("mapped into memory, synced") {
            $0.memoryMapBytes = 1 << 20
            $0.synchronous = .full
        },
        Variant("in memory", inMemory: true) { _ in },
        Variant("with all internal indexes from the start", indexes: .ownOnes) {
            $0.maintenance = false
        },
        Variant("with indexes of all kinds", indexes: .allKinds) { _ in },
        Variant("encrypted") { $0.encryption = EncryptionKey.random() },
        Variant("encrypted, a cache of one page") {
            $0.encryption = EncryptionKey.random()
            $0.cacheKilobytes = 1
            $0.pageSize = 1024
        },
    ]

    @Test("over random histories, in which the file is closed and opened", arguments: variants)
    func histories(_ variant: Variant) throws {
        var configuration = HistoryConfiguration()
        configuration.operations = TestEnvironment.number("STORE_HISTORY_OPERATIONS", or: 1000)
        configuration.rawStores = ["notes"]
        configuration.hasDocuments = variant.indexes == .allKinds
        let all = TestEnvironment.number("STORE_HISTORIES", or: 60)
        let count = (all + Self.variants.count - 1) / Self.variants.count
        let first = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        var tally = HistoryTally()
        var compared: [String: Int] = [:]
        var driver: DataFileDriver?
        for seed in first..<first + UInt64(count) {
            let result = try HistoryTest(configuration).run(seed: seed) {
                let new = try DataFileDriver(
                    configuration, variant.options, inMemory: variant.isInMemory,
                    indexes: variant.indexes)
                driver = new
                return new
            }
            compared.merge(driver?.compared ?? [:], uniquingKeysWith: +)
            tally.add(result)
        }
        Figures.note(
            "model, \(variant.testDescription): \(count) histories of "
                + "\(configuration.operations) operations, from STORE_SEED=\(first)")
        if variant.indexes == .allKinds {
            let kinds = [
                "elements", "predictions", "sizes", "strings", "values", "values of elements",
                "values of predictions", "vectors", "words",
            ]
            #expect(compared.filter { $0.value > 0 }.keys.sorted() == kinds)
            Figures.note("entries of indexes compared: \(compared.values.reduce(0, +))")
        }
        // Histories in which an outcome never occurs do not test it.
        for needed in [
            "save: saved", "save: conflict", "delete: saved",
            "save flags: saved with its sequence kept",
            "purge: changed", "purge expired: a number", "move: moved", "move: conflict",
            "get by sequence: found", "enumerate key: found", "enumerate sequence: found",
        ] {
            #expect(tally.counts[needed, default: 0] > 0, "\(needed) in \(tally.counts)")
        }
    }
}
