internal import SQLCore

/// The way in which the rows of two tables are joined.
///
/// Only `left` and `inner` work with every version of SQLite; a right join can be written as a left
/// join with the tables exchanged.
public enum SQLJoinType: String, Hashable, Sendable {
    /// All rows of the previous tables, with nil where the new table has no match.
    case left = "LEFT JOIN"
    /// All rows of the new table, with nil where the previous ones have no match. From SQLite 3.39.
    case right = "RIGHT JOIN"
    /// All rows of both. From SQLite 3.39.
    case full = "FULL JOIN"
    /// Only rows that match.
    case inner = "INNER JOIN"
    /// Every combination of rows; takes no condition.
    case cross = "CROSS JOIN"
}

/// Something that determines which rows of a join match: a column with a foreign key, or a
/// predicate.
///
/// ```swift
/// let byKey: any SQLJoinCondition = Player.team
/// let byPredicate: any SQLJoinCondition = Player.name.equals(Team.name)
/// let query = database.query(Player.self).join(Team.self, on: byPredicate)
/// ```
/// ``SQLColumn``, ``SQLAliasedColumn`` and ``SQLPredicate`` conform to it.
public protocol SQLJoinCondition: Sendable {
    /// The condition in its general form.
    var joinTerm: SQLJoinTerm { get }
}

/// The two kinds of join conditions, to which every ``SQLJoinCondition`` is reduced.
public enum SQLJoinTerm: Sendable {
    /// The foreign key of a column, in the table with the alias if there is one.
    case foreignKey(SQLColumn, alias: String?)
    /// Any condition.
    case predicate(SQLPredicate)
}

extension SQLColumn: SQLJoinCondition {
    /// The foreign key of this column, whose table can be the joined one or a previous one.
    public var joinTerm: SQLJoinTerm { .foreignKey(self, alias: nil) }
}

extension SQLAliasedColumn: SQLJoinCondition {
    /// The foreign key of this column in the table with this alias.
    public var joinTerm: SQLJoinTerm { .foreignKey(column, alias: alias) }
}

extension SQLPredicate: SQLJoinCondition {
    /// The predicate itself, written after `ON`.
    public var joinTerm: SQLJoinTerm { .predicate(self) }
}

/// A table of a query.
struct SQLJoinSource: Sendable {
    var table: SQLTable
    var alias: String?
    var schema: String?
    var kind = SQLJoinType.inner
    var condition: (any SQLJoinCondition)?

    /// The quoted columns, each qualified by a quoted name.
    func columnList(of qualifier: String) -> String {
        table.columns.map { qualifier + "." + $0.quotedName }.joined(separator: ", ")
    }

    /// The table as written after `FROM`.
    func sql(as alias: String?) -> String {
        table.quotedName(inSchema: schema) + (alias.map { " AS " + $0.sqlName } ?? "")
    }

    /// Returns whether the column was declared for this table.
    func owns(_ column: SQLColumn) -> Bool {
        table.columnIndex.identicalPosition(of: column) != nil || table.columns.contains(column)
    }

    /// Returns the foreign keys that start with a column, alone or with others.
    func foreignKeys(from column: SQLColumn) -> [(from: [String], key: SQLForeignKey)] {
        let own = column.references.map { [([column.name], $0)] } ?? []
        return own
            + table.foreignKeys.filter { $0.from.contains(column.name) }.map { ($0.from, $0) }
    }
}
