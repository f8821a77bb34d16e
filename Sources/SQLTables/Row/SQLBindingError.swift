internal import SQLCore

/// A row and a Swift type that do not fit together. Values are never part of it.
public enum SQLBindingError: Error, Hashable, Sendable {
    /// The column does not belong to the table.
    case unknownColumn(SQLColumn)
    /// The column is null, and must not be.
    case nullColumn(SQLColumn)
    /// The column holds a value that is not of the type that was asked for.
    case typeMismatch(SQLColumn)
    /// There are more or fewer values than columns.
    case columnValuesMismatch(columns: [String], valueCount: Int)
    /// The table has no primary key, so that its rows cannot be told apart.
    case noPrimaryKeys(String)

    /// The value, or the error of a null one if there is none.
    public static func checkNonNull<T>(_ value: T?, in column: SQLColumn) throws -> T {
        guard let value else { throw SQLBindingError.nullColumn(column) }
        return value
    }

    /// The same, as older code of SkipSQL spells it.
    public static func checkNonNull<T>(_ value: T?, _ column: SQLColumn) throws -> T {
        try checkNonNull(value, in: column)
    }
}

extension SQLBindingError: CustomStringConvertible {
    /// What is wrong, and with which column.
    public var description: String {
        switch self {
        case .unknownColumn(let column): "\(column.quotedName) is not a column of the table"
        case .nullColumn(let column): "\(column.quotedName) is null, and must have a value"
        case .typeMismatch(let column):
            "\(column.quotedName) holds a value of another type than the one asked for"
        case .columnValuesMismatch(let columns, let count):
            "\(count) values for the columns \(columns.joined(separator: ", "))"
        case .noPrimaryKeys(let table): "the table \(table.sqlName) declares no primary key"
        }
    }
}
