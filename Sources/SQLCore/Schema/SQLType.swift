/// The type of a column, numbered as SQLite numbers the types of its values.
public enum SQLType: Int, Hashable, Sendable, CaseIterable {
    /// `INTEGER`
    case long = 1
    /// `REAL`
    case real = 2
    /// `TEXT`
    case text = 3
    /// `BLOB`
    case blob = 4
    /// `NULL`
    case null = 5

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
