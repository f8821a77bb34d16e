internal import CSQLite

/// The registration of an observer of a connection, which is active until ``remove()``.
///
/// It can be discarded: the observer then remains until the context is closed. It does not retain
/// the connection.
///
/// ```swift
/// let hook = try database.onRollback { use("undone") }
/// try database.exec(sql: "BEGIN; ROLLBACK")
/// hook.remove()
/// ```
public final class SQLHook {
    private weak var connection: SQLConnection?
    private let id: Int

    init(_ connection: SQLConnection, _ id: Int) {
        self.connection = connection
        self.id = id
    }

    /// Removes the observer; a second call does nothing. Closing the context also removes it.
    public func remove() {
        connection?.observers.remove(id, connection?.handle)
    }
}

// Hooks are called on the thread that steps the statement, while it runs.
extension SQLContext {
    /// Calls `hook` for each row that is inserted, updated or deleted; nil removes all such hooks.
    /// `sqlite3_update_hook`
    ///
    /// There can be any number of hooks. A hook must not use the context: that throws `.misuse`.
    /// SQLite does not report rows of `WITHOUT ROWID` tables, nor the rows of a `DELETE` without
    /// `WHERE`, which truncates the table. A hook is called before the commit: the change can still
    /// be rolled back. It observes only this connection.
    ///
    /// ```swift
    /// var touched: Set<String> = []
    /// let hook = try database.onUpdate { change in touched.insert(change.table) }
    /// try database.exec(sql: "INSERT INTO city (name) VALUES ('Lima')")
    /// hook?.remove()
    /// ```
    /// A hook slows down each change by its own time; collect changes and process them after the
    /// commit.
    ///
    /// - Parameter hook: Called with each change, on the thread that steps the statement.
    /// - Returns: The registration, with which the hook can be removed; nil if `hook` is nil.
    /// - Throws: ``SQLError``: `.misuse` if the context is closed.
    @discardableResult
    public func onUpdate(hook: ((SQLChange) -> Void)?) throws -> SQLHook? {
        let handle = try connection.requireHandle()
        guard let hook else {
            connection.observers.removeAllUpdates(handle)
            return nil
        }
        return SQLHook(connection, connection.observers.onUpdate(handle, hook))
    }

    /// Calls `hook` before a transaction is committed. If it returns false, the transaction is
    /// rolled back, and the commit fails with `.constraint`. `sqlite3_commit_hook`
    ///
    /// A hook must not use the context: that throws `.misuse`.
    ///
    /// The hook is called before the changes are written, so it does not prove that they are
    /// durable: the commit can still fail. A transaction without changes does not call it. All
    /// hooks are called, even if one has returned false.
    ///
    /// ```swift
    /// var commits = 0
    /// let hook = try database.onCommit {
    ///     commits += 1
    ///     return true
    /// }
    /// defer { hook.remove() }
    /// ```
    ///
    /// - Parameter hook: Returns whether the transaction may be committed. It is called on the
    ///   thread that steps the statement.
    /// - Returns: The registration, with which the hook can be removed.
    @discardableResult
    public func onCommit(hook: @escaping () -> Bool) throws -> SQLHook {
        let handle = try connection.requireHandle()
        return SQLHook(connection, connection.observers.onCommit(handle, hook))
    }

    /// Calls `hook` when a transaction is rolled back. `sqlite3_rollback_hook`
    ///
    /// A hook must not use the context: that throws `.misuse`.
    ///
    /// It is also called if SQLite rolls back itself, or if a commit hook has refused the commit.
    /// It is not called when a savepoint is rolled back.
    ///
    /// - Parameter hook: Called on the thread that steps the statement.
    /// - Returns: The registration, with which the hook can be removed.
    @discardableResult
    public func onRollback(hook: @escaping () -> Void) throws -> SQLHook {
        let handle = try connection.requireHandle()
        return SQLHook(connection, connection.observers.onRollback(handle, hook))
    }

