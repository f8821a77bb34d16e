/// How SQLite computes the value of a column from the others of its row.
///
/// ```swift
/// let price = SQLColumn(name: "PRICE", type: .real)
/// let count = SQLColumn(name: "COUNT", type: .long)
/// let total = SQLColumn(
///     name: "TOTAL", type: .real, generated: .virtual("\(price) * \(count)"))
/// let line = SQLTable(name: "LINE", columns: [price, count, total])
/// ```
/// A generated column is left out of inserts and updates, and can be indexed. It needs SQLite 3.31.
///
/// The expression is part of the table's declaration: it must not contain values from outside, and
/// its functions must be deterministic.
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
