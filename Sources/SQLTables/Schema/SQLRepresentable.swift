public import SQLCore

/// Something that can stand in SQL: a value, a column, a tuple, a predicate.
public protocol SQLRepresentable: Sendable {
    /// Its SQL, with the values to bind.
    var sqlExpression: SQLExpression { get }
}

extension SQLExpression: SQLRepresentable {
    /// Itself.
    public var sqlExpression: SQLExpression { self }
}

extension SQLValue: SQLRepresentable {
    /// A bound parameter.
    public var sqlExpression: SQLExpression { SQLExpression(parts: [.value(self)]) }
}

extension SQLColumn: SQLRepresentable {
    /// Its quoted name, qualified by the table where several are joined.
    public var sqlExpression: SQLExpression { SQLExpression(parts: [.column(self)]) }
}
