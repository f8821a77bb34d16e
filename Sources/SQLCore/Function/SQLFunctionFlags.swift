import CSQLite

/// Properties of a SQL function, which determine where SQLite permits its use.
public struct SQLFunctionFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Equal arguments give equal results: permitted in indexes. `SQLITE_DETERMINISTIC`
    public static let deterministic = SQLFunctionFlags(rawValue: SQLITE_DETERMINISTIC)
    /// No side effects: permitted in triggers and views of any schema. `SQLITE_INNOCUOUS`
    public static let innocuous = SQLFunctionFlags(rawValue: SQLITE_INNOCUOUS)
    /// Callable only from top-level statements, not from the schema. `SQLITE_DIRECTONLY`
    public static let directOnly = SQLFunctionFlags(rawValue: SQLITE_DIRECTONLY)
    /// Reads the subtypes of its arguments. `SQLITE_SUBTYPE`
    public static let subtype = SQLFunctionFlags(rawValue: SQLITE_SUBTYPE)
}
