import DocumentStore
import StoreTestSupport
import Synchronization
import Testing

/// One history writes while readers read: a test for the thread sanitizer.
@Suite("Readers concurrent with a writer")
struct SnapshotTests {
    /// A tenth of the histories, starting at `STORE_SEED`: many at once slow each other down.
    static var seeds: ClosedRange<UInt64> {
        let first = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        return
            first...(first + UInt64(max(TestEnvironment.number("STORE_HISTORIES", or: 50) / 10, 1))
            - 1)
    }

    @Test(
        "see whole transactions only, and an unchanging state",
        arguments: Self.seeds)
    func readers(seed: UInt64) async throws {
        var configuration = HistoryConfiguration()
        configuration.operations = TestEnvironment.number("STORE_HISTORY_OPERATIONS", or: 1000)
        // The readers keep the file open.
        configuration.reopenPercent = 0
        let driver = try DataFileDriver(configuration, DataFileOptions(access: .create))
        let file = driver.file
        let isFinished = Flag()
        try await file.write { try Self.fleeting.create(in: $0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for reader in 0..<3 {
                group.addTask {
                    var passes = 0
                    repeat {
                        try await file.read { try Self.look($0, order: reader) }
                        passes += 1
                    } while !isFinished.isSet
                    return passes
                }
            }
            group.addTask {
                for await changes in try file.changes(of: KeyStore(.default)) {
                    #expect(!changes.changes.isEmpty || !changes.isComplete)
                }
                return 1
            }
            group.addTask { try await Self.writeFleeting(file, until: isFinished) }
            defer {
                isFinished.set()
                file.close()
            }
            try Self.write(seed, configuration, driver)
            isFinished.set()
            for _ in 0..<4 { #expect(try await group.next() ?? 0 > 0) }
        }
    }

    /// A flag that is set once, by another thread.
    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    private static let fleeting = KeyStore(KeyStoreName(".fleeting"))

    /// Writes records that expire at once, and observes that each is purged in the background.
    private static func writeFleeting(_ file: DataFile, until isFinished: Flag) async throws -> Int
    {
        var written = 0
        var expired: Set<String> = []
        var events = try await observe(file).makeAsyncIterator()
        repeat {
            for _ in 0..<20 {
                let key = "fleeting-\(written)"
                try await file.write { transaction in
                    _ = try fleeting.put(
                        RecordUpdate(key, body: [1], expecting: .absent), in: transaction)
                    try fleeting.setExpiration(0, of: key, in: transaction)
                }
                written += 1
            }
            while expired.count < written, let event = await events.next() {
                for change in event.changes where change.kind == .expired {
                    expired.insert(change.key)
                }
            }
            #expect(expired.count == written)
        } while !isFinished.isSet
        #expect(try await file.read { try fleeting.count(in: $0) } == (0, 0))
        return written
    }

    private static func observe(_ file: DataFile) async throws -> KeyStoreChangeStream {
        try await withCheckedThrowingContinuation { continuation in
            continuation.resume(with: Result { try file.changes(of: fleeting) })
        }
    }

    /// A separate function, since the blocking calls are not available in asynchronous code.
    private static func write(
        _ seed: UInt64, _ configuration: HistoryConfiguration, _ driver: DataFileDriver
    ) throws {
        let test = HistoryTest(configuration)
        try test.run(test.history(seed: seed), on: driver)
    }

    /// Checks that the counts of a snapshot are consistent during concurrent writes.
    private static func look(_ snapshot: Snapshot, order: Int) throws {
        for name in [KeyStoreName("default"), KeyStoreName(".people")] {
            let store = KeyStore(name)
            let count = try store.count(in: snapshot)
            var options = RecordEnumerator.Options()
            options.order = [.key, .sequence, .unsorted][order]
            options.includesDeleted = true
            var live = 0
            var deleted = 0
            var sequences: Set<Int64> = []
            let last = try store.lastSequence(in: snapshot)
            try store.records(options, in: snapshot).forEachRow { row in
                if row.flags.contains(.deleted) { deleted += 1 } else { live += 1 }
                #expect(row.sequence > 0 && row.sequence <= last)
                #expect(sequences.insert(row.sequence).inserted)
                return true
            }
            #expect(live == count.live && deleted == count.deleted)
        }
    }
}
