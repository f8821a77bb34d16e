internal import CSQLite
internal import Dispatch
internal import StorePlatform

/// A connection of a pool, with what is needed to end what it does.
package final class PooledConnection: @unchecked Sendable {
    // Unchecked: a ConnectionPool gives a member to one caller at a time, and hands it on under a lock.

    package let context: SQLContext
    /// What its user keeps with it.
    package var attachment: AnyObject?
    /// Where the calls of tasks run.
    let queue = DispatchQueue(label: "SQLPool")
    /// The thread that had it last, if that called for itself; guarded by the line's lock.
    var lastThread: ThreadID?
    /// Whether it is as it was when it was opened. It is not once a body has closed it, or has left
    /// it in a state out of which it cannot be brought.
    private(set) var isUsable = true

    /// The call that is running, by a number of its own; 0 for none.
    private let call = Locked<UInt64>(0)
    /// Looked at by SQLite every now and then, and before each statement: an interrupt that comes
    /// between two statements is forgotten by SQLite.
    private let cancellation = CancellationFlag()
    private var busyTimeout: Int

    /// Operations of SQLite's virtual machine between two looks, some microseconds.
    private static let operationsBetweenLooks: Int32 = 1000

    /// - Parameter busyTimeout: milliseconds.
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
            return Unmanaged<PooledConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef { member in
                if member.cancellation.isSet { return 1 }
                let connection = member.context.connection
                // That of a part of the call, of which nothing else may be undone.
                if let part = connection.cancellation, part.isSet, !connection.hasWritingStatement {
                    return 1
                }
                guard let tick = connection.progress else { return 0 }
                return tick(Int(PooledConnection.operationsBetweenLooks)) ? 0 : 1
            }
        }
    }

    /// Waits for the lock of another connection: SQLite's own way cannot be ended before its time.
    private static var wait: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 {
        { pointer, times in
            guard let pointer else { return 0 }
            return Unmanaged<PooledConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.goesOnWaiting(after: Int(times)) ? 1 : 0
            }
        }
    }

    /// 1 ms, 2 ms, … up to 10 ms, and then that again and again.
    private func goesOnWaiting(after times: Int) -> Bool {
        let waited = times <= 10 ? times * (times + 1) / 2 : 55 + (times - 10) * 10
        guard !cancellation.isSet, waited < busyTimeout else { return false }
        pause(milliseconds: min(times + 1, 10))
        return true
    }

    /// Runs `body`, which waits no longer than that for the locks of other connections.
    package func waiting<T>(atMost milliseconds: Int, _ body: () throws -> T) rethrows -> T {
        let before = busyTimeout
        busyTimeout = min(before, milliseconds)
        defer { busyTimeout = before }
        return try body()
    }

    /// Closes the connection, with what is kept with it.
    func close() {
        attachment = nil
        try? context.close()
    }

    /// Begins a call that can be cancelled.
    func begin(_ number: UInt64) {
        call.withLock { $0 = number }
    }

    /// Ends it: from now on cancelling it does nothing.
    func end() {
        call.withLock {
            $0 = 0
            cancellation.set(false)
        }
    }

    /// Ends what a call is doing, unless that has ended.
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

    /// The same on a connection that could write, for which it is forbidden meanwhile.
    func readingTransaction<T>(_ body: (SQLContext) throws -> T) throws -> T {
        context.connection.run("PRAGMA query_only = 1")
        defer { context.connection.run("PRAGMA query_only = 0") }
        return try transaction(.deferred, body)
    }

    /// Runs `body`; what a call left open by mistake is closed.
    package func perform<T>(_ body: (PooledConnection) throws -> T) throws -> T {
        defer { cleanUp() }
        do {
            return try body(self)
        } catch is SQLError where cancellation.isSet {
            throw CancellationError()
        }
    }

    private func cleanUp() {
        let connection = context.connection
        connection.resetStatements()
        connection.rollback()
        connection.deferredError = nil
        isUsable = !context.isClosed && !connection.isInTransaction
    }
}

/// The threads on which connections of a line are at work: no more than there are connections.
struct HeldConnections {
    // A few words that are looked through are faster than a table of hashes, under a lock that all
    // threads wait for.
    private var entries: [(thread: ThreadID, member: PooledConnection)] = []

    var count: Int { entries.count }

    subscript(thread: ThreadID) -> PooledConnection? {
        entries.first { $0.thread == thread }?.member
    }

    mutating func add(_ member: PooledConnection, of thread: ThreadID) {
        entries.append((thread, member))
    }

    mutating func remove(_ thread: ThreadID) {
        guard let place = entries.firstIndex(where: { $0.thread == thread }) else { return }
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
    }
}
