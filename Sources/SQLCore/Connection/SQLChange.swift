import CSQLite

/// The change of a row, as reported by SQLite's update hook.
///
/// It names the row, but has none of its values: read them after the commit by the rowid.
/// ``SQLContext/onUpdate(hook:)`` reports it.
///
/// ```swift
/// var inserted: [Int64] = []
/// try database.onUpdate { change in
///     if change.action == .insert, change.table == "city" { inserted.append(change.rowID) }
/// }
/// ```
public struct SQLChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Action: Int32, Sendable {
        /// The row was inserted. `SQLITE_INSERT`
        case insert = 18
        /// The row was deleted. `SQLITE_DELETE`
        case delete = 9
        /// The row was updated. `SQLITE_UPDATE`
        case update = 23
    }

    /// The kind of the change.
    public let action: Action
    /// The `rowid` of the row, after the change if it changes the rowid; the primary key of a table
    /// with an `INTEGER PRIMARY KEY`.
    public let rowID: Int64
    /// The schema name: `main`, `temp`, or that of an attached database.
    public let database: String
    /// The name of the table.
    public let table: String
}
