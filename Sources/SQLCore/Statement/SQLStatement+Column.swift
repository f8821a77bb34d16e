import CSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLStatement {
    /// How many columns a row has. `sqlite3_column_count`
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column; the first is 0. `sqlite3_column_name`
    public func columnName(at index: Int) -> String? {
        sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) }
    }

    /// The current row.
    public func rowValues() -> [SQLValue] {
        (0..<columnCount).map { value(at: $0) }
    }

    /// A value of the current row, in the type it is stored in.
    public func value(at index: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .long(long(at: index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(index)))
        case SQLITE_TEXT: .text(text(at: index) ?? "")
        case SQLITE_BLOB: .blob(Data(bytes(at: index)))
        default: .null
        }
    }

    /// Whether a column is `NULL`. `sqlite3_column_type`
    public func isNull(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(index)) == SQLITE_NULL
    }

    /// Whether a column holds a blob. `sqlite3_column_type`
    public func isBlob(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(index)) == SQLITE_BLOB
    }

    /// A column as an integer, 0 for `NULL`. `sqlite3_column_int64`
    public func long(at index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(index))
    }

    /// A column as text, nil for `NULL`; bytes that are not UTF-8 are repaired.
    /// `sqlite3_column_text`
    public func text(at index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(index)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column's bytes, valid until the next step, reset or conversion; empty for `NULL`.
    /// `sqlite3_column_blob`
    package func bytes(at index: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, Int32(index))
        let count = Int(sqlite3_column_bytes(handle, Int32(index)))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// A column's bytes copied, nil for `NULL`.
    public func blob(at index: Int) -> [UInt8]? {
        isNull(at: index) ? nil : [UInt8](bytes(at: index))
    }
}
