public import SQLCore

/// A type that can be used in SQL: a value, a column, a tuple, a predicate.
///
/// Its methods create predicates: `equals`, `lessThan`, `like`, `between`, `in` and others. A type
/// of your own can conform, to be used as an operand:
///
/// ```swift
/// struct Lowercased: SQLRepresentable {
///     let column: SQLColumn
///     var sqlExpression: SQLExpression { "lower(\(column))" }
/// }
/// let ada = try database.query(Player.self)
///     .where(Lowercased(column: Player.name).equals(.text("ada"))).load()
/// ```
public protocol SQLRepresentable: Sendable {
    /// The SQL, with the values to bind. It must be complete in itself, with parentheses if it has
    /// operators.
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
