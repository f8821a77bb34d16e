/// How SQLite computes the value of a column from the others of its row.
///
/// ```swift
/// static let total = SQLColumn(
///     name: "TOTAL", type: .real, generated: .virtual("\(Self.price) * \(Self.count)"))
/// ```
/// The expression is part of the table's declaration: it must not contain values from outside.
public enum SQLGenerated: Hashable, Sendable {
    /// Computed whenever it is read: `VIRTUAL`.
    case virtual(SQLExpression)
    /// Computed when the row is written, and stored in the file: `STORED`.
    case stored(SQLExpression)

    /// `GENERATED ALWAYS AS (…) VIRTUAL`, or `STORED`
    var definitionSQL: String {
        switch self {
        case .virtual(let expression): "GENERATED ALWAYS AS (\(expression.literal)) VIRTUAL"
        case .stored(let expression): "GENERATED ALWAYS AS (\(expression.literal)) STORED"
        }
    }
}
