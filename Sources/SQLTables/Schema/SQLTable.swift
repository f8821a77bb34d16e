internal import SQLCore

/// Options of a table.
///
/// ```swift
/// let codes = SQLTable(
///     name: "CODE", columns: [SQLColumn(name: "CODE", type: .text, primaryKey: true)],
///     options: [.withoutRowID, .strict])
/// ```
public struct SQLTableOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Rows are stored by their primary key: `WITHOUT ROWID`.
    ///
    /// It saves space and a lookup for keys that are not a single integer, if rows are small. Such
    /// a table has no rowid, and update hooks do not report its changes.
    public static let withoutRowID = SQLTableOptions(rawValue: 1)
    /// Values must have the type of their column: `STRICT`, from SQLite 3.37. Writing another type
    /// fails with a constraint error.
    public static let strict = SQLTableOptions(rawValue: 2)
}

/// The declaration of a table: its columns, indexes, foreign keys, checks and options.
///
/// ```swift
/// let year = SQLColumn(name: "YEAR", type: .long, primaryKey: true)
/// let city = SQLColumn(name: "CITY", type: .text, primaryKey: true)
/// let visitors = SQLColumn(name: "VISITORS", type: .long, nullable: false)
/// let fair = SQLTable(
///     name: "FAIR", columns: [year, city, visitors],
///     indexes: [SQLIndex(name: "FAIR_CITY", on: city, year)],
///     checks: [visitors.greaterThan(.long(0))])
/// try database.createTableIfNotExists(fair)
/// ```
/// A ``SQLCodable`` type has one as its ``SQLCodable/table``. It can also be used without a type,
/// for its SQL: ``createTableSQL(inSchema:ifNotExists:withIndexes:columns:additionalClauses:)``.
///
/// Store it in a `static let`, since creating one takes longer than using it. Two declarations are
/// equal if they declare the same.
public struct SQLTable: Sendable {
    final class Declaration: Sendable {
        let name: String
        let columnIndex: SQLColumnIndex
        let keyPositions: [Int]
        /// The positions of the columns that are written: all except generated ones.
        let writtenPositions: [Int]
        /// The quoted columns with commas, as listed after `SELECT`.
        let columnList: String
        /// The statement that fetches a row by its key.
        let fetchSQL: String
        let indexes: [SQLIndex]
        let foreignKeys: [SQLForeignKey]
        let checks: [SQLExpression]
        let options: SQLTableOptions

        init(
            name: String, columns: [SQLColumn], indexes: [SQLIndex],
            foreignKeys: [SQLForeignKey], checks: [SQLExpression], options: SQLTableOptions
        ) {
            self.name = name
            self.columnIndex = SQLColumnIndex(columns)
            self.keyPositions = columns.indices.filter { columns[$0].primaryKey }
            self.writtenPositions = columns.indices.filter { columns[$0].generated == nil }
            self.columnList = columns.map(\.quotedName).joined(separator: ", ")
            self.fetchSQL =
                "SELECT " + columnList + " FROM " + name.sqlName
                + whereSQL(columns.filter(\.primaryKey))
            self.indexes = indexes
            self.foreignKeys = foreignKeys
            self.checks = checks
            self.options = options
        }
    }

    let declaration: Declaration

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: the name, without quotes.
    ///   - columns: the columns, in the order in which they are created and selected.
    ///   - indexes: indexes on several columns, on expressions, or for some rows.
    ///   - foreignKeys: foreign keys of several columns.
    ///   - checks: conditions that every row must meet.
    ///   - options: `WITHOUT ROWID` and `STRICT`.
    public init(
        name: String, columns: [SQLColumn], indexes: [SQLIndex] = [],
        foreignKeys: [SQLForeignKey] = [], checks: [any SQLRepresentable] = [],
        options: SQLTableOptions = []
    ) {
        declaration = Declaration(
            name: name, columns: columns, indexes: indexes, foreignKeys: foreignKeys,
            checks: checks.map(\.sqlExpression), options: options)
    }

