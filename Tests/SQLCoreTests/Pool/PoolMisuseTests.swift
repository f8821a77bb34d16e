import Foundation
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import SQLCore

@Suite("SQLPool: misuse and failures")
struct PoolMisuseTests {
    let directory: TemporaryDirectory
    let pool: SQLPool

    init() throws {
        directory = try TemporaryDirectory()
        pool = try SQLPool(path: directory("pool.db"))
        try pool.write { try $0.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)") }
    }

    private func count() throws -> Int64? {
        try pool.read { try $0.selectValue(sql: "SELECT count(*) FROM t")?.longValue }
    }

    /// Retains objects that must not be used outside a call.
    private final class Leak: @unchecked Sendable {
        var statement: SQLStatement?
        var context: SQLContext?
    }

    @Test("a statement that stays active does not keep the connection on an old snapshot")
    func cachedStatement() throws {
        let leak = Leak()
        for _ in 0..<5 {
            try pool.read { reader in
                let statement = try reader.prepare(sql: "SELECT a FROM t")
                _ = try statement.next()
                leak.statement = statement
            }
        }
        try pool.write { try $0.exec(sql: "DELETE FROM t") }
        #expect(try count() == 0)
        try pool.write { writer in
            let statement = try writer.prepare(sql: "SELECT a FROM t UNION SELECT 1")
            _ = try statement.next()
            leak.statement = statement
            try writer.exec(sql: "INSERT INTO t VALUES (3)")
        }
        #expect(try count() == 1)
    }

