import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLStatement {
    /// The number of columns of the result; 0 for a statement that returns no rows.
    /// `sqlite3_column_count`
    ///
    /// It is known before the statement runs. After a change of the schema it can change with the
    /// first step.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Returns the name of a column, or nil if there is no such column. `sqlite3_column_name`
    ///
    /// Without `AS`, the name of an expression is unspecified and can differ between versions of
    /// SQLite.
    ///
    /// - Parameter index: The position of the column, from 0.
    public func columnName(at index: Int) -> String? {
        guard (0..<columnCount).contains(index) else { return nil }
        return sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) }
    }

    /// The names of all columns. `sqlite3_column_name`
    ///
    /// ```swift
    /// let all = try database.prepare(sql: "SELECT * FROM city")
    /// while try all.next() {
    ///     let row = zip(all.columnNames, all.stringValues())
    ///     for (name, value) in row { use(name, value ?? "-") }
    /// }
    /// ```
    public var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) ?? "" } }

    /// The declared types of the columns, such as `VARCHAR(20)`; nil for expressions.
    /// `sqlite3_column_decltype`
    ///
    /// SQLite does not enforce them, except in `STRICT` tables; ``type(at:)`` is the type of a
    /// value.
    public var columnTypes: [String?] {
        (0..<columnCount).map {
            sqlite3_column_decltype(handle, Int32($0)).map { String(cString: $0) }
        }
    }

    /// Returns the values of the current row, each in its storage class.
    ///
    /// It allocates an array; read single columns by ``long(at:)`` and its siblings if you need
    /// only some. Without a current row all values are `.null`.
    public func rowValues() -> [SQLValue] {
        (0..<columnCount).map { value(at: $0) }
    }

    /// Steps to the next row and returns its values, or nil if there is no row.
    ///
    /// ```swift
    /// let first = try database.prepare(sql: "SELECT name, people FROM city ORDER BY people DESC")
    /// if let values = try first.nextValues(close: true) { use(values) }
    /// ```
    ///
    /// - Parameter close: Whether the statement is closed afterwards.
    /// - Returns: The values of the row.
    /// - Throws: The error of the step; the statement is closed in this case, too, if `close` is
    ///   true.
    public func nextValues(close: Bool = false) throws -> [SQLValue]? {
        defer { if close { self.close() } }
        return try next() ? rowValues() : nil
    }

    /// Returns the current row as strings; nil for `NULL`.
    ///
    /// Numbers are converted by SQLite, and the bytes of a blob are taken as UTF-8. It suits
    /// output; ``rowValues()`` preserves the types.
    public func stringValues() -> [String?] {
        (0..<columnCount).map { text(at: $0) }
    }
}

// A column that does not exist is `NULL`. Reading a string as a number, or a number as a string,
// converts by SQLite's rules.
extension SQLStatement {
    /// Returns the storage class of a column of the current row. `sqlite3_column_type`
    ///
    /// Call it before you read the column in another type, since a conversion can change the
    /// result.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func type(at index: Int) -> SQLType {
        SQLType(code: sqlite3_column_type(handle, Int32(clamping: index)))
    }

    /// Returns a value of the current row in its storage class.
    ///
    /// A column can have values of different types in different rows, so switch over the value if
    /// the schema does not ensure its type.
    ///
    /// ```swift
    /// let settings = try database.prepare(sql: "SELECT value FROM setting")
    /// while try settings.next() {
    ///     switch settings.value(at: 0) {
    ///     case .long(let number): use(number)
    ///     case .text(let text): use(text)
    ///     case .real, .blob, .null: continue
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func value(at index: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(clamping: index)) {
        case SQLITE_INTEGER: .long(long(at: index))
        case SQLITE_FLOAT: .real(real(at: index))
        case SQLITE_TEXT: .text(text(at: index) ?? "")
        case SQLITE_BLOB: .blob(Data(bytes(at: index)))
        default: .null
        }
    }

    /// Whether a column of the current row is `NULL`. `sqlite3_column_type`
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func isNull(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_NULL
    }

    /// Returns a column as an integer; 0 for `NULL`. `sqlite3_column_int64`
    ///
    /// A double is truncated, and a string is converted from its leading digits: `12abc` is 12,
    /// `abc` is 0. Use ``value(at:)`` to detect another type.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is 0.
    public func long(at index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(clamping: index))
    }

    /// Returns a column as a double; 0 for `NULL`. `sqlite3_column_double`
    ///
    /// An integer is converted, and a string from its leading number.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is 0.
    public func real(at index: Int) -> Double {
        sqlite3_column_double(handle, Int32(clamping: index))
    }

    /// Returns a column as a string, or nil for `NULL`. `sqlite3_column_text`
    ///
    /// A number is converted to its text, and the bytes of a blob are taken as UTF-8. Invalid UTF-8
    /// is replaced by U+FFFD.
    ///
    /// ```swift
    /// let names = try database.prepare(sql: "SELECT name FROM city")
    /// var all: [String] = []
    /// while try names.next() { if let name = names.text(at: 0) { all.append(name) } }
    /// ```
    /// - Parameter index: The position of the column, from 0. A column that does not exist is nil.
    public func text(at index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(clamping: index)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Returns a copy of the bytes of a column, or nil for `NULL`; an empty blob is not nil.
    /// `sqlite3_column_blob`
    ///
    /// The bytes of a string are its UTF-8, and those of a number its text.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is nil.
    public func blob(at index: Int) -> Data? {
        isNull(at: index) ? nil : Data(bytes(at: index))
    }

    /// Returns the bytes of a column as an array, or nil for `NULL`.
    package func byteArray(at index: Int) -> [UInt8]? {
        isNull(at: index) ? nil : [UInt8](bytes(at: index))
    }

    /// Returns the bytes of a column, which are valid until the next step, reset or conversion;
    /// empty for `NULL`. `sqlite3_column_blob`
    package func bytes(at index: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, Int32(clamping: index))
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// Whether a column is a blob. `sqlite3_column_type`
    package func isBlob(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_BLOB
    }
}
