import CSQLite

/// SQLite's storage classes.
public enum SQLType: Int, Hashable, Sendable, CaseIterable {
    /// A signed 64-bit integer: `INTEGER`.
    case long = 1
    /// A double: `REAL`.
    case real = 2
    /// UTF-8: `TEXT`.
    case text = 3
    /// Bytes: `BLOB`.
    case blob = 4
    /// `NULL`
    case null = 5

    /// The storage class with SQLite's number; `null` for an unknown number.
    init(code: Int32) {
        self = SQLType(rawValue: Int(code)) ?? .null
    }

    /// The name of the type in SQL declarations.
    public var typeName: String {
        switch self {
        case .long: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .null: "NULL"
        }
    }
}
