public import SQLCore

/// A type that can be used in SQL: a value, a column, a tuple, a predicate.
public protocol SQLRepresentable: Sendable {
    /// The SQL, with the values to bind.
    var sqlExpression: SQLExpression { get }
}

extension SQLExpression: SQLRepresentable {
    /// The expression itself.
    public var sqlExpression: SQLExpression { self }
}

extension SQLValue: SQLRepresentable {
    /// A bound parameter with this value.
    public var sqlExpression: SQLExpression { SQLExpression(parts: [.value(self)]) }
}

extension SQLColumn: SQLRepresentable {
    /// The quoted name, qualified by the table in a join.
    public var sqlExpression: SQLExpression { SQLExpression(parts: [.column(self)]) }
}