    @Test("a transaction on a context that has left its call does not affect a write")
    func keptContext() throws {
        let leak = Leak()
        try pool.write { leak.context = $0 }
        try leak.context?.exec(sql: "BEGIN")
        let error = #expect(throws: SQLError.self) {
            try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (3)") }
        }
        #expect(error?.code == .misuse)
        try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (4)") }
        #expect(try count() == 3)
    }

    @Test("a connection that a call closes is replaced", arguments: [false, true])
    func closedInside(isWriter: Bool) throws {
        let close = { (context: SQLContext) throws -> Void in try context.close() }
        #expect(throws: SQLError.self) {
            if isWriter { try pool.write(close) } else { try pool.read(close) }
        }
        try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (3)") }
        for _ in 0..<8 { #expect(try count() == 3) }
    }

    @Test("a deferred error is not thrown to the next caller")
    func waitingError() throws {
        _ = try? pool.withWriter { writer in
            try writer.exec(sql: "PRAGMA query_only = 1")
            writer.userVersion = 3
            _ = writer.connection.run("PRAGMA query_only = 0")
        }
        #expect(throws: Never.self) {
            try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (3)") }
        }
    }

    @Test("reading from an in-memory database cannot write either")
    func inMemory() throws {
        let pool = try SQLPool(path: nil as String?)
        try pool.write { try $0.exec(sql: "CREATE TABLE t (a)") }
        #expect(throws: SQLError.self) {
            try pool.read { try $0.exec(sql: "INSERT INTO t VALUES (1)") }
        }
        try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (2)") }
        let rows = try pool.read { try $0.selectAll(sql: "SELECT a FROM t") }
        #expect(rows == [[.long(2)]])
    }

    @Test("a wait for another connection's lock ends when the task is cancelled")
    func cancelledLock() async throws {
        let other = try SQLContext(path: directory("pool.db"))
        try other.exec(sql: "BEGIN IMMEDIATE")
        var options = SQLPool.Options()
        options.busyTimeoutMilliseconds = 7_200_000
        let pool = try SQLPool(path: directory("pool.db"), options: options)
        let begin = ContinuousClock.now
        let task = Task { try await pool.write { try $0.exec(sql: "DELETE FROM t") } }
        while pool.writers.idleCount > 0 { await Task.yield() }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(ContinuousClock.now - begin < .seconds(3600), "the time to wait is 7200 seconds")
        try other.exec(sql: "ROLLBACK")
        try await pool.write { try $0.exec(sql: "DELETE FROM t") }
    }

    @Test("a lock that is held too long is an error after the timeout")
    func timeout() throws {
        var options = SQLPool.Options()
        options.busyTimeoutMilliseconds = 30
        let pool = try SQLPool(path: directory("pool.db"), options: options)
        let other = try SQLContext(path: directory("pool.db"))
        try other.exec(sql: "BEGIN IMMEDIATE")
        let error = #expect(throws: SQLError.self) { try pool.write { _ in } }
        #expect(error.map { SQLResultCode.busy ~= $0.code } == true)
        try other.exec(sql: "ROLLBACK")
        #expect(throws: Never.self) { try pool.write { _ in } }
    }

    @Test("many short statements end when their task is cancelled")
    func shortStatements() async throws {
        let started = DispatchSemaphore(value: 0)
        let pool = pool
        for body: @Sendable (SQLContext) throws -> Void in [
            { while true { try $0.exec(sql: "SELECT 1") } },
            { while true { _ = try $0.selectValue(sql: "SELECT 1") } },
            { context in
                let statement = try context.prepare(sql: "SELECT ?")
                while true { try statement.update(parameters: [.long(1)]) }
            },
        ] {
            let task = Task {
                try await pool.write { writer in
                    started.signal()
                    try body(writer)
                }
            }
            // On a thread, since this task continues only when the others release a thread.
            DispatchQueue.global().async {
                started.wait()
                task.cancel()
            }
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(try await pool.read { try $0.selectAll(sql: "SELECT a FROM t") }.count == 2)
    }

    @Test("tasks that block their threads do not stop the call that has the connection")
    func blockedThreads() async throws {
        for path in [nil, directory("blocked.db")] { try await block(SQLPool(path: path)) }
    }

    private func block(_ pool: SQLPool) async throws {
        try await pool.write { try $0.exec(sql: "CREATE TABLE t (a)") }
        let count = ProcessInfo.processInfo.activeProcessorCount * 2
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await pool.write { context in
                    // On the connection's queue, while the others enter the wait queue.
                    while pool.writers.waitingCount < 1 { pause(milliseconds: 1) }
                    try context.exec(sql: "INSERT INTO t VALUES (0)")
                }
            }
            // If it were not the first, no call would follow it.
            while pool.writers.idleCount > 0 { await Task.yield() }
            for number in 1...count {
                group.addTask {
                    // Blocks one of the threads that tasks run on.
                    try blockingWrite(pool, number)
                    _ = try await pool.read { try $0.selectValue(sql: "SELECT count(*) FROM t") }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await pool.read { try $0.selectAll(sql: "SELECT a FROM t") }
        #expect(rows.count == count + 1)
    }

    @Test("a waiter for a connection that cannot be opened is served when it can")
    func failedOpening() async throws {
        let path = directory("pool.db")
        let opener = FailingOnce()
        let line = ConnectionPool(limit: 1) {
            try opener.enter()
            return try PooledContext(SQLContext(path: path), busyTimeout: 0)
        }
        let first = Task { try await line.withPooledConnection { _ in 1 } }
        while opener.count == 0 { await Task.yield() }
        // Both are in the wait queue while the first connection is opened.
        let second = Task { try await line.withPooledConnection { _ in 2 } }
        let third = Task { try await line.withPooledConnection { _ in 3 } }
        while line.waitingCount < 2 { await Task.yield() }
        opener.goOn()
        second.cancel()
        let results = (await first.result, await second.result, await third.result)
        #expect(throws: FailingOnce.Failure.self) { try results.0.get() }
        // It was served, or cancelled earlier.
        if case .success(let number) = results.1 { #expect(number == 2) }
        #expect(try results.2.get() == 3)
        #expect(line.waitingCount == 0)
    }
}

/// Fails the first time, when it is permitted to continue.
private final class FailingOnce: Sendable {
    struct Failure: Error {}

    private let entries = Locked(0)
    private let mayGoOn = DispatchSemaphore(value: 0)

    var count: Int { entries.withLock { $0 } }

    func enter() throws {
        let entry = entries.withLock {
            $0 += 1
            return $0
        }
        guard entry == 1 else { return }
        mayGoOn.wait()
        throw Failure()
    }

    func goOn() { mayGoOn.signal() }
}

/// The synchronous form, which an async context does not select by default.
private func blockingWrite(_ pool: SQLPool, _ number: Int) throws {
    try pool.write { try $0.exec(sql: "INSERT INTO t VALUES (\(number))") }
}
