import CSQLite

/// The types in which SQLite stores values.
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

    /// The type of a number that SQLite gives it, `null` for others.
    init(code: Int32) {
        self = SQLType(rawValue: Int(code)) ?? .null
    }

    /// The name that a declaration uses.
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
