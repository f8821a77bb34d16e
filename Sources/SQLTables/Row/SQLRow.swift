public import SQLCore

/// The values of a row, by position and by column.
///
/// A ``SQLCodable`` type reads its properties from a row, and writes them to one.
///
/// ```swift
/// var row = SQLRow(columns: Player.table.columns)
/// row[Player.name] = .text("Ada")
/// row[Player.score] = SQLValue(12)
/// let score = row[Player.score]?.longValue
/// ```
/// A row of a table shares the table's column index, so that lookups do not compare names: a value
/// is found in constant time. A column that was declared elsewhere with the same name is found by
/// its name.
///
/// The typed accessors of ``SQLColumn``, such as ``SQLColumn/textValue(in:)``, convert the values.
public struct SQLRow: Sendable {
    private(set) var index: SQLColumnIndex
    /// The values, in the order of `columns`.
    public internal(set) var values: [SQLValue]

    /// Creates a row without columns; each column that is set is added.
    ///
    /// Adding a column builds a new index; create a row with its columns if you set many.
    public init() {
        self.init(index: SQLColumnIndex([]))
    }

    /// Creates a row with these columns, all null.
    ///
    /// - Parameter columns: The columns, usually those of a ``SQLTable``.
    public init(columns: [SQLColumn]) {
        self.init(index: SQLColumnIndex(columns))
    }

    init(index: SQLColumnIndex) {
        self.index = index
        values = [SQLValue](repeating: .null, count: index.columns.count)
    }

    /// The columns, in the order of ``values``.
    public var columns: [SQLColumn] { index.columns }

    /// The value of a column; nil if the row lacks the column.
    ///
    /// Setting a value adds the column, and setting nil stores `.null`.
    ///
    /// ```swift
    /// var row = SQLRow()
    /// row[Player.name] = .text("Ada")
    /// row[Player.team] = nil
    /// let isFree = row[Player.team] == .null
    /// ```
    public subscript(column: SQLColumn) -> SQLValue? {
        get { index.position(of: column).map { values[$0] } }
        set { set(newValue ?? .null, for: column) }
    }

    private mutating func set(_ value: SQLValue, for column: SQLColumn) {
        if let position = index.position(of: column) {
            values[position] = value
        } else {
            index = SQLColumnIndex(index.columns + [column])
            values.append(value)
        }
    }
}

extension SQLRow {
    /// Sets all values to null.
    mutating func clear() {
        for position in values.indices { values[position] = .null }
    }

    /// Returns the values in the order of another index; null for a column that the row lacks.
    ///
    /// Throws `.unknownColumn` for a column that the other index lacks.
    func arranged(by other: SQLColumnIndex) throws -> SQLRow {
        if let unknown = columns.first(where: { other.position(of: $0) == nil }) {
            throw SQLBindingError.unknownColumn(unknown)
        }
        var result = SQLRow(index: other)
        for (position, column) in other.columns.enumerated() {
            result.values[position] = self[column] ?? .null
        }
        return result
    }

    /// Reads the values of a statement's current row, starting at one of its columns.
    @usableFromInline
    mutating func read(_ statement: SQLStatement, from start: Int = 0) {
        values.withUnsafeMutableBufferPointer { values in
            for position in values.indices {
                values[position] = statement.value(at: start &+ position)
            }
        }
    }
}

extension SQLRow: Hashable {
    /// Returns whether both have the same columns and values, in the same order. The names of
    /// columns alone are not sufficient: their declarations must be equal.
    public static func == (left: SQLRow, right: SQLRow) -> Bool {
        left.values == right.values && (left.index === right.index || left.columns == right.columns)
    }

    /// Hashes the values. Rows with equal values and other columns have equal hashes, but are not
    /// equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension SQLRow: ExpressibleByDictionaryLiteral {
    /// Creates a row of columns with their values.
    ///
    /// ```swift
    /// let row: SQLRow = [Player.id: .long(7), Player.name: .text("Ada"), Player.score: .null]
    /// let ada = try Player(row: row, context: database)
    /// ```
    /// If a column occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (SQLColumn, SQLValue)...) {
        self.init()
        for (column, value) in elements { self[column] = value }
    }
}
