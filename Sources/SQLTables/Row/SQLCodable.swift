public import SQLCore

/// A type whose instances are rows of a table.
///
/// A conforming type declares its columns and its ``table`` as constants, creates itself from a
/// ``SQLRow``, and stores itself in one. `SQLContext` then creates the table, and inserts, fetches,
/// updates and deletes instances. For faster reading, conform to ``SQLPositionalCodable`` as well.
public protocol SQLCodable {
    /// The table; store it in a `static let`.
    static var table: SQLTable { get }

    /// Creates an instance from a row of the table.
    ///
    /// - Parameters:
    ///   - row: the row; read its values with methods of the columns, such as
    ///     ``SQLColumn/textValue(in:)``.
    ///   - context: the context that reads the row. It can be used for further queries.
    init(row: SQLRow, context: SQLContext) throws

    /// Stores the instance's values in a row of the table, all of whose columns are initially null.
    ///
    /// A row that is assigned as a whole may have its columns in any order; missing ones are null.
    func encode(row: inout SQLRow) throws
}

extension SQLCodable {
    /// Returns the instance's row.
    public func encodedRow() throws -> SQLRow {
        var row = SQLRow(index: Self.table.columnIndex)
        try encode(into: &row)
        return row
    }

    /// Returns whether the instance has not been inserted yet: its key columns are all null or 0.
    /// Nil if its table has no primary key.
    public func isNewInstance() throws -> Bool? {
        let keys = Self.table.declaration.keyPositions
        if keys.isEmpty { return nil }
        let row = try encodedRow()
        return keys.allSatisfy { row.values[$0].isNull || row.values[$0] == .long(0) }
    }

    /// Overwrites a row of the table with the instance's values.
    ///
    /// Throws `.unknownColumn` if the type sets a column that its table does not have.
    func encode(into row: inout SQLRow) throws {
        row.clear()
        try encode(row: &row)
        let index = Self.table.columnIndex
        if row.index !== index { row = try row.arranged(by: index) }
    }

    /// Returns the values of the key columns in a row of the table.
    static func keyValues(of row: SQLRow) throws -> [SQLValue] {
        try table.requireKeys().map { row.values[$0] }
    }
}

extension SQLTable {
    /// Returns the positions of the key columns; throws `.noPrimaryKeys` if there are none.
    func requireKeys() throws -> [Int] {
        let keys = declaration.keyPositions
        guard !keys.isEmpty else { throw SQLBindingError.noPrimaryKeys(name) }
        return keys
    }
}
