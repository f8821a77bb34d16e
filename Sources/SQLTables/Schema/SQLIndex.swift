internal import SQLCore

/// An index. Of one column, if that column declares it; of several columns or expressions, and of
/// some rows only, if its table does.
///
/// ```swift
/// SQLIndex(name: "IDX_MAIL", unique: true, on: SQLExpression("lower(\"MAIL\")"),
///     where: SQLExpression("\"MAIL\" IS NOT NULL"))
/// ```
public struct SQLIndex: Hashable, Sendable {
    /// Its name, one of its own in the whole schema.
    public let name: String
    /// Whether no two rows may be equal in it.
    public let unique: Bool
    /// What is indexed; empty for the column that declares it.
    public let terms: [SQLExpression]
    /// Which rows are in it; nil for all.
    public let condition: SQLExpression?

    /// Declares an index.
    ///
    /// - Parameters:
    ///   - name: a name of its own in the whole schema.
    ///   - unique: whether no two rows may be equal in it.
    ///   - terms: columns or expressions; none for the column that declares it.
    ///   - condition: only rows for which it holds are in the index.
    public init(
        name: String, unique: Bool = false, on terms: any SQLRepresentable...,
        where condition: (any SQLRepresentable)? = nil
    ) {
        self.name = name
        self.unique = unique
        self.terms = terms.map(\.sqlExpression)
        self.condition = condition?.sqlExpression
    }

    /// `CREATE INDEX`. The schema stands before the index's name; values are written out, since
    /// there are no parameters here.
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
