public import FleeceLite
internal import QueryLanguage

/// A row of the result of a query. It owns its values, and outlives the snapshot.
///
/// ```swift
/// let name = row["name"].string, age = row[1].int
/// let person = try row.decode(Person.self)
/// ```
public struct ResultRow: Sendable {
    private let columns: QueryColumns
    private let values: [QueryValue]
    /// The ID of the document that the row is of, where that was asked for.
    let key: String?

    init(_ columns: QueryColumns, _ values: [QueryValue], key: String?) {
        self.columns = columns
        self.values = values
        self.key = key
    }

    /// How many columns there are.
    public var count: Int { values.count }

    /// The titles of the columns: aliases, the last names of paths, `$1`, `$2`, … for the rest.
    public var columnNames: [String] { columns.columnNames }

    /// The value of a column by its number, from 0; missing if there is no such column.
    public subscript(index: Int) -> QueryValue {
        values.indices.contains(index) ? values[index] : .missing
    }

    /// The value of a column by its title; missing if there is no such column.
    public subscript(title: String) -> QueryValue {
        columns.index(title).map { values[$0] } ?? .missing
    }

    /// Whether there is a column with this title.
    public func hasColumn(_ title: String) -> Bool { columns.index(title) != nil }
}

extension ResultRow {
    /// The row without its last columns.
    func dropping(last count: Int) -> ResultRow {
        ResultRow(
            QueryColumns(columns.columnNames.dropLast(count)), Array(values.dropLast(count)), key: key)
    }
}

extension ResultRow: Hashable {
    /// Whether the titles and the values are the same.
    public static func == (one: ResultRow, other: ResultRow) -> Bool {
        one.values == other.values
            && (one.columns === other.columns || one.columns.columnNames == other.columns.columnNames)
    }

    /// Adds the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

// Other forms.
extension ResultRow {
    /// The row as a value of a type, whose properties are the columns; what is missing is left out.
    ///
    /// A row of one column that is a whole document, as of `SELECT *`, is decoded from that
    /// document, if the type does not ask for the column itself.
    ///
    /// Throws `DecodingError`.
    public func decode<Value: Decodable>(
        _ type: Value.Type, with decoder: FleeceRowDecoder = .shared
    ) throws -> Value {
        let row = try document().root
        guard values.count == 1, case .dictionary(let only) = values[0] else {
            return try decoder.decode(type, from: row)
        }
        do {
            return try decoder.decode(type, from: row)
        } catch let error as DecodingError {
            guard let value = try? decoder.decode(type, from: only.value) else { throw error }
            return value
        }
    }

    /// The row as a JSON object; what is missing is left out.
    public func json() throws -> String {
        try document().root.json()
    }

    /// The row as a dictionary; what is missing is left out.
    public func document() throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (title, value) in zip(columns.columnNames, values) where !value.isMissing {
            try encoder.writeKey(title)
            try encoder.write(value)
        }
        try encoder.endDictionary()
        return try FleeceDocument(trusted: encoder.finish())
    }
}
