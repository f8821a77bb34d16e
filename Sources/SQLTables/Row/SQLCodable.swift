public import SQLCore

/// A type whose instances are rows of a table.
///
/// A conforming type declares its columns and its ``table`` as constants, creates itself from a
/// ``SQLRow``, and stores itself in one. `SQLContext` then creates the table, and inserts, fetches,
/// updates and deletes instances.
///
/// ```swift
/// struct City: SQLCodable {
///     static let id = SQLColumn(
///         name: "ID", type: .long, primaryKey: true, autoincrement: true)
///     static let name = SQLColumn(name: "NAME", type: .text, unique: true, nullable: false)
///     static let table = SQLTable(name: "CITY", columns: [id, name])
///
///     var id: Int64 = 0
///     var name: String
///
///     init(name: String) { self.name = name }
///     init(row: SQLRow, context: SQLContext) throws {
///         id = try Self.id.longValueRequired(in: row)
///         name = try Self.name.textValueRequired(in: row)
///     }
///     func encode(row: inout SQLRow) throws {
///         row[Self.id] = SQLValue(id)
///         row[Self.name] = SQLValue(name)
///     }
/// }
/// try database.createTableIfNotExists(City.self)
/// let oslo = try database.insert(City(name: "Oslo"))
/// let found = try database.fetchAll(City.self, where: City.name.like(.text("O%")))
/// ```
/// A type can be a struct or a class. Its properties need not correspond to its columns one by one:
/// `encode` and `init` convert them. For faster reading, conform to ``SQLPositionalCodable`` as
/// well.
///
/// It is independent of `Codable`. See <doc:TablesAsTypes> and <doc:QueriesAndJoins>.
public protocol SQLCodable {
    /// The table; store it in a `static let`, since creating one takes longer than using it, and
    /// rows find their columns by the identity of the declaration.
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
    ///
    /// ```swift
    /// let row = try player.encodedRow()
    /// for (column, value) in zip(row.columns, row.values) { use(column.name, value) }
    /// ```
    ///
    /// - Returns: A row with all columns of the table.
    /// - Throws: ``SQLBindingError/unknownColumn(_:)`` if the type sets a column that its table
    ///   does not have, or an error of ``encode(row:)``.
    public func encodedRow() throws -> SQLRow {
        var row = SQLRow(index: Self.table.columnIndex)
        try encode(into: &row)
        return row
    }

    /// Returns whether the instance has not been inserted yet: its key columns are all null or 0.
    ///
    /// It does not read the database.
    ///
    /// ```swift
    /// var ada = Player(name: "Ada")
    /// if try ada.isNewInstance() == true {
    ///     ada = try database.insert(ada)
    /// } else {
    ///     try database.update(ada)
    /// }
    /// ```
    /// - Returns: Nil if the table has no primary key.
    /// - Throws: An error of ``encode(row:)``.
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
