import CSQLite

extension SQLContext {
    /// Runs one statement and drops its rows.
    public func exec(_ expression: SQLExpression) throws {
        let statement = try prepare(expr: expression)
        while try statement.next() {}
    }

    /// Compiles a statement and binds its values.
    public func prepare(expr expression: SQLExpression) throws -> SQLStatement {
        let statement = try prepare(sql: expression.template)
        try statement.bind(parameters: expression.bindings)
        return statement
    }

    /// A compiled statement for `sql`, for one short use at a time.
    func cachedStatement(sql: String) throws -> SQLStatement {
        try prepare(sql: sql)
    }

    /// Runs `body` with a compiled statement that nobody else is stepping, and resets it.
    func withStatement<T>(sql: String, _ body: (SQLStatement) throws -> T) throws -> T {
        var statement = try cachedStatement(sql: sql)
        // A row's initialiser may run the very query that is reading it.
        if sqlite3_stmt_busy(statement.handle) != 0 { statement = try prepare(sql: sql) }
        defer { statement.reset() }
        return try body(statement)
    }

    /// The same with the values of an expression bound.
    func withStatement<T>(
        _ expression: SQLExpression, _ body: (SQLStatement) throws -> T
    ) throws -> T {
        try withStatement(sql: expression.template) { statement in
            try statement.bind(parameters: expression.bindings)
            return try body(statement)
        }
    }

    /// The first column of the first row, or null.
    func value(of expression: SQLExpression) throws -> SQLValue {
        try withStatement(expression) { try $0.next() ? $0.value(at: 0) : .null }
    }
}
