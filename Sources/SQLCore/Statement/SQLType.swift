import CSQLite

/// SQLite's storage classes, which are the types of values.
///
/// The storage class belongs to a value, not to a column: a column that is declared `INTEGER` can
/// hold a string, except in a `STRICT` table. ``SQLStatement/type(at:)`` returns it for a value of
/// a row.
///
/// ```swift
/// let values = try database.prepare(sql: "SELECT 1, 2.5, 'three', x'04', NULL")
/// if try values.next() {
///     let types = (0..<values.columnCount).map { values.type(at: $0) }
///     assert(types == SQLType.allCases)
/// }
/// ```
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

    /// The name of the type in SQL declarations: `INTEGER`, `REAL`, `TEXT`, `BLOB` or `NULL`.
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
