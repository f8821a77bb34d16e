extension SQLContext {
    /// When a transaction acquires its lock.
    ///
    /// A transaction that writes should be `.immediate`, and one that only reads `.deferred`. In
    /// WAL mode readers do not block a writer, nor a writer the readers, in any mode. See
    /// <doc:Transactions>.
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
    /// ```swift
    /// let count = try database.transaction(.immediate) {
    ///     try database.exec(sql: "DELETE FROM cart WHERE paid")
    ///     return database.changes
    /// }
    /// ```
    /// An error of a part can be handled within the transaction, since the inner call is a
    /// savepoint:
    ///
    /// ```swift
    /// try database.transaction(.immediate) {
    ///     try database.exec(sql: "INSERT INTO job (name) VALUES ('report')")
    ///     do {
    ///         try database.transaction {
    ///             try database.exec(sql: "INSERT INTO mail (body) VALUES ('ready')")
    ///         }
    ///     } catch { use("the job remains, the mail is undone") }
    /// }
    /// ```
    /// One commit costs at least one write to the disk, so a thousand inserts in one transaction
    /// are much faster than a thousand inserts without one.
    ///
    /// - Parameters:
    ///   - mode: When the lock is acquired; nil runs `body` without a transaction. Use `.immediate`
    ///     for a transaction that writes: a `.deferred` one that starts with a read fails with
    ///     `.busy` at its first write if another connection has committed since. Ignored for a
    ///     savepoint.
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

    /// Makes all caches of the database outdated: its content was replaced, or changed by
    /// statements whose effect on them is unknown.
    package func countUnknownChanges() {
        connection.count(.schema)
        connection.count(.rollback)
    }
}

extension SQLContext {
    /// Compiles one statement. `sqlite3_prepare_v3`
    ///
    /// The statement is not cached: retain it to run it several times, or use
    /// ``withStatement(sql:_:)``. The connection cannot be closed while it is open.
    ///
    /// ```swift
    /// let insert = try database.prepare(sql: "INSERT INTO city (name, people) VALUES (?, ?)")
    /// for (name, people) in [("Oslo", 709_000), ("Bern", 134_000)] {
    ///     try insert.update(parameters: [.text(name), SQLValue(people)])
    /// }
    /// ```
    ///
    /// - Parameter sql: One statement, with or without parameters.
    /// - Throws: ``SQLError`` with the statement and the offset of the error in it; `.misuse` if
    ///   `sql` contains no statement or more than one.
    /// - Returns: The compiled statement, which retains the connection.
    public func prepare(sql: String) throws -> SQLStatement {
        try SQLStatement(connection: connection, sql: sql)
    }

    /// Runs all statements of a script and discards their rows.
    ///
    /// The statements are compiled each time and cannot have parameters; see
    /// ``exec(sql:parameters:)``.
    ///
    /// Each statement is compiled when the previous ones have run, so a script can use a table that
    /// it creates. A `;` separates statements; comments and white space are ignored.
    ///
    /// ```swift
    /// try database.exec(
    ///     sql: """
    ///         CREATE TABLE city (name TEXT NOT NULL, people INTEGER);
    ///         CREATE INDEX city_people ON city (people);
    ///         """)
    /// ```
    ///
    /// - Throws: The error of the first statement that fails, with the script and the offset in it.
    ///   Without an open transaction, the statements before it remain committed.
    /// - Parameter sql: Any number of statements. Never insert values into it: bind them instead.
    public func exec(sql: String) throws {
        try SQLScript(sql).run(connection)
    }

    /// Runs one statement with parameters and discards its rows. The compiled statement is cached.
    ///
    /// ```swift
    /// try database.exec(
    ///     sql: "UPDATE city SET people = ?2 WHERE name = ?1",
    ///     parameters: [.text("Oslo"), .long(717_000)])
    /// ```
    /// The number of affected rows is ``changes`` afterwards.
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
    /// ```swift
    /// let rows = try database.selectAll(
    ///     sql: "SELECT name, people FROM city WHERE people BETWEEN ? AND ? ORDER BY people",
    ///     parameters: [.long(100_000), .long(1_000_000)])
    /// for row in rows { use(row[0].textValue ?? "", row[1].longValue ?? 0) }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - parameters: One value for each parameter of the statement.
    /// - Returns: The rows, each with one value per column; empty if there is no row.
    /// - Throws: ``SQLError``: `.range` if the number of values is wrong, `.misuse` if `sql`
    ///   contains no statement or more than one.
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
    /// Only the first row is computed; the statement is then reset.
    ///
    /// ```swift
    /// let count = try database.selectValue(sql: "SELECT count(*) FROM city")?.longValue ?? 0
    /// let mode = try database.selectValue(sql: "PRAGMA journal_mode")?.textValue
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - parameters: One value for each parameter of the statement.
    /// - Returns: The value, which can be `.null`; nil if there is no row.
    /// - Throws: ``SQLError``: `.range` if the number of values is wrong.
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
    ///
    /// It combines the speed of a cached statement with reading rows one at a time. A nested call
    /// with the same SQL compiles a second statement, since the first is in use.
    ///
    /// ```swift
    /// var people: Int64 = 0
    /// try database.withStatement(sql: "SELECT people FROM city WHERE country = ?") { statement in
    ///     try statement.bind("NO", at: 1)
    ///     while try statement.next() { people += statement.long(at: 0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement. Statements are compared byte by byte, so use the same SQL each
    ///     time.
    ///   - body: Binds the parameters and steps through the rows.
    /// - Returns: The result of `body`.
    /// - Throws: The error of compiling the statement, or of `body`.
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
