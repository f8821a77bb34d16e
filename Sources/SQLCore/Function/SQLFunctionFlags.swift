import CSQLite

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
    /// Reads the subtypes of its arguments. `SQLITE_SUBTYPE`
    public static let subtype = SQLFunctionFlags(rawValue: SQLITE_SUBTYPE)
}