    /// The name, without quotes.
    public var name: String { declaration.name }
    /// The columns, in the order in which they are created, selected and stored in a ``SQLRow``.
    public var columns: [SQLColumn] { columnIndex.columns }
    /// The indexes that are not declared by a column; see ``SQLColumn/index`` for the others.
    public var indexes: [SQLIndex] { declaration.indexes }
    /// The foreign keys that are not declared by a column; see ``SQLColumn/references`` for the
    /// others.
    public var foreignKeys: [SQLForeignKey] { declaration.foreignKeys }
    /// The conditions that every row must meet. Writing a row that does not fails with a constraint
    /// error.
    public var checks: [SQLExpression] { declaration.checks }
    /// `WITHOUT ROWID` and `STRICT`.
    public var options: SQLTableOptions { declaration.options }

    /// The columns of the primary key, in the order of ``columns``; empty if there is none.
    ///
    /// Without a key, rows can be inserted and queried, but `fetch`, `update`, `refresh` and
    /// `delete(instances:inSchema:)` throw ``SQLBindingError/noPrimaryKeys(_:)``.
    public var primaryKeyColumns: [SQLColumn] {
        declaration.keyPositions.map { columns[$0] }
    }

    /// The name in double quotes, with quotes in it doubled, as SQL needs it.
    public var quotedName: String { name.sqlName }

    /// Returns the name in double quotes, with its schema: `"archive"."PLAYER"`.
    ///
    /// - Parameter schema: The attached database; nil for the name alone.
    public func quotedName(inSchema schema: String?) -> String {
        qualifiedName(name, inSchema: schema)
    }

    var columnList: String { declaration.columnList }

    var columnIndex: SQLColumnIndex { declaration.columnIndex }
}

extension SQLTable: Hashable {
    /// Returns whether both have the same declaration, in all properties. It is fast for copies of
    /// one table.
    public static func == (left: SQLTable, right: SQLTable) -> Bool {
        let (a, b) = (left.declaration, right.declaration)
        if a === b { return true }
        return a.name == b.name && left.columns == right.columns && a.indexes == b.indexes
            && a.foreignKeys == b.foreignKeys && a.checks == b.checks && a.options == b.options
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension SQLTable {
    /// ` WHERE "A" = ? AND "B" = ?`, for the key columns.
    var whereKeySQL: String { whereSQL(primaryKeyColumns) }
}

private func whereSQL(_ columns: [SQLColumn]) -> String {
    " WHERE " + columns.map { $0.quotedName + " = ?" }.joined(separator: " AND ")
}

/// The position of each column of a table in its rows: created once per table, shared by its rows.
///
/// A column is found by the identity of its declaration, in a small hash table of positions; one
/// that was declared again elsewhere is found by its name.
final class SQLColumnIndex: Sendable {
    let columns: [SQLColumn]
    /// Positions in `columns`, or -1 for an empty slot; the number of slots is a power of two.
    private let slots: [Int32]
    private let positions: [String: Int]

    init(_ columns: [SQLColumn]) {
        self.columns = columns
        var size = 4
        while size < columns.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (position, column) in columns.enumerated() {
            var slot = Self.hash(of: column) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(position)
        }
        self.slots = slots
        positions = Dictionary(
            columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The position of a column; nil if the table does not have one of this name.
    func position(of column: SQLColumn) -> Int? {
        identicalPosition(of: column) ?? positions[column.name]
    }

    /// The position of exactly this declaration.
    func identicalPosition(of column: SQLColumn) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(of: column) & mask
        while slots[slot] >= 0 {
            let position = Int(slots[slot])
            if columns[position].declaration === column.declaration { return position }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func hash(of column: SQLColumn) -> Int {
        // Addresses are multiples of 16, often at equal distances: the product distributes them.
        let address = UInt(bitPattern: ObjectIdentifier(column.declaration))
        return Int(truncatingIfNeeded: ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
