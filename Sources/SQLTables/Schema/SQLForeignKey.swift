internal import SQLCore

/// The effect on a row when the row that it refers to is deleted, or gets another key.
///
/// Without an action, the change is rejected at the end of the statement.
public enum SQLForeignKeyAction: String, Hashable, Sendable {
    /// The row is deleted, or updated, as well.
    case cascade = "CASCADE"
    /// The change is rejected immediately.
    case restrict = "RESTRICT"
    /// The referring columns become null.
    case setNull = "SET NULL"
    /// The referring columns get their default values.
    case setDefault = "SET DEFAULT"
}

/// A foreign key: a reference to rows of another table.
///
/// In a column it has one target column; in a table it may have several columns. It stores names
/// only, so that a table may refer to itself.
///
/// ```swift
/// let author = SQLColumn(
///     name: "AUTHOR", type: .long,
///     references: SQLForeignKey(table: Player.table, column: Player.id, onDelete: .cascade))
/// let parent = SQLColumn(
///     name: "PARENT", type: .long,
///     references: SQLForeignKey(tableName: "COMMENT", columnName: "ID"))
/// ```
/// SQLite enforces it only if foreign keys are enabled on the connection, which they are not by
/// default: set `foreignKeysEnabled`. The target must be a primary key or unique. An index on the
/// referring column makes deletions of target rows fast.
///
/// A join can use it as its condition: ``SQLTableQuery/join(_:alias:schema:kind:on:)``.
public struct SQLForeignKey: Hashable, Sendable {
    /// The referring columns; empty for a foreign key that a column declares.
    public let from: [String]
    /// The table that is referred to.
    public let table: String
    /// The columns that are referred to, as many as refer to them.
    public let columns: [String]
    /// The effect of a deletion of the target row; nil rejects it while rows refer to it.
    public let onDelete: SQLForeignKeyAction?
    /// The effect of a change of the target's key; nil rejects it while rows refer to it.
    public let onUpdate: SQLForeignKeyAction?

    /// Creates the foreign key of one column, for its parameter `references`.
    ///
    /// - Parameters:
    ///   - table: The table that is referred to.
    ///   - column: Its column, a primary key or unique.
    ///   - onDelete: The effect of a deletion; nil rejects it.
    ///   - onUpdate: The effect of a change of the key; nil rejects it.
    public init(
        table: SQLTable, column: SQLColumn, onDelete: SQLForeignKeyAction? = nil,
        onUpdate: SQLForeignKeyAction? = nil
    ) {
        self.init(
            tableName: table.name, columnName: column.name, onDelete: onDelete,
            onUpdate: onUpdate)
    }

    /// Creates the foreign key of one column by names: for a table that refers to itself, or to one
    /// without a Swift type.
    ///
    /// - Parameters:
    ///   - tableName: The name of the table that is referred to.
    ///   - columnName: The name of its column, a primary key or unique.
    ///   - onDelete: The effect of a deletion; nil rejects it.
    ///   - onUpdate: The effect of a change of the key; nil rejects it.
    public init(
        tableName: String, columnName: String, onDelete: SQLForeignKeyAction? = nil,
        onUpdate: SQLForeignKeyAction? = nil
    ) {
        self.from = []
        self.table = tableName
        self.columns = [columnName]
        self.onDelete = onDelete
        self.onUpdate = onUpdate
    }

    /// Creates the foreign key of several columns, for their table's parameter `foreignKeys`.
    ///
    /// ```swift
    /// let player = SQLColumn(name: "PLAYER", type: .long)
    /// let year = SQLColumn(name: "YEAR", type: .long)
    /// let award = SQLTable(
    ///     name: "AWARD", columns: [player, year],
    ///     foreignKeys: [
    ///         SQLForeignKey(
    ///             from: [player, year], table: Season.table,
    ///             columns: [Season.player, Season.year])
    ///     ])
    /// ```
    /// - Parameters:
    ///   - from: The referring columns.
    ///   - table: The table that is referred to.
    ///   - columns: Its columns, as many as refer to them, in the same order.
    ///   - onDelete: The effect of a deletion; nil rejects it.
    ///   - onUpdate: The effect of a change of the key; nil rejects it.
    public init(
        from: [SQLColumn], table: SQLTable, columns: [SQLColumn],
        onDelete: SQLForeignKeyAction? = nil, onUpdate: SQLForeignKeyAction? = nil
    ) {
        self.from = from.map(\.name)
        self.table = table.name
        self.columns = columns.map(\.name)
        self.onDelete = onDelete
        self.onUpdate = onUpdate
    }

    /// `REFERENCES "T"("C") ON DELETE … ON UPDATE …`
    var referencesSQL: String {
        let names = columns.map(\.sqlName).joined(separator: ", ")
        let deletion = onDelete.map { " ON DELETE \($0.rawValue)" } ?? ""
        let change = onUpdate.map { " ON UPDATE \($0.rawValue)" } ?? ""
        return "REFERENCES \(table.sqlName)(\(names))\(deletion)\(change)"
    }

    /// `FOREIGN KEY("A", "B") REFERENCES …`
    func constraintSQL(of column: SQLColumn? = nil) -> String {
        let names = column.map { [$0.name] } ?? from
        return "FOREIGN KEY(\(names.map(\.sqlName).joined(separator: ", "))) \(referencesSQL)"
    }
}
