import CSQLite

extension SQLContext {
    /// Compiles one statement. `sqlite3_prepare_v3`
    ///
    /// Throws `SQLError` with the statement and the offset of a mistake in it.
    public func prepare(sql: String) throws -> SQLStatement {
        try SQLStatement(connection: connection, sql: sql)
    }

    /// Runs every statement of a script and drops the rows. `sqlite3_exec`
    ///
    /// Throws at the first that fails; those before it stay done unless a transaction is open.
    public func exec(sql: String) throws {
        let handle = try connection.requireHandle()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code, sql: sql) }
    }

    /// Runs one statement with parameters, and drops its rows.
    public func exec(sql: String, parameters: [SQLValue]) throws {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        while try statement.next() {}
    }

    /// All rows of one statement.
    public func selectAll(sql: String, parameters: [SQLValue] = []) throws -> [[SQLValue]] {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        var rows: [[SQLValue]] = []
        while try statement.next() { rows.append(statement.rowValues()) }
        return rows
    }

    /// The first column of the first row, or nil if there is no row.
    public func selectValue(sql: String, parameters: [SQLValue] = []) throws -> SQLValue? {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return try statement.next() ? statement.value(at: 0) : nil
    }

    /// `PRAGMA user_version`
    public func userVersion() throws -> Int {
        try selectValue(sql: "PRAGMA user_version")?.longValue.map(Int.init) ?? 0
    }
}
