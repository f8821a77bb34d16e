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
