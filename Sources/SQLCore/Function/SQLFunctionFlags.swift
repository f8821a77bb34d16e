import CSQLite

/// Properties of an SQL function, which determine where SQLite permits its use.
///
/// ```swift
/// try database.registerFunction("now_ms", argumentCount: 0, flags: [.directOnly]) { _ in
///     .long(Int64(Date().timeIntervalSince1970 * 1000))
/// }
/// ```
/// A function without `deterministic` is called for each row, and is not permitted in indexes and
/// generated columns.
public struct SQLFunctionFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Equal arguments give equal results: permitted in indexes. `SQLITE_DETERMINISTIC`
    ///
    /// SQLite may call it once for several rows, or not at all. An index becomes corrupt if the
    /// results change nevertheless.
    public static let deterministic = SQLFunctionFlags(rawValue: SQLITE_DETERMINISTIC)
    /// No side effects: permitted in triggers and views of any schema, even if `PRAGMA
    /// trusted_schema` is off. `SQLITE_INNOCUOUS`
    public static let innocuous = SQLFunctionFlags(rawValue: SQLITE_INNOCUOUS)
    /// Callable only from top-level statements, not from the schema. `SQLITE_DIRECTONLY`
    ///
    /// For functions with side effects or secret results: a trigger or view of an untrusted file
    /// cannot call them.
    public static let directOnly = SQLFunctionFlags(rawValue: SQLITE_DIRECTONLY)
    /// Reads the subtypes of its arguments by ``SQLRawCall/subtype(at:)``. Without it they may be
    /// lost. `SQLITE_SUBTYPE`
    public static let subtype = SQLFunctionFlags(rawValue: SQLITE_SUBTYPE)
}
