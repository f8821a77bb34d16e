import Dispatch
import EngineTestSupport
import SQLCore
import SampleData
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Cancelled tasks", .timeLimit(.minutes(20)))
struct CancellationTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    // What has no end is cancelled from inside: a test that is to do it gets its turn when others
    // have had theirs, and a processor would be busy until then.
    private static let endless = """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    @Test("before they start: the closure is not run")
    func before() async throws {
        let task = Task { [file, store] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await file.write { _ = try store.set("a", in: $0) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let reading = Task { [file] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await file.read { _ in _ = Issue.record("it was run") }
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await file.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("while they wait in the queue: they leave it, and the others are served")
    func inLine() async throws {
        let isInside = Signal()
        let mayGoOn = DispatchSemaphore(value: 0)
        let working = Task { [file, store] in
            try await file.write { transaction in
                isInside.send()
                mayGoOn.wait()
                try store.set("first", in: transaction)
            }
        }
        await isInside.wait()
        let waiting = (0..<5).map { number in
            Task { [file, store] in
                try await file.write { _ = try store.set("\(number)", in: $0) }
            }
        }
        for number in [1, 3] {
            waiting[number].cancel()
            await #expect(throws: CancellationError.self) { try await waiting[number].value }
        }
        mayGoOn.signal()
        try await working.value
        for number in [0, 2, 4] { try await waiting[number].value }
        #expect(
            try fixture.rows("SELECT key FROM kv_default ORDER BY key") == ["0", "2", "4", "first"])
    }

    @Test("in a statement: it is interrupted, all is rolled back, the connection stays usable")
    func inStatement() async throws {
        for isWrite in [false, true] {
            let canceller = Canceller()
            let task = Task { [file, store] in
                let body = { @Sendable (snapshot: Snapshot) throws in
                    if let transaction = snapshot as? Transaction {
                        try store.set("lost", in: transaction)
                    }
                    DispatchQueue.global().async { canceller.cancel() }
                    try snapshot.connection().context.exec(sql: Self.endless)
                }
                if isWrite { try await file.write(body) } else { try await file.read(body) }
            }
            canceller.set { task.cancel() }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await file.write { _ = try store.set("kept", in: $0) }
        #expect(try fixture.liveRows() == ["kept|1|0|"])
    }

    @Test("between statements: a closure that only puts and gets does not continue forever")
    func betweenStatements() async throws {
        let canceller = Canceller()
        let task = Task { [file, store] in
            try await file.write { transaction in
                var number = 0
                while true {
                    number += 1
                    try store.set("k\(number % 100)", in: transaction)
                    if number == 10 { canceller.cancel() }
                }
            }
        }
        canceller.set { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await file.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("a closure that ignores its cancellation is not committed")
    func swallowed() async throws {
        let canceller = Canceller()
        let task = Task { [file, store] in
            try await file.write { transaction in
                try store.set("lost", in: transaction)
                DispatchQueue.global().async { canceller.cancel() }
                do { try transaction.connection().context.exec(sql: Self.endless) } catch {}
                do {
                    try transaction.savepoint { _ = try store.set("too", in: transaction) }
                } catch {}
            }
        }
        canceller.set { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await file.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("while they wait for the lock of another connection: at once, not after the timeout")
    func forLock() async throws {
        let holder = try fixture.sqlite()
        try holder.exec(sql: "BEGIN IMMEDIATE")
        let vfs = try HookVFS.registered()
        let other = try fixture.open(.readWrite) {
            $0.configuration = .custom(vfs: vfs.name)
            $0.busyTimeoutMilliseconds = 600_000
        }
        let task = Task { [store] in
            try await other.write { _ = try store.set("a", in: $0) }
        }
        while other.shared.writers?.idleCount == 1 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try holder.exec(sql: "COMMIT")
        try await other.write { _ = try store.set("b", in: $0) }
        #expect(try fixture.liveRows() == ["b|1|0|"])
    }

    @Test("in the commit: it is either committed or rolled back, and the result is right")
    func inCommit() async throws {
        let vfs = try HookVFS.registered()
        file.close()
        let file = try fixture.open { $0.configuration = .custom(vfs: vfs.name) }
        for round in 0..<20 {
            let canceller = Canceller()
            let counter = Locked(0)
            // At the first write to the WAL, or at a later one of the same commit.
            vfs.onCall { operation, kind in
                guard operation == .write, kind == .wal else { return nil }
                let count = counter.withLock { count in
                    count += 1
                    return count
                }
                if count > round % 5 { canceller.cancel() }
                return nil
            }
            let task = Task { [store] in
                try await file.write { _ = try store.set("k\(round)", in: $0) }
            }
            canceller.set { task.cancel() }
            var isSaved = true
            do { try await task.value } catch is CancellationError { isSaved = false }
            vfs.onCall(nil)
            let found = try await file.read { try store.get("k\(round)", in: $0) != nil }
            #expect(found == isSaved, "round \(round)")
        }
        try await file.write { _ = try store.set("last", in: $0) }
    }

    @Test("at any time: the results match the file, and observers are notified of all commits")
    func anywhere() async throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let stream = try file.changes(of: store)
        var expected: Set<String> = []
        for round in 0..<60 {
            let tasks = (0..<6).map { number in
                Task { [file, store] in
                    try await file.write { transaction in
                        for part in 0..<20 {
                            try store.set("\(round)-\(number)-\(part)", in: transaction)
                        }
                    }
                }
            }
            for _ in 0..<random.below(200) { await Task.yield() }
            for task in tasks where random.below(2) == 0 { task.cancel() }
            for (number, task) in tasks.enumerated() {
                do {
                    try await task.value
                    for part in 0..<20 { expected.insert("\(round)-\(number)-\(part)") }
                } catch is CancellationError {}
            }
        }
        try await file.write { _ = try store.set("last", in: $0) }
        expected.insert("last")
        #expect(Set(try await file.read { try store.keys(in: $0) }) == expected, "seed \(seed)")
        var told: Set<String> = []
        for await event in stream {
            told.formUnion(event.changes.map(\.key))
            if told.contains("last") { break }
        }
        #expect(told == expected, "seed \(seed)")
    }
}
