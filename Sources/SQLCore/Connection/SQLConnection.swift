internal import CSQLite
internal import StorePlatform
internal import Synchronization

/// The owner of a `sqlite3 *`, which it closes at the latest when it is deinitialized.
package final class SQLConnection {
    /// The `sqlite3 *`; nil once closed.
    private(set) var handle: OpaquePointer?
    /// The observers of hooks.
    let observers = ConnectionObservers()
    /// Interrupts the connection from another thread.
    let interrupter: SQLInterrupter
    /// The error of a call that cannot throw; the next call that can throws it.
    var deferredError: SQLError?
    /// Checked before each statement: set by a pool when the call that uses the connection is
    /// cancelled, or to cancel a part of the call.
    var cancellation: CancellationFlag?
    /// Called by a pooled connection with the number of operations executed since the last call;
    /// false ends the statement.
    var progress: ((Int) -> Bool)?
    /// The length of the WAL after the latest commit, if it is tracked.
    var walPages: WALPages?
    /// Permits or denies the actions of statements; set by `setAuthorizer`.
    var authorizer: SQLAuthorizer?
    /// The number of changes of the schema and of rollbacks.
    ///
    /// Unchecked, because it is compared at each use of a cache, and one thread at a time has the
    /// connection.
    @exclusivity(unchecked)
    package internal(set) var changeCounts = SQLChangeCounts()
    /// Whether a rollback may undo a change of the schema: there was one since the last rollback.
    var canUndoSchema = false
    /// The number of running backups into this database; SQLite permits closing it during a backup.
    var incomingBackups = 0

    /// Opens a file. `sqlite3_open_v2`
    init(path: String, flags: SQLOpenFlags, vfs: String? = nil) throws {
        guard !path.hasNUL else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        // One thread at a time uses a context, so a mutex around each call has no benefit.
        let mutex: SQLOpenFlags = flags.contains(.fullMutex) ? [] : .noMutex
        var opened: OpaquePointer?
        _ = StatementJournal.isSetUp
        let code = sqlite3_open_v2(
            path, &opened, flags.union(mutex).rawValue, GuardedVFS.name(for: vfs))
        guard code == SQLITE_OK else {
            let error = SQLError(handle: opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        interrupter = SQLInterrupter(opened)
        sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        interrupter.detach()
        // The rollback of an open transaction still calls the observers, which exist until the end.
        sqlite3_close_v2(handle)
    }

    /// Closes the connection. Throws `.busy` while a statement or a backup is open. `sqlite3_close`
    func close() throws {
        guard let open = handle else { return }
        guard incomingBackups == 0 else {
            throw SQLError(
                code: .busy,
                message: "a backup into this database is in progress; cancel it or wait for its "
                    + "end")
        }
        try interrupter.whileDetached {
            let code = sqlite3_close(open)
            guard code == SQLITE_OK else { throw SQLError(handle: open, code: code) }
        }
        handle = nil
        // Releases what the observers retain, which may be the context itself.
        observers.removeAll()
    }

    /// Returns the open handle. Throws if the connection is closed, if SQLite is calling a hook, if
    /// the call was cancelled, or the error of an earlier call that could not throw.
    package func requireHandle() throws -> OpaquePointer {
        guard let handle else {
            throw SQLError(code: .misuse, message: "the SQLContext is closed")
        }
        guard !observers.isCalling else {
            throw SQLError(code: .misuse, message: "a hook must not use its SQLContext")
        }
        try cancellation?.check()
        if let error = deferredError {
            deferredError = nil
            throw error
        }
        return handle
    }
}

// Cleanup that must run in any state: it ignores cancellation and deferred errors.
extension SQLConnection {
    /// Runs statements of this library; false if one fails.
    @discardableResult
    func run(_ sql: String) -> Bool {
        guard let handle else { return false }
        return sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    }

    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Rolls back the open transaction.
    func rollback() { undo("ROLLBACK") }

    /// Runs a rollback statement, unless SQLite has rolled back by itself (as on a full disk).
    ///
    /// While a statement is active, an interrupt also applies to new statements: if the rollback
    /// fails, it resets all statements and tries again.
    func undo(_ sql: String) {
        guard isInTransaction else { return }
        count(.rollback)
        if !run(sql) {
            resetStatements()
            run(sql)
        }
        if !isInTransaction { canUndoSchema = false }
    }

    /// Whether a statement is between its first row and its end.
    var hasBusyStatement: Bool { firstStatement { sqlite3_stmt_busy($0) != 0 } != nil }

    /// Whether a statement that can change the database is between its first row and its end.
    var hasWritingStatement: Bool {
        firstStatement { sqlite3_stmt_busy($0) != 0 && sqlite3_stmt_readonly($0) == 0 } != nil
    }

    /// Resets all active statements.
    func resetStatements() {
        _ = firstStatement { statement in
            if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
            return false
        }
    }

    private func firstStatement(where isMatch: (OpaquePointer) -> Bool) -> OpaquePointer? {
        var statement = handle.flatMap { sqlite3_next_stmt($0, nil) }
        while let current = statement {
            if isMatch(current) { return current }
            statement = sqlite3_next_stmt(handle, current)
        }
        return nil
    }
}

/// A flag that ends the work of a connection; any thread can set it.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    /// Creates a flag that is not set.
    package init() {}

    @inline(__always)
    var isSet: Bool { isRaised.load(ordering: .relaxed) }

    package func set(_ value: Bool) { isRaised.store(value, ordering: .relaxed) }

    /// Throws `.interrupted` if it is set.
    @inline(__always)
    func check() throws {
        if isSet { throw SQLError(code: .interrupted, message: "the call was cancelled") }
    }
}

/// The length of the WAL, which SQLite reports to the writer at each commit.
final class WALPages {
    /// The number of frames; a page can be in several of them.
    var count = 0

    /// Created in nonisolated code: SQLite calls it at each commit.
    static var note:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
        ) -> Int32
    {
        { pointer, _, _, count in
            guard let pointer else { return SQLITE_OK }
            Unmanaged<WALPages>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.count = Int(count)
            }
            return SQLITE_OK
        }
    }
}
