import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLStatement {
    /// How many columns a row has. `sqlite3_column_count`
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column, nil if there is none; the first is 0. `sqlite3_column_name`
    public func columnName(at index: Int) -> String? {
        guard (0..<columnCount).contains(index) else { return nil }
        return sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) }
    }

    /// The names of all columns. `sqlite3_column_name`
    public var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) ?? "" } }

    /// The types with which the tables declare the columns, nil for expressions.
    /// `sqlite3_column_decltype`
    public var columnTypes: [String?] {
        (0..<columnCount).map {
            sqlite3_column_decltype(handle, Int32($0)).map { String(cString: $0) }
        }
    }

    /// The current row.
    public func rowValues() -> [SQLValue] {
        (0..<columnCount).map { value(at: $0) }
    }

    /// Steps, and returns the row, nil if there is none.
    ///
    /// - Parameter close: whether the statement is closed then.
    public func nextValues(close: Bool = false) throws -> [SQLValue]? {
        defer { if close { self.close() } }
        return try next() ? rowValues() : nil
    }

    /// The current row as text, nil for `NULL`.
    public func stringValues() -> [String?] {
        (0..<columnCount).map { text(at: $0) }
    }
}

// A column that does not exist is `NULL`. Reading text as a number, or a number as text, converts
// as SQLite does.
extension SQLStatement {
    /// The type in which a column of the current row is stored. `sqlite3_column_type`
    public func type(at index: Int) -> SQLType {
        SQLType(code: sqlite3_column_type(handle, Int32(clamping: index)))
    }

    /// A value of the current row, in the type it is stored in.
    public func value(at index: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(clamping: index)) {
        case SQLITE_INTEGER: .long(long(at: index))
        case SQLITE_FLOAT: .real(real(at: index))
        case SQLITE_TEXT: .text(text(at: index) ?? "")
        case SQLITE_BLOB: .blob(Data(bytes(at: index)))
        default: .null
        }
    }

    /// Whether a column is `NULL`. `sqlite3_column_type`
    public func isNull(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_NULL
    }

    /// A column as an integer, 0 for `NULL`. `sqlite3_column_int64`
    public func long(at index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(clamping: index))
    }

    /// A column as a double, 0 for `NULL`. `sqlite3_column_double`
    public func real(at index: Int) -> Double {
        sqlite3_column_double(handle, Int32(clamping: index))
    }

    /// A column as text, nil for `NULL`; bytes that are not UTF-8 are repaired.
    /// `sqlite3_column_text`
    public func text(at index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(clamping: index)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column's bytes, nil for `NULL`; an empty blob is not null. `sqlite3_column_blob`
    public func blob(at index: Int) -> Data? {
        isNull(at: index) ? nil : Data(bytes(at: index))
    }

    /// The same as an array.
    package func byteArray(at index: Int) -> [UInt8]? {
        isNull(at: index) ? nil : [UInt8](bytes(at: index))
    }

    /// A column's bytes, valid until the next step, reset or conversion; empty for `NULL`.
    /// `sqlite3_column_blob`
    package func bytes(at index: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, Int32(clamping: index))
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// Whether a column holds a blob. `sqlite3_column_type`
    package func isBlob(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_BLOB
    }
}
