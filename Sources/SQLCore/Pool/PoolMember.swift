import CSQLite
import Dispatch
import Synchronization

/// A connection of a pool, with what is needed to end what it does.
final class PoolMember: @unchecked Sendable {
    // Unchecked: a PoolLine gives a member to one caller at a time, and hands it on under a lock.

    let context: SQLContext
    /// Where the calls of tasks run.
    let queue = DispatchQueue(label: "SQLPool")
    /// The call that is running, by a number of its own; 0 for none.
    private let call = Locked<UInt64>(0)
    /// Looked at by SQLite every now and then: a statement that begins after an interrupt would not
    /// be ended by it.
    private let isCancelled = Atomic<Bool>(false)

    /// Operations of SQLite's virtual machine between two looks, some microseconds.
    private static let operationsBetweenLooks: Int32 = 1000

    init(_ context: SQLContext) throws {
        self.context = context
        sqlite3_progress_handler(
            try context.connection.requireHandle(), Self.operationsBetweenLooks, Self.look,
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let handle = context.connection.handle {
            sqlite3_progress_handler(handle, 0, nil, nil)
        }
    }

    private static var look: @convention(c) (UnsafeMutableRawPointer?) -> Int32 {
        { pointer in
            guard let pointer else { return 0 }
            return Unmanaged<PoolMember>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.isCancelled.load(ordering: .relaxed) ? 1 : 0
            }
        }
    }

    /// Begins a call that can be cancelled.
    func begin(_ number: UInt64) {
        call.withLock { $0 = number }
    }

    /// Ends it: from now on cancelling it does nothing.
    func end() {
        call.withLock {
            $0 = 0
            isCancelled.store(false, ordering: .relaxed)
        }
    }

    /// Ends what a call is doing, unless that has ended.
    func cancel(_ number: UInt64) {
        call.withLock {
            guard $0 == number else { return }
            isCancelled.store(true, ordering: .relaxed)
            context.interrupt()
        }
    }

    /// Runs `body` in a transaction, which is rolled back if the call is cancelled before its end.
    func transaction<T>(
        _ mode: SQLContext.TransactionMode, _ body: (SQLContext) throws -> T
    ) throws -> T {
        try context.transaction(mode) {
            let result = try body(context)
            if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
            return result
        }
    }

    /// Runs `body`; what a call left open by mistake is closed.
    func perform<T>(_ body: (PoolMember) throws -> T) throws -> T {
        defer { context.rollback() }
        do {
            return try body(self)
        } catch let error as SQLError
            where error.code == .interrupted && isCancelled.load(ordering: .relaxed)
        {
            throw CancellationError()
        }
    }
}
