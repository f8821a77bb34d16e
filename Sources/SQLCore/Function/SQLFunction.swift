import CSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments of one call of a SQL function, and the place for its result.
///
/// Valid during that call only.
public struct SQLFunctionCall {
    /// The `sqlite3_context *`.
    package let context: OpaquePointer
    /// The `sqlite3_value **`.
    package let arguments: UnsafeBufferPointer<OpaquePointer?>

    /// How many arguments there are.
    public var count: Int { arguments.count }

    /// An argument, in the type it is stored in.
    public func value(at index: Int) -> SQLValue {
        guard arguments.indices.contains(index), let value = arguments[index] else { return .null }
        return switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .long(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text(text(of: value))
        case SQLITE_BLOB: .blob(Data(bytes(of: value)))
        default: .null
        }
    }

    private func text(of value: OpaquePointer) -> String {
        guard let start = sqlite3_value_text(value) else { return "" }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func bytes(of value: OpaquePointer) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    func setResult(_ value: SQLValue) {
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .long(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(
                        context, $0.baseAddress, UInt64($0.count), copy, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { bytes in
                if bytes.isEmpty {
                    sqlite3_result_zeroblob(context, 0)
                } else {
                    sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), copy)
                }
            }
        case .null: sqlite3_result_null(context)
        }
    }

    func setError(_ message: String) {
        sqlite3_result_error(context, message, -1)
    }
}

/// How a SQL function behaves, which decides where SQLite lets it be used.
public struct SQLFunctionFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Equal arguments give equal results: allowed in indexes. `SQLITE_DETERMINISTIC`
    public static let deterministic = SQLFunctionFlags(rawValue: SQLITE_DETERMINISTIC)
    /// Without side effects: allowed in triggers and views of any schema. `SQLITE_INNOCUOUS`
    public static let innocuous = SQLFunctionFlags(rawValue: SQLITE_INNOCUOUS)
    /// Callable from statements only, not from the schema. `SQLITE_DIRECTONLY`
    public static let directOnly = SQLFunctionFlags(rawValue: SQLITE_DIRECTONLY)
}
