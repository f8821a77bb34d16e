internal import CSQLite
internal import Synchronization

/// The owner of a `sqlite3 *`: open until it is closed, or until nobody holds it any more.
package final class SQLConnection {
    /// The `sqlite3 *`; nil once closed.
    private(set) var handle: OpaquePointer?
    /// Who is told of changes.
    let observers = ConnectionObservers()
    /// What another thread can do: interrupt.
    let interrupter: SQLInterrupter
    /// The failure of a call that cannot throw: the next that can throws it.
    var deferredError: SQLError?
    /// What each statement looks at before it begins: set by a pool when the call that uses the
    /// connection is cancelled, or by whoever ends a part of it.
    var cancellation: CancellationFlag?
    /// Told by a pool's connection how many operations have been done; false ends the statement.
    var progress: ((Int) -> Bool)?
    /// The pages in the log after the latest commit, while somebody asks for it.
    var walPages: WALPages?
    /// Decides what statements may do; set by `setAuthorizer`.
    var authorizer: SQLAuthorizer?
    /// Copies that are being made into this database, which SQLite does not count as its users.
    var incomingBackups = 0

    /// Opens a file. `sqlite3_open_v2`
    init(path: String, flags: SQLOpenFlags, vfs: String? = nil) throws {
        guard !path.utf8.contains(0) else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        // A context is used by one thread at a time: a mutex around each call would be for nothing.
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
        // A rollback of what is open still calls the observers, which are there until the end.
        sqlite3_close_v2(handle)
    }

    /// Closes it, unless a statement is open. `sqlite3_close`
    func close() throws {
        guard let open = handle else { return }
        guard incomingBackups == 0 else {
            throw SQLError(code: .busy, message: "a backup into this database is under way")
        }
        try interrupter.whileDetached {
            let code = sqlite3_close(open)
            guard code == SQLITE_OK else { throw SQLError(handle: open, code: code) }
        }
        handle = nil
        // What they hold is let go, which may be the context itself.
        observers.removeAll()
    }

    /// The open handle, or why nothing can be done with it now: it is closed, in use by SQLite, or
    /// its call was cancelled; or the error of a call that could not throw.
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

// What must be done whatever has gone wrong before: none of it looks at errors that wait.
extension SQLConnection {
    /// Runs statements of this layer's own; false if one fails.
    @discardableResult
    func run(_ sql: String) -> Bool {
        guard let handle else { return false }
        return sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    }

    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Ends the open transaction.
    func rollback() { undo("ROLLBACK") }

    /// Takes back what a transaction has done, if SQLite has not done so by itself (as on a full
    /// disk).
    ///
    /// While a statement is under way, an interrupt is for all that come, too: then that is ended.
    func undo(_ sql: String) {
        guard isInTransaction, !run(sql) else { return }
        resetStatements()
        run(sql)
    }

    /// Whether a statement is between its first row and its end.
    var hasBusyStatement: Bool { firstStatement { sqlite3_stmt_busy($0) != 0 } != nil }

    /// Whether a statement that may change the database is between its beginning and its end.
    var hasWritingStatement: Bool {
        firstStatement { sqlite3_stmt_busy($0) != 0 && sqlite3_stmt_readonly($0) == 0 } != nil
    }

    /// Ends all statements that are under way.
    func resetStatements() {
        _ = firstStatement { statement in
            if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
            return false
        }
    }

    private func firstStatement(where isWanted: (OpaquePointer) -> Bool) -> OpaquePointer? {
        var statement = handle.flatMap { sqlite3_next_stmt($0, nil) }
        while let current = statement {
            if isWanted(current) { return current }
            statement = sqlite3_next_stmt(handle, current)
        }
        return nil
    }
}

/// Whether what a connection does is to end; set on another thread.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    /// One that is not set.
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

/// How long the log of a file in WAL mode is, as its writer is told at each commit.
final class WALPages {
    /// Pages, some of them more than once.
    var count = 0

    /// Formed here, in code that belongs to no actor: SQLite calls it at each commit.
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
