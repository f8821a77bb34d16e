import CSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLValue {
    /// Copies a `sqlite3_value` in its storage class.
    init(copying value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .long(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // The order matters: reading the text can convert it and change its length.
            let start = sqlite3_value_text(value)
            let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
            let utf8 = UnsafeBufferPointer(start: start, count: count)
            self = .text(String(decoding: utf8, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
            self = .blob(Data(UnsafeRawBufferPointer(start: start, count: count)))
        default: self = .null
        }
    }
}

extension SQLRawCall {
    /// Sets the result to a copy of this value. It chooses the method by the storage class, and
    /// copies strings and blobs.
    public func setResult(_ value: SQLValue) {
        switch value {
        case .long(let number): setResult(number)
        case .real(let number): setResult(number)
        case .text(var text): text.withUTF8 { setText(UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): bytes.withUnsafeBytes { setBlob($0) }
        case .null: setNull()
        }
    }
}
