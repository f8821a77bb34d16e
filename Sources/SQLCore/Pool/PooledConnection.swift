internal import CSQLite
internal import Dispatch
public import StorePlatform

/// A connection that a `ConnectionPool` lends, with everything that belongs to it.
@usableFromInline
package protocol PooledConnection: AnyObject, Sendable {
    /// The open database.
    var pooled: PooledContext { get }

    /// Finalizes all statements, because the connection is about to be closed.
    func releaseStatements()
}

extension PooledConnection {
    /// Releases its statements and closes the connection.
    func close() {
        releaseStatements()
        try? pooled.context.close()
    }
}

/// The context of a pooled connection, whose calls can be cancelled.
@usableFromInline
package final class PooledContext: PooledConnection, @unchecked Sendable {
    // Unchecked: a ConnectionPool lends a connection to one caller at a time, under a lock.

    package let context: SQLContext
    /// The queue on which the calls of tasks run.
    let queue = DispatchQueue(label: "SQLPool")
    /// The thread that used it last with a synchronous call; guarded by the pool's lock.
    @usableFromInline var lastThread: ThreadID?
    /// Whether the connection can be reused. It cannot if a call has closed it, or has left open a
    /// transaction that cannot be rolled back.
    @usableFromInline private(set) var isUsable = true

    /// The number of the running call; 0 for none.
    private let call = Locked<UInt64>(0)
    /// Checked by SQLite's progress handler and before each statement, since SQLite ignores an
    /// interrupt between two statements.
    private let cancellation = CancellationFlag()
    private var busyTimeout: Int

    /// The number of operations of SQLite's virtual machine between two checks: some microseconds.
    private static let operationsBetweenLooks: Int32 = 1000

    /// Wraps a connection, and sets its progress and busy handlers.
    ///
    /// - Parameter busyTimeout: How long to wait for locks, in milliseconds.
    package init(_ context: SQLContext, busyTimeout: Int) throws {
        self.context = context
        self.busyTimeout = busyTimeout
        let handle = try context.connection.requireHandle()
        let own = Unmanaged.passUnretained(self).toOpaque()
        context.connection.cancellation = cancellation
        sqlite3_progress_handler(handle, Self.operationsBetweenLooks, Self.look, own)
        sqlite3_busy_handler(handle, Self.wait, own)
    }

    deinit {
        if let handle = context.connection.handle {
            sqlite3_progress_handler(handle, 0, nil, nil)
            sqlite3_busy_handler(handle, nil, nil)
        }
    }

    private static var look: @convention(c) (UnsafeMutableRawPointer?) -> Int32 {
        { pointer in
            guard let pointer else { return 0 }
            return Unmanaged<PooledContext>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                pooled in
                if pooled.cancellation.isSet { return 1 }
                let connection = pooled.context.connection
                // Cancellation of a part of the call must not roll back the rest of it, so a
                // writing statement is not interrupted.
                if let part = connection.cancellation, part.isSet, !connection.hasWritingStatement {
                    return 1
                }
                guard let tick = connection.progress else { return 0 }
                return tick(Int(PooledContext.operationsBetweenLooks)) ? 0 : 1
            }
        }
    }

    /// Waits for the lock of another connection; SQLite's own busy handler cannot be interrupted.
    private static var wait: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 {
        { pointer, times in
            guard let pointer else { return 0 }
            return Unmanaged<PooledContext>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.continuesWaiting(after: Int(times)) ? 1 : 0
            }
        }
    }

    /// Waits 1 ms, 2 ms, … up to 10 ms, then 10 ms each time.
    private func continuesWaiting(after times: Int) -> Bool {
        let waited = times <= 10 ? times * (times + 1) / 2 : 55 + (times - 10) * 10
        guard !cancellation.isSet, waited < busyTimeout else { return false }
        pause(milliseconds: min(times + 1, 10))
        return true
    }

    /// Runs `body` with a shorter timeout for the locks of other connections.
    package func waiting<T>(atMost milliseconds: Int, _ body: () throws -> T) rethrows -> T {
        let before = busyTimeout
        busyTimeout = min(before, milliseconds)
        defer { busyTimeout = before }
        return try body()
    }

    @usableFromInline
    package var pooled: PooledContext { self }

    @usableFromInline
    package func releaseStatements() {}

    /// Starts a call that can be cancelled.
    func begin(_ number: UInt64) {
        call.withLock { $0 = number }
    }

    /// Ends the call: cancelling it has no effect afterwards.
    @usableFromInline
    func end() {
        call.withLock {
            $0 = 0
            cancellation.set(false)
        }
    }

    /// Cancels a call, unless it has ended.
    func cancel(_ number: UInt64) {
        call.withLock {
            guard $0 == number else { return }
            cancellation.set(true)
            context.interrupt()
        }
    }

    /// Throws `.interrupted` if the call was cancelled.
    package func requireNotCancelled() throws { try cancellation.check() }

    /// Runs `body` in a transaction, which is rolled back if the call is cancelled before its end.
    func transaction<T>(
        _ mode: SQLContext.TransactionMode, _ body: (SQLContext) throws -> T
    ) throws -> T {
        guard !context.isInTransaction else {
            throw SQLError(code: .misuse, message: "a transaction is open already")
        }
        return try context.transaction(mode) {
            let result = try body(context)
            try requireNotCancelled()
            return result
        }
    }

    /// Runs `body` in a read transaction on a writable connection with `query_only` on.
    func readingTransaction<T>(_ body: (SQLContext) throws -> T) throws -> T {
        context.connection.run("PRAGMA query_only = 1")
        defer { context.connection.run("PRAGMA query_only = 0") }
        return try transaction(.deferred, body)
    }

    /// Runs `body`, which uses the connection; then resets statements and rolls back a transaction
    /// that it has left open.
    @inlinable @inline(__always)
    func perform<T>(_ body: () throws -> T) throws -> T {
        do {
            let result = try body()
            cleanUp()
            return result
        } catch {
            cleanUp()
            throw error is SQLError && isCancelled ? CancellationError() : error
        }
    }

    @usableFromInline
    var isCancelled: Bool { cancellation.isSet }

    @usableFromInline
    func cleanUp() {
        let connection = context.connection
        connection.resetStatements()
        connection.rollback()
        connection.deferredError = nil
        isUsable = !context.isClosed && !connection.isInTransaction
    }
}
