extension SQLContext {
    /// Compiles one statement. `sqlite3_prepare_v3`
    ///
    /// Throws `SQLError` with the statement and the offset of a mistake in it.
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
