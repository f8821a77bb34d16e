internal import SQLCore

/// The effect on a row when the row that it refers to is deleted, or gets another key.
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
public struct SQLForeignKey: Hashable, Sendable {
    /// The referring columns; empty for a foreign key that a column declares.
    public let from: [String]
    /// The table that is referred to.
    public let table: String
    /// The columns that are referred to, as many as refer to them.
    public let columns: [String]
    /// The effect of a deletion.
    public let onDelete: SQLForeignKeyAction?
    /// The effect of a change of the key.
    public let onUpdate: SQLForeignKeyAction?

    /// Creates the foreign key of one column, for its parameter `references`.
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
