import CSQLite

/// A row that has been changed.
public struct SQLChange: Hashable, Sendable {
    /// What was done to it.
    public enum Action: Int32, Sendable {
        /// It is new. `SQLITE_INSERT`
        case insert = 18
        /// It is gone. `SQLITE_DELETE`
        case delete = 9
        /// It has other values. `SQLITE_UPDATE`
        case update = 23
    }

    /// What was done to it.
    public let action: Action
    /// Its `rowid`.
    public let rowID: Int64
    /// The database: `main`, `temp`, or the name under which a file is attached.
    public let database: String
    /// The table.
    public let table: String
}
