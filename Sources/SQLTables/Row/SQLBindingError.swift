internal import SQLCore

/// An error for a row that does not fit a Swift type. It never contains the row's values.
public enum SQLBindingError: Error, Hashable, Sendable {
    /// The column does not belong to the table.
    case unknownColumn(SQLColumn)
    /// The column is null, which is not allowed.
    case nullColumn(SQLColumn)
    /// The column's value is not of the requested type.
    case typeMismatch(SQLColumn)
    /// The number of values differs from the column count.
    case columnValuesMismatch(columns: [String], valueCount: Int)
    /// The table has no primary key, so that its rows cannot be identified.
    case noPrimaryKeys(String)

    /// Returns the value; throws `.nullColumn` if it is nil.
    public static func checkNonNull<T>(_ value: T?, in column: SQLColumn) throws -> T {
        guard let value else { throw SQLBindingError.nullColumn(column) }
        return value
    }

    /// Returns the value; throws `.nullColumn` if it is nil. The form of older SkipSQL code.
    public static func checkNonNull<T>(_ value: T?, _ column: SQLColumn) throws -> T {
        try checkNonNull(value, in: column)
    }
}

extension SQLBindingError: CustomStringConvertible {
    /// A description of the error, with the column.
    public var description: String {
        switch self {
        case .unknownColumn(let column): "\(column.quotedName) is not a column of the table"
        case .nullColumn(let column): "\(column.quotedName) is null, and must have a value"
        case .typeMismatch(let column):
            "\(column.quotedName) holds a value that is not of the requested type"
        case .columnValuesMismatch(let columns, let count):
            "\(count) values for the columns \(columns.joined(separator: ", "))"
        case .noPrimaryKeys(let table): "the table \(table.sqlName) declares no primary key"
        }
    }
}
