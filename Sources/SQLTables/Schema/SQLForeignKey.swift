internal import SQLCore

/// What happens to a row when the row it points to is deleted, or gets another key.
public enum SQLForeignKeyAction: String, Hashable, Sendable {
    /// The same happens to it.
    case cascade = "CASCADE"
    /// The change is refused, at once.
    case restrict = "RESTRICT"
    /// Its columns become null.
    case setNull = "SET NULL"
    /// Its columns get their default values.
    case setDefault = "SET DEFAULT"
}

/// A reference to the rows of another table.
///
/// In a column it has one target column; in a table it may join several of each. It holds names
/// only, so that a table may point to itself.
public struct SQLForeignKey: Hashable, Sendable {
    /// The columns that point; empty for the column that declares it.
    public let from: [String]
    /// The table that is pointed to.
    public let table: String
    /// The columns that are pointed to, as many as point.
    public let columns: [String]
    /// What a deletion does.
    public let onDelete: SQLForeignKeyAction?
    /// What a change of the key does.
    public let onUpdate: SQLForeignKeyAction?

    /// The reference of one column, given to it as `references`.
    public init(
        table: SQLTable, column: SQLColumn, onDelete: SQLForeignKeyAction? = nil,
        onUpdate: SQLForeignKeyAction? = nil
    ) {
        self.init(
            tableName: table.name, columnName: column.name, onDelete: onDelete,
            onUpdate: onUpdate)
    }

    /// The same by names: for a table that points to itself, or to one without a Swift type.
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

    /// The reference of several columns, given to their table as one of `foreignKeys`.
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
