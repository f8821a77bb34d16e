public import SQLCore

/// A type whose instances are rows of a table.
public protocol SQLCodable {
    /// The table, kept in a `static let`.
    static var table: SQLTable { get }

    /// Makes an instance of a row of the table. The context is the one that is being read.
    init(row: SQLRow, context: SQLContext) throws

    /// Puts the instance's values into a row of the table, in which all is null before.
    ///
    /// A row that is assigned as a whole may have its columns in any order; missing ones are null.
    func encode(row: inout SQLRow) throws
}

extension SQLCodable {
    /// The instance's row.
    public func encodedRow() throws -> SQLRow {
        var row = SQLRow(index: Self.table.columnIndex)
        try encode(into: &row)
        return row
    }

    /// Whether it has not been inserted yet: its key columns are all null or 0. Nil if its table
    /// has no primary key.
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

    /// The values of the key columns in one of its rows.
    static func keyValues(of row: SQLRow) throws -> [SQLValue] {
        try table.requireKeys().map { row.values[$0] }
    }
}

extension SQLTable {
    /// The positions of the key columns, or the error of a table without any.
    func requireKeys() throws -> [Int] {
        let keys = declaration.keyPositions
        guard !keys.isEmpty else { throw SQLBindingError.noPrimaryKeys(name) }
        return keys
    }
}
