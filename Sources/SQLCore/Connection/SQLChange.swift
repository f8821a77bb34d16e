import CSQLite

/// The change of a row, as reported by SQLite's update hook.
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
    /// The `rowid` of the row.
    public let rowID: Int64
    /// The schema name: `main`, `temp`, or that of an attached database.
    public let database: String
    /// The name of the table.
    public let table: String
}
