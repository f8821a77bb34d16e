internal import SQLCore

/// An index: on one column, if that column declares it; on several columns or expressions, and
/// possibly for some rows only, if its table declares it.
///
/// ```swift
/// let table = SQLTable(
///     name: "MEMBER", columns: [Player.id, Player.name, Player.team],
///     indexes: [
///         SQLIndex(name: "MEMBER_TEAM_NAME", on: Player.team, Player.name),
///         SQLIndex(
///             name: "MEMBER_FREE", on: SQLExpression("lower(\"NAME\")"),
///             where: Player.team.isNull()),
///     ])
/// ```
/// It speeds up conditions and orders on its first terms, and costs time at each write and space in
/// the file. SQLite uses a partial index only if the condition of a query implies that of the
/// index.
///
/// `createTableIfNotExists(_:inSchema:)` creates it with its table. To add it to an existing table,
/// run the statement of ``SQLTable/createIndexSQL(for:inSchema:ifNotExists:)`` in a migration.
public struct SQLIndex: Hashable, Sendable {
    /// The name, unique in the whole schema.
    public let name: String
    /// Whether rows must be unique in it (default: false). Rows with a null term are always unique.
    public let unique: Bool
    /// The indexed terms, in order; empty for an index that a column declares.
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
