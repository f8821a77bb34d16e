internal import SQLCore

/// An error for a row that does not fit a Swift type. It never contains the row's values.
///
/// Reading a required value, fetching by a key and encoding an instance throw it. It means that the
/// declaration of the type and the table in the file differ, or that another program has written
/// the row.
///
/// ```swift
/// do {
///     use(try database.fetchAll(Player.self))
/// } catch SQLBindingError.nullColumn(let column) {
///     use("a player has no \(column.name)")
/// } catch SQLBindingError.typeMismatch(let column) {
///     use("\(column.name) has a value of another type")
/// }
/// ```
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

    /// Returns the value; throws ``nullColumn(_:)`` if it is nil.
    ///
    /// It is for a decoder that computes a value itself:
    ///
    /// ```swift
    /// let row: SQLRow = [Player.name: .text("Ada")]
    /// let initial = try SQLBindingError.checkNonNull(
    ///     Player.name.textValue(in: row)?.first, in: Player.name)
    /// ```
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The column that the error names.
    public static func checkNonNull<T>(_ value: T?, in column: SQLColumn) throws -> T {
        guard let value else { throw SQLBindingError.nullColumn(column) }
        return value
    }

    /// Returns the value; throws ``nullColumn(_:)`` if it is nil. The form of older SkipSQL code;
    /// new code uses ``checkNonNull(_:in:)``.
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
