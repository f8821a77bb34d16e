public import FleeceLite
internal import QueryLanguage

/// A row of a query's result. It owns its values and remains valid after the snapshot ends.
///
/// ```swift
/// let name = row["name"].string, age = row[1].int
/// let person = try row.decode(Person.self)
/// ```
/// Columns are read by name or by index, from 0. A column that does not exist is missing, not an
/// error; use ``decode(_:with:)`` where a wrong name must be noticed.
///
/// Rows are equal if their column names and values are, so tests can compare them:
///
/// ```swift
/// let rows = try query.rows(in: snapshot).all()
/// print(Set(rows).count == rows.count ? "no duplicates" : "duplicates")
/// ```
/// ``json()`` returns a row for a client or a log, ``document()`` for other code that reads
/// documents.
public struct ResultRow: Sendable {
    private let columns: QueryColumns
    private let values: [QueryValue]
    /// The ID of the row's document, if the query was run with it.
    let key: String?

    init(_ columns: QueryColumns, _ values: [QueryValue], key: String?) {
        self.columns = columns
        self.values = values
        self.key = key
    }

    /// The number of columns, including those whose value is missing.
    public var count: Int { values.count }

    /// The column names: aliases, the last names of paths, and `$1`, `$2`, … for other expressions.
    ///
    /// A name that occurs twice gets a number, such as `name #2`. All rows of a query have the same
    /// names.
    ///
    /// ```swift
    /// for (name, index) in zip(row.columnNames, 0..<row.count) { print(name, row[index]) }
    /// ```
    public var columnNames: [String] { columns.columnNames }

    /// The value of a column by its index, from 0; missing if the column does not exist.
    public subscript(index: Int) -> QueryValue {
        values.indices.contains(index) ? values[index] : .missing
    }

    /// The value of a column by its name; missing if the column does not exist. ``hasColumn(_:)``
    /// distinguishes a missing value from a missing column.
    ///
    /// ```swift
    /// let last = row["last"].string ?? "?", city = row["address"]["city"].string ?? "?"
    /// ```
    /// - Parameter name: the name, case-sensitive; a path such as `address.city` is not parsed.
    public subscript(name: String) -> QueryValue {
        columns.index(name).map { values[$0] } ?? .missing
    }

    /// Whether a column with this name exists.
    ///
    /// ```swift
    /// guard row.hasColumn("name") else { throw StoreError(.invalidQuery, "select name") }
    /// ```
    /// - Parameter name: the name, case-sensitive.
    public func hasColumn(_ name: String) -> Bool { columns.index(name) != nil }
}

extension ResultRow {
    /// The row without its last columns.
    func dropping(last count: Int) -> ResultRow {
        ResultRow(
            QueryColumns(columns.columnNames.dropLast(count)), Array(values.dropLast(count)),
            key: key)
    }
}

extension ResultRow: Hashable {
    /// Whether the column names and the values are equal; see ``QueryValue`` for the equality of
    /// values.
    public static func == (one: ResultRow, other: ResultRow) -> Bool {
        one.values == other.values
            && (one.columns === other.columns
                || one.columns.columnNames == other.columns.columnNames)
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

// Conversions.
extension ResultRow {
    /// Decodes the row as a value of a type whose properties are the columns. A missing value
    /// decodes like a property that does not exist: to nil for an optional property.
    ///
    /// ```swift
    /// struct Named: Codable { var first: String, age: Int? }
    /// let query = try Query("SELECT name.first, age FROM people WHERE age < 40")
    /// let named = try query.rows(in: snapshot).all().map { try $0.decode(Named.self) }
    /// show(named)
    /// ```
    /// A row with a single column that is a whole document, as of `SELECT *`, is decoded from that
    /// document, unless the type has a property for the column itself:
    ///
    /// ```swift
    /// let all = try Query("SELECT * FROM people")
    /// let people = try all.rows(in: snapshot).all().map { try $0.decode(Person.self) }
    /// ```
    /// A query with key paths (`from(_:as:)`) has typed rows without this step.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - decoder: the decoder, which determines the forms of dates and data; by default the one
    ///     that typed collections use.
    /// - Returns: the value.
    /// - Throws: `DecodingError` if a column has another type or a required one is missing.
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

    /// The row as a JSON object; missing values are omitted.
    ///
    /// ```swift
    /// for row in try query.rows(in: snapshot).all() { print(try row.json()) }
    /// ```
    /// - Throws: `FleeceError` if a document in the row is damaged.
    public func json() throws -> String {
        try document().root.json()
    }

    /// The row as a dictionary; missing values are omitted.
    ///
    /// ```swift
    /// let root = try row.document().root
    /// print(root.dictionary?["name"]?.string ?? "?")
    /// ```
    /// - Returns: a document of its own, whose root is a dictionary with the columns.
    /// - Throws: `FleeceError` if a document in the row is damaged.
    public func document() throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (name, value) in zip(columns.columnNames, values) where !value.isMissing {
            try encoder.writeKey(name)
            try encoder.write(value)
        }
        try encoder.endDictionary()
        return try FleeceDocument(trusted: encoder.finish())
    }
}
