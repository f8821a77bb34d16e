internal import CSQLite

/// Somebody who is told of what happens on a connection, until `remove()`.
public final class SQLHook {
    private weak var connection: SQLConnection?
    private let id: Int

    init(_ connection: SQLConnection, _ id: Int) {
        self.connection = connection
        self.id = id
    }

    /// Ends it; a second call does nothing. It also ends when the context is closed.
    public func remove() {
        connection?.observers.remove(id, connection?.handle)
    }
}

// The bodies are called on the thread that steps the statement, while it runs.
extension SQLContext {
    /// Calls `hook` for each row that is inserted, changed or deleted; nil ends all such hooks.
    /// `sqlite3_update_hook`
    ///
    /// In a hook the context must not be used: what is tried is the error `.misuse`.
    /// There can be any number of them. Rows of `WITHOUT ROWID` tables are not told of, nor those
    /// that a statement without `WHERE` deletes all at once.
    @discardableResult
    public func onUpdate(hook: ((SQLChange) -> Void)?) throws -> SQLHook? {
        let handle = try connection.requireHandle()
        guard let hook else {
            connection.observers.removeAllUpdates(handle)
            return nil
        }
        return SQLHook(connection, connection.observers.onUpdate(handle, hook))
    }

    /// Calls `hook` before a transaction is committed; false makes it a rollback, and the commit
    /// fails with `.constraint`. `sqlite3_commit_hook`
    ///
    /// In a hook the context must not be used: what is tried is the error `.misuse`.
    @discardableResult
    public func onCommit(hook: @escaping () -> Bool) throws -> SQLHook {
        let handle = try connection.requireHandle()
        return SQLHook(connection, connection.observers.onCommit(handle, hook))
    }

    /// Calls `hook` when a transaction is rolled back. `sqlite3_rollback_hook`
    ///
    /// In a hook the context must not be used: what is tried is the error `.misuse`.
    @discardableResult
    public func onRollback(hook: @escaping () -> Void) throws -> SQLHook {
        let handle = try connection.requireHandle()
        return SQLHook(connection, connection.observers.onRollback(handle, hook))
    }

    /// Calls `block` with each statement when it begins, with the values that are bound in it; nil
    /// ends all such hooks. `sqlite3_trace_v2`
    ///
    /// In a hook the context must not be used: what is tried is the error `.misuse`.
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
    /// Runs `body`, and calls `tick` every now and then while its statements run.
    ///
    /// On a connection of a pool only. One around it is called, too.
    /// - Parameter tick: gets how many operations of SQLite's virtual machine were done since the
    ///   last time, about; false ends the statement with `.interrupted`.
    package func withProgress<T>(
        _ tick: @escaping (_ operations: Int) -> Bool, body: () throws -> T
    ) rethrows -> T {
        let outer = connection.progress
        connection.progress = { operations in
            let goesOn = outer?(operations) ?? true
            return tick(operations) && goesOn
        }
        defer { connection.progress = outer }
        return try body()
    }
}

extension SQLContext {
    /// Runs `body`; the statements that are compiled in it do only what `isAllowed` allows, those
    /// that virtual tables and functions run included. `sqlite3_set_authorizer`
    ///
    /// Statements that were compiled before are not asked again. A refused one fails while it is
    /// compiled, before anything of it has happened; `SQLAuthorizer.refused` is its action.
    ///
    /// - Parameter isAllowed: called while SQLite compiles; it must not use the context.
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
    /// Runs `body`, whose statements end when the task that runs is cancelled.
    ///
    /// For a context of its own; one of a pool looks after that itself.
    ///
    /// Throws `CancellationError` then.
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
    /// statement, or in the middle of one that only reads.
    ///
    /// One that writes goes on to its end: SQLite undoes the whole transaction with a writing
    /// statement that is stopped. What `body` has done is left to the caller to undo. To cancel the
    /// whole call ends statements that take long, too.
    ///
    /// Throws `CancellationError` if `flag` was set, also where `body` has passed over that.
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

    /// Runs `body`, which puts back what was before, and so is done also where a call, or a part of
    /// one, was cancelled.
    @discardableResult
    package func restoring<T>(_ body: () throws -> T) rethrows -> T {
        let outer = connection.cancellation
        connection.cancellation = nil
        defer { connection.cancellation = outer }
        return try body()
    }
}
