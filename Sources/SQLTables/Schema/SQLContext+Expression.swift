public import SQLCore

extension SQLContext {
    /// Runs one statement and drops its rows.
    public func exec(_ expression: SQLExpression) throws {
        try withStatement(expression) { while try $0.next() {} }
    }

    /// Compiles a statement and binds its values.
    public func prepare(expr expression: SQLExpression) throws -> SQLStatement {
        let statement = try prepare(sql: expression.template)
        try statement.bind(parameters: expression.bindings)
        return statement
    }

    /// Lends a compiled statement to `body`, with the values of the expression bound.
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