    /// Calls `block` with each statement when it starts, including its bound values; nil removes
    /// all such hooks. `sqlite3_trace_v2`
    ///
    /// A statement that contains a key is not shown. A hook must not use the context: that throws
    /// `.misuse`.
    ///
    /// ```swift
    /// let hook = try database.trace { sql in use(sql) }
    /// defer { hook?.remove() }
    /// try database.exec(sql: "INSERT INTO city (name) VALUES (?)", parameters: [.text("Rome")])
    /// // INSERT INTO city (name) VALUES ('Rome')
    /// ```
    /// The SQL contains the values, so do not write it to a log that others can read. Statements
    /// of a trigger are reported as comments with the trigger's name.
    ///
    /// - Parameter block: Receives the SQL; called on the thread that steps the statement.
    /// - Returns: The registration, with which the hook can be removed; nil if `block` is nil.
    @discardableResult
    public func trace(_ block: ((String) -> Void)?) throws -> SQLHook? {
        let handle = try connection.requireHandle()
        guard let block else {
            connection.observers.removeAllTraces(handle)
            return nil
        }
        return SQLHook(connection, connection.observers.onTrace(handle, block))
    }
}

extension SQLContext {
    /// Runs `body`, and calls `tick` periodically while its statements run.
    ///
    /// Works only on a pooled connection. Nested calls are also reported to the outer `tick`.
    /// - Parameter tick: Receives the approximate number of operations of SQLite's virtual machine
    ///   since the last call; false ends the statement with `.interrupted`.
    package func withProgress<T>(
        _ tick: @escaping (_ operations: Int) -> Bool, body: () throws -> T
    ) rethrows -> T {
        let outer = connection.progress
        connection.progress = { operations in
            let outerContinues = outer?(operations) ?? true
            return tick(operations) && outerContinues
        }
        defer { connection.progress = outer }
        return try body()
    }
}

extension SQLContext {
    /// Runs `body` with an authorizer: statements that are compiled in it can only perform actions
    /// that `isAllowed` permits, including statements of virtual tables and functions.
    /// `sqlite3_set_authorizer`
    ///
    /// Statements that were compiled earlier are not checked. A denied statement fails while it is
    /// compiled, before it has any effect; `SQLAuthorizer.refused` is the denied action.
    ///
    /// - Parameter isAllowed: Called while SQLite compiles a statement; must not use the context.
    package func authorizing<T>(
        _ isAllowed: @escaping (SQLAction) -> Bool, _ body: (SQLAuthorizer) throws -> T
    ) throws -> T {
        _ = try connection.requireHandle()
        let outer = connection.authorizer
        let authorizer = SQLAuthorizer(isAllowed)
        connection.setAuthorizer(authorizer)
        defer { connection.setAuthorizer(outer) }
        return try body(authorizer)
    }
}

extension SQLContext {
    /// Runs `body`, whose statements are interrupted when the current task is cancelled.
    ///
    /// For a context that is not in a pool; a pooled connection does this itself.
    ///
    /// Throws `CancellationError` if the task is cancelled.
    package func endingWithTask<T>(_ body: () throws -> T) throws -> T {
        let handle = try connection.requireHandle()
        sqlite3_progress_handler(handle, 10_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            return try body()
        } catch is SQLError where Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Runs `body`, a part of a call of a pool, which ends when `flag` is set: before its next
    /// statement, or during a statement that only reads.
    ///
    /// A writing statement runs to its end, since SQLite rolls back the whole transaction if it
    /// interrupts one. The caller undoes the changes of `body`. Cancelling the whole call also
    /// interrupts long writing statements.
    ///
    /// Throws `CancellationError` if `flag` was set, even if `body` has ignored it.
    package func ending<T>(at flag: CancellationFlag, _ body: () throws -> T) throws -> T {
        let outer = connection.cancellation
        connection.cancellation = flag
        defer { connection.cancellation = outer }
        do {
            let result = try body()
            try flag.check()
            return result
        } catch is SQLError where flag.isSet {
            throw CancellationError()
        }
    }

    /// Runs `body`, which restores a previous state, even if the call or a part of it is cancelled.
    @discardableResult
    package func restoring<T>(_ body: () throws -> T) rethrows -> T {
        let outer = connection.cancellation
        connection.cancellation = nil
        defer { connection.cancellation = outer }
        return try body()
    }
}
