public import SQLCore

/// The values of a row, by position and by column.
///
/// A row of a table shares the table's column index, so that lookups do not compare names.
/// ```swift
/// row[Self.id] = SQLValue(id)
/// let id = row[Self.id]?.longValue
/// ```
public struct SQLRow: Sendable {
    private(set) var index: SQLColumnIndex
    /// The values, in the order of `columns`.
    public internal(set) var values: [SQLValue]

    /// Creates a row without columns; each column that is set is added.
    public init() {
        self.init(index: SQLColumnIndex([]))
    }

    /// Creates a row with these columns, all null.
    public init(columns: [SQLColumn]) {
        self.init(index: SQLColumnIndex(columns))
    }

    init(index: SQLColumnIndex) {
        self.index = index
        values = [SQLValue](repeating: .null, count: index.columns.count)
    }

    /// The columns.
    public var columns: [SQLColumn] { index.columns }

    /// The value of a column; nil if the row lacks the column. Setting a value adds the column.
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
    /// Returns whether both have the same columns and values, in the same order.
    public static func == (left: SQLRow, right: SQLRow) -> Bool {
        left.values == right.values && (left.index === right.index || left.columns == right.columns)
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension SQLRow: ExpressibleByDictionaryLiteral {
    /// Creates a row of columns with their values.
    public init(dictionaryLiteral elements: (SQLColumn, SQLValue)...) {
        self.init()
        for (column, value) in elements { self[column] = value }
    }
}
