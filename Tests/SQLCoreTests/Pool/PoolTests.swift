import Foundation
import SQLCore
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("SQLPool")
struct PoolTests {
    let directory: TemporaryDirectory
    let pool: SQLPool

    init() throws {
        directory = try TemporaryDirectory()
        pool = try SQLPool(path: directory("pool.db"))
        try pool.write { try $0.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)") }
    }

    private static let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    private func count(_ context: SQLContext) throws -> Int64? {
        try context.selectValue(sql: "SELECT count(*) FROM t")?.longValue
    }

    /// Blocks the thread, even in an async test.
    private func currentCount() throws -> Int64? { try pool.read { try count($0) } }

    @Test("readers see a writer's changes after the commit")
    func snapshot() throws {
        try pool.write { writer in
            try writer.exec(sql: "INSERT INTO t VALUES (1, 'x')")
            #expect(try currentCount() == 0)
        }
        #expect(try currentCount() == 1)
    }

    @Test("a reader sees a consistent snapshot while others write")
    func oneState() async throws {
        let counts = try await pool.read { [pool] reader in
            let before = try reader.selectValue(sql: "SELECT count(*) FROM t")
            try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (2, NULL)") }
            return [before, try reader.selectValue(sql: "SELECT count(*) FROM t")]
        }
        #expect(counts == [.long(0), .long(0)])
        #expect(
            try await pool.read { try $0.selectValue(sql: "SELECT count(*) FROM t") } == .long(1))
    }

    @Test("a write that throws is rolled back, and readers cannot write")
    func failures() async throws {
        struct Mishap: Error {}
        await #expect(throws: Mishap.self) {
            try await pool.write {
                try $0.exec(sql: "INSERT INTO t VALUES (3, NULL)")
                throw Mishap()
            }
        }
        #expect(try currentCount() == 0)
        let error = await #expect(throws: SQLError.self) {
            try await pool.read { try $0.exec(sql: "INSERT INTO t VALUES (3, NULL)") }
        }
        #expect(error?.code == .readOnly)
    }

    @Test("a long statement ends soon after its task is cancelled")
    func cancellation() async throws {
        let started = DispatchSemaphore(value: 0)
        let task = Task { [pool] in
            try await pool.read { reader in
                started.signal()
                return try reader.selectValue(sql: Self.endless)
            }
        }
        // On a thread, since this task continues only when the others release a thread.
        DispatchQueue.global().async {
            started.wait()
            task.cancel()
        }
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        // The connection is usable and is lent to other callers.
        for _ in 0..<8 { #expect(try currentCount() == 0) }
    }

    @Test("a write whose task is cancelled between statements is rolled back")
    func cancelledBetweenStatements() async throws {
        let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task { [pool] in
            try await pool.write { writer in
                try writer.exec(sql: "INSERT INTO t VALUES (9, NULL)")
                started.signal()
                goOn.wait()
            }
        }
        await wait(for: started)
        task.cancel()
        goOn.signal()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try currentCount() == 0)
    }

    @Test("a task that is cancelled in the wait queue leaves it")
    func cancelledInLine() async throws {
        let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Task { [pool] in
            try await pool.write { _ in
                started.signal()
                goOn.wait()
            }
        }
        await wait(for: started)
        let waiting = Task { [pool] in
            try await pool.write { try $0.exec(sql: "INSERT INTO t VALUES (1, NULL)") }
        }
        waiting.cancel()
        let result = await waiting.result
        #expect(throws: CancellationError.self) { try result.get() }
        goOn.signal()
        try await holder.value
        try await pool.write { try $0.exec(sql: "INSERT INTO t VALUES (1, NULL)") }
        #expect(try currentCount() == 1)
    }

    @Test("a call within another one of its kind is an error, not a deadlock")
    func nested() throws {
        for call in [
            { (pool: SQLPool) in try pool.write { _ in try pool.write { _ in } } },
            { pool in try pool.read { _ in try pool.read { _ in } } },
        ] {
            let error = #expect(throws: SQLError.self) { try call(pool) }
            #expect(
                error?.message
                    == "the pool is called within a call of the same pool; use the context of "
                    + "the outer call")
        }
    }

    @Test("a task that is started within a call runs after it")
    func taskFromInside() async throws {
        let task = try await pool.write { [pool] writer in
            try writer.exec(sql: "INSERT INTO t VALUES (1, NULL)")
            return Task {
                try await pool.write { try $0.exec(sql: "INSERT INTO t VALUES (2, NULL)") }
            }
        }
        try await task.value
        #expect(try currentCount() == 2)
    }

    @Test("a blocking call within a call of a task is an error, too")
    func blockingInsideTask() async throws {
        let pool = pool
        let error = await #expect(throws: SQLError.self) {
            try await pool.write { _ in try Self.blockingWrite(pool) }
        }
        #expect(error?.code == .misuse)
    }

    private static func blockingWrite(_ pool: SQLPool) throws { try pool.write { _ in } }

    @Test("more readers than connections wait in the queue")
    func turns() async throws {
        var options = SQLPool.Options()
        options.readers = 2
        let pool = try SQLPool(path: directory("pool.db"), options: options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let gauge = Gauge()
            for _ in 0..<40 {
                group.addTask {
                    try await pool.read { reader in
                        gauge.enter()
                        defer { gauge.leave() }
                        _ = try reader.selectAll(sql: "SELECT * FROM t")
                    }
                }
            }
            try await group.waitForAll()
            #expect((1...2).contains(gauge.most))
        }
    }

    @Test("a thread gets the connection that it used last")
    func sameConnection() throws {
        let hasOther = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let thread = Thread { [pool] in
            _ = try? pool.read { _ in
                hasOther.signal()
                mayEnd.wait()
            }
            hasEnded.signal()
        }
        let own = try pool.read { reader in
            thread.start()
            hasOther.wait()
            return ObjectIdentifier(reader)
        }
        // The other connection is released after it.
        mayEnd.signal()
        hasEnded.wait()
        #expect(try pool.read { ObjectIdentifier($0) } == own)
    }

    @Test("a closed pool is an error, and connections in use are closed on their release")
    func closing() async throws {
        try await pool.write { [pool] writer in
            pool.close()
            try writer.exec(sql: "INSERT INTO t VALUES (1, NULL)")
        }
        #expect(throws: SQLError.self) { try currentCount() }
        await #expect(throws: SQLError.self) { try await pool.write { _ in } }
        // Closing the last connection removes the WAL.
        #expect(!FileManager.default.fileExists(atPath: directory("pool.db-wal")))
        let file = try SQLContext(path: directory("pool.db"), flags: .readOnly)
        #expect(try count(file) == 1)
    }

    @Test("an in-memory database has one connection for all")
    func inMemory() async throws {
        let pool = try SQLPool(path: nil as String?)
        try await pool.write { try $0.exec(sql: "CREATE TABLE m (a); INSERT INTO m VALUES (1)") }
        #expect(try await pool.read { try $0.selectValue(sql: "SELECT a FROM m") } == .long(1))
    }

    @Test("what a call leaves open is closed before the next call")
    func leftOpen() throws {
        try pool.withWriter { try $0.exec(sql: "BEGIN; INSERT INTO t VALUES (1, NULL)") }
        #expect(try pool.write { try count($0) } == 0)
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}

/// The maximum number of concurrent calls.
private final class Gauge: Sendable {
    private let counts = Locked((now: 0, most: 0))

    func enter() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }

    var most: Int { counts.withLock { $0.most } }
}
