internal import SQLCore

/// What a table is besides its columns.
public struct SQLTableOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Wraps the bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Rows are stored by their primary key: `WITHOUT ROWID`.
    public static let withoutRowID = SQLTableOptions(rawValue: 1)
    /// Values must have the type of their column: `STRICT`, from SQLite 3.37.
    public static let strict = SQLTableOptions(rawValue: 2)
}

/// The declaration of a table.
///
/// Keep it in a `static let`, since making one takes longer than using it.
public struct SQLTable: Sendable {
    final class Declaration: Sendable {
        let name: String
        let columnIndex: SQLColumnIndex
        let keyPositions: [Int]
        /// Where the columns are that are written: all but the generated ones.
        let writtenPositions: [Int]
        /// The quoted columns with commas, as `SELECT` lists them.
        let columnList: String
        /// The statement that finds a row by its key.
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
    ///   - name: as it is, without quotes.
    ///   - columns: in the order in which they are created and selected.
    ///   - indexes: indexes of several columns, of expressions, or of some rows.
    ///   - foreignKeys: references of several columns each.
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
    /// The columns.
    public var columns: [SQLColumn] { columnIndex.columns }
    /// The indexes that are not a single column's.
    public var indexes: [SQLIndex] { declaration.indexes }
    /// The references that are not a single column's.
    public var foreignKeys: [SQLForeignKey] { declaration.foreignKeys }
    /// The conditions that every row meets.
    public var checks: [SQLExpression] { declaration.checks }
    /// `WITHOUT ROWID` and `STRICT`.
    public var options: SQLTableOptions { declaration.options }

    /// The columns that make up the primary key.
    public var primaryKeyColumns: [SQLColumn] {
        declaration.keyPositions.map { columns[$0] }
    }

    /// The name in double quotes.
    public var quotedName: String { name.sqlName }

    /// The name in double quotes, with its schema.
    public func quotedName(inSchema schema: String?) -> String {
        qualifiedName(name, inSchema: schema)
    }

    var columnList: String { declaration.columnList }

    var columnIndex: SQLColumnIndex { declaration.columnIndex }
}

extension SQLTable: Hashable {
    /// Whether both are declared alike.
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

/// Where each column of a table stands in its rows: made once per table, shared by its rows.
///
/// A column is found by its identity, in a small hash table of positions; one that was declared
/// again elsewhere is found by its name.
final class SQLColumnIndex: Sendable {
    let columns: [SQLColumn]
    /// Positions in `columns`, or -1 where the hash table is empty; a power of two of them.
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

    /// The position of a column, or nil if the table has none of this name.
    func position(of column: SQLColumn) -> Int? {
        identicalPosition(of: column) ?? positions[column.name]
    }

    /// The position of this very declaration.
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
        // Addresses are multiples of 16, often at equal distances: the product spreads them.
        let address = UInt(bitPattern: ObjectIdentifier(column.declaration))
        return Int(truncatingIfNeeded: ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
