internal import SQLCore

/// An index: on one column, if that column declares it; on several columns or expressions, and
/// possibly for some rows only, if its table declares it.
///
/// ```swift
/// SQLIndex(name: "IDX_MAIL", unique: true, on: SQLExpression("lower(\"MAIL\")"),
///     where: SQLExpression("\"MAIL\" IS NOT NULL"))
/// ```
public struct SQLIndex: Hashable, Sendable {
    /// The name, unique in the whole schema.
    public let name: String
    /// Whether rows must be unique in it.
    public let unique: Bool
    /// The indexed terms; empty for an index that a column declares.
    public let terms: [SQLExpression]
    /// The condition of a partial index; nil for all rows.
    public let condition: SQLExpression?

    /// Declares an index.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the whole schema.
    ///   - unique: whether rows must be unique in it.
    ///   - terms: columns or expressions; none for the column that declares it.
    ///   - condition: the condition for a row to be in the index.
    public init(
        name: String, unique: Bool = false, on terms: any SQLRepresentable...,
        where condition: (any SQLRepresentable)? = nil
    ) {
        self.name = name
        self.unique = unique
        self.terms = terms.map(\.sqlExpression)
        self.condition = condition?.sqlExpression
    }

    /// `CREATE INDEX`. The schema precedes the index's name; values are written as literals, since
    /// parameters are not allowed.
    func createSQL(
        on table: String, of column: SQLColumn?, inSchema schema: String?, ifNotExists: Bool
    ) -> SQLExpression {
        let terms = terms.isEmpty ? column.map { [$0.sqlExpression] } ?? [] : terms
        let list = terms.map(\.literal).joined(separator: ", ")
        let rest = condition.map { " WHERE \($0.literal)" } ?? ""
        let name = qualifiedName(name, inSchema: schema)
        let verb = unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
        return SQLExpression(
            verb + (ifNotExists ? " IF NOT EXISTS " : " ") + name
                + " ON \(table.sqlName) (\(list))\(rest)")
    }
}
