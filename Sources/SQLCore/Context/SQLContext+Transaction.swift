extension SQLContext {
    /// When a transaction acquires its lock.
    public enum TransactionMode: String, Sendable {
        /// At the first read or write.
        case deferred = "BEGIN DEFERRED"
        /// A write lock at the beginning; other connections can read.
        case immediate = "BEGIN IMMEDIATE"
        /// An exclusive lock at the beginning; except in WAL mode, other connections cannot read.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Runs `body` in a transaction, which is committed if `body` returns and rolled back if it
    /// throws.
    ///
    /// Within a transaction it is a savepoint: if `body` throws, its changes are rolled back, and
    /// the error is thrown into the body of the outer transaction, which can continue.
    ///
    /// - Parameters:
    ///   - mode: When the lock is acquired; nil runs `body` without a transaction. Use `.immediate`
    ///     for a transaction that writes: a `.deferred` one that starts with a read fails with
    ///     `.busy` if another connection has written meanwhile. Ignored for a savepoint.
    ///   - body: The statements of the transaction.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body` or of the commit; an error of the rollback is ignored.
    ///   `.abortedByRollback` if SQLite has rolled back itself and `body` has ignored its error.
    @discardableResult
    public func transaction<T>(
        _ mode: TransactionMode? = .deferred, _ body: () throws -> T
    ) throws -> T {
        guard let mode else { return try body() }
        if isInTransaction { return try nested(body) }
        return try run(body, begin: mode.rawValue, end: "COMMIT", undo: "ROLLBACK")
    }

    private func nested<T>(_ body: () throws -> T) throws -> T {
        savepoints += 1
        defer { savepoints -= 1 }
        let name = "nested_\(savepoints)"
        return try run(
            body, begin: "SAVEPOINT \(name)", end: "RELEASE \(name)",
            undo: "ROLLBACK TO \(name); RELEASE \(name)")
    }

    private func run<T>(
        _ body: () throws -> T, begin: String, end: String, undo: String
    ) throws -> T {
        try exec(sql: begin)
        do {
            let result = try body()
            try requireOpenTransaction()
            try exec(sql: end)
            return result
        } catch {
            connection.undo(undo)
            connection.deferredError = nil
            throw error
        }
    }

    /// Throws if the transaction has ended: `body` may have ignored an error with which SQLite
    /// rolled it back, and its later statements were not part of a transaction.
    private func requireOpenTransaction() throws {
        _ = try connection.requireHandle()
        guard isInTransaction else {
            throw SQLError(
                code: .abortedByRollback,
                message: "the transaction ended before its commit")
        }
    }

    /// Rolls back the open transaction, unless SQLite has done so itself (as on a full disk).
    package func rollback() { connection.rollback() }
}

extension SQLContext {
    /// Compiles one statement. `sqlite3_prepare_v3`
    ///
    /// The statement is not cached: retain it to run it several times, or use
    /// ``withStatement(sql:_:)``. The connection cannot be closed while it is open.
    ///
    /// - Parameter sql: One statement, with or without parameters.
    /// - Throws: ``SQLError`` with the statement and the offset of the error in it; `.misuse` if
    ///   `sql` contains no statement or more than one.
    public func prepare(sql: String) throws -> SQLStatement {
        try SQLStatement(connection: connection, sql: sql)
    }

    /// Runs all statements of a script and discards their rows.
    ///
    /// The statements are compiled each time and cannot have parameters; see
    /// ``exec(sql:parameters:)``.
    ///
    /// - Throws: The error of the first statement that fails, with the script and the offset in it.
    ///   Without an open transaction, the statements before it remain committed.
    public func exec(sql: String) throws {
        try SQLScript(sql).run(connection)
    }

    /// Runs one statement with parameters and discards its rows. The compiled statement is cached.
    ///
    /// - Parameters:
    ///   - sql: One statement. Without parameters this is the same as ``exec(sql:)``.
    ///   - parameters: One value for each parameter of the statement.
    /// - Throws: ``SQLError``: `.range` if the number of values is wrong.
    public func exec(sql: String, parameters: [SQLValue]) throws {
        if parameters.isEmpty { return try exec(sql: sql) }
        try withStatement(sql: sql) { try $0.update(parameters: parameters) }
    }

    /// Returns all rows of one statement. The compiled statement is cached.
    ///
    /// All rows are in memory at the same time; step through a ``SQLStatement`` for large results.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - parameters: One value for each parameter of the statement.
    /// - Returns: The rows, each with one value per column; empty if there is no row.
    public func selectAll(sql: String, parameters: [SQLValue] = []) throws -> [[SQLValue]] {
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: parameters)
            var rows: [[SQLValue]] = []
            while try statement.next() { rows.append(statement.rowValues()) }
            return rows
        }
    }

    /// Returns the first column of the first row of one statement. The compiled statement is
    /// cached.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - parameters: One value for each parameter of the statement.
    /// - Returns: The value, which can be `.null`; nil if there is no row.
    public func selectValue(sql: String, parameters: [SQLValue] = []) throws -> SQLValue? {
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: parameters)
            return try statement.next() ? statement.value(at: 0) : nil
        }
    }

    /// Calls `body` with a cached statement, without bound parameters. The statement is compiled
    /// only if it is not in the cache of the statements used last, or is in use.
    ///
    /// The statement must not be used after `body` returns: it is reset and returned to the cache,
    /// whose size is ``statementCacheCapacity``. Pragmas are never cached.
    public func withStatement<T>(
        sql: String, _ body: (SQLStatement) throws -> T
    ) throws -> T {
        try cache.use(sql, connection, body)
    }

    /// Throws `CancellationError` if the current task is cancelled, or `.interrupted` if the pool's
    /// call that uses the connection is. For work that runs no statements.
    package func checkCancellation() throws {
        try Task.checkCancellation()
        try connection.cancellation?.check()
    }
}
