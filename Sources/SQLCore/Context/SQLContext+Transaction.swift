extension SQLContext {
    /// When a transaction takes its lock.
    public enum TransactionMode: String, Sendable {
        /// At the first read or write.
        case deferred = "BEGIN DEFERRED"
        /// At once, for writing; others may read.
        case immediate = "BEGIN IMMEDIATE"
        /// At once; outside WAL mode others may not even read.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Runs `body` in a transaction: committed if it returns, rolled back if it throws.
    ///
    /// Inside a transaction it is a part of that: if `body` throws, what it did is undone, and the
    /// outer one goes on or not as its own body decides.
    ///
    /// The error of `body` or of the commit is the one thrown, whatever the rollback says.
    ///
    /// - Parameter mode: nil runs `body` with no transaction.
    @discardableResult
    public func transaction<T>(
        _ mode: TransactionMode? = .deferred, _ body: () throws -> T
    ) throws -> T {
        guard let mode else { return try body() }
        if isInTransaction { return try nested(body) }
        return try bracketed(mode.rawValue, body, end: "COMMIT", undo: "ROLLBACK")
    }

    private func nested<T>(_ body: () throws -> T) throws -> T {
        savepoints += 1
        defer { savepoints -= 1 }
        let name = "nested_\(savepoints)"
        return try bracketed(
            "SAVEPOINT \(name)", body, end: "RELEASE \(name)",
            undo: "ROLLBACK TO \(name); RELEASE \(name)")
    }

    private func bracketed<T>(
        _ begin: String, _ body: () throws -> T, end: String, undo: String
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

    /// A body may have passed over the failure by which SQLite ended the transaction: what came
    /// after it was not part of one.
    private func requireOpenTransaction() throws {
        _ = try connection.requireHandle()
        guard isInTransaction else {
            throw SQLError(
                code: .abortedByRollback,
                message: "the transaction ended before it was to be committed")
        }
    }

    /// Ends the open transaction, if SQLite has not done so by itself (as on a full disk).
    package func rollback() { connection.rollback() }
}

extension SQLContext {
    /// Compiles one statement. `sqlite3_prepare_v3`
    ///
    /// Throws `SQLError` with the statement and the offset of an error in it.
    public func prepare(sql: String) throws -> SQLStatement {
        try SQLStatement(connection: connection, sql: sql)
    }

    /// Runs every statement of a script and drops the rows.
    ///
    /// Throws at the first that fails, with the script and the offset in it; those before it stay
    /// done unless a transaction is open.
    public func exec(sql: String) throws {
        try SQLScript(sql).run(connection)
    }

    /// Runs one statement with parameters, and drops its rows.
    public func exec(sql: String, parameters: [SQLValue]) throws {
        if parameters.isEmpty { return try exec(sql: sql) }
        try withStatement(sql: sql) { try $0.update(parameters: parameters) }
    }

    /// All rows of one statement.
    public func selectAll(sql: String, parameters: [SQLValue] = []) throws -> [[SQLValue]] {
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: parameters)
            var rows: [[SQLValue]] = []
            while try statement.next() { rows.append(statement.rowValues()) }
            return rows
        }
    }

    /// The first column of the first row, or nil if there is no row.
    public func selectValue(sql: String, parameters: [SQLValue] = []) throws -> SQLValue? {
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: parameters)
            return try statement.next() ? statement.value(at: 0) : nil
        }
    }

    /// Lends a compiled statement to `body`, with no parameter bound; the ones that were used last
    /// are kept, so that the same text need not be compiled again.
    ///
    /// It must not leave `body`.
    public func withStatement<T>(
        sql: String, _ body: (SQLStatement) throws -> T
    ) throws -> T {
        try cache.use(sql, connection, body)
    }

    /// Throws `CancellationError` if the task that runs was cancelled, or `.interrupted` if the
    /// call of a pool that uses the connection was: for work that runs no statements.
    package func checkCancellation() throws {
        try Task.checkCancellation()
        try connection.cancellation?.check()
    }
}
