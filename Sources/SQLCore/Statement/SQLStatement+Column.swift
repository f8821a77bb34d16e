import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SQLStatement {
    /// The number of columns. `sqlite3_column_count`
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Returns the name of a column, or nil if there is no such column. `sqlite3_column_name`
    ///
    /// - Parameter index: The position of the column, from 0.
    public func columnName(at index: Int) -> String? {
        guard (0..<columnCount).contains(index) else { return nil }
        return sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) }
    }

    /// The names of all columns. `sqlite3_column_name`
    public var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) ?? "" } }

    /// The declared types of the columns; nil for expressions.
    /// `sqlite3_column_decltype`
    public var columnTypes: [String?] {
        (0..<columnCount).map {
            sqlite3_column_decltype(handle, Int32($0)).map { String(cString: $0) }
        }
    }

    /// Returns the values of the current row.
    public func rowValues() -> [SQLValue] {
        (0..<columnCount).map { value(at: $0) }
    }

    /// Steps to the next row and returns its values, or nil if there is no row.
    ///
    /// - Parameter close: Whether the statement is closed afterwards.
    public func nextValues(close: Bool = false) throws -> [SQLValue]? {
        defer { if close { self.close() } }
        return try next() ? rowValues() : nil
    }

    /// Returns the current row as strings; nil for `NULL`.
    public func stringValues() -> [String?] {
        (0..<columnCount).map { text(at: $0) }
    }
}

// A column that does not exist is `NULL`. Reading a string as a number, or a number as a string,
// converts by SQLite's rules.
extension SQLStatement {
    /// Returns the storage class of a column of the current row. `sqlite3_column_type`
    public func type(at index: Int) -> SQLType {
        SQLType(code: sqlite3_column_type(handle, Int32(clamping: index)))
    }

    /// Returns a value of the current row in its storage class.
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

    /// Returns a column as an integer; 0 for `NULL`. `sqlite3_column_int64`
    public func long(at index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(clamping: index))
    }

    /// Returns a column as a double; 0 for `NULL`. `sqlite3_column_double`
    public func real(at index: Int) -> Double {
        sqlite3_column_double(handle, Int32(clamping: index))
    }

    /// Returns a column as a string, or nil for `NULL`. Invalid UTF-8 is replaced by U+FFFD.
    /// `sqlite3_column_text`
    public func text(at index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(clamping: index)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Returns the bytes of a column, or nil for `NULL`; an empty blob is not nil.
    /// `sqlite3_column_blob`
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
