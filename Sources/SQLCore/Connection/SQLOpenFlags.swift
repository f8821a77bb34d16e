import CSQLite

/// How a file is opened: the flags of `sqlite3_open_v2`.
public struct SQLOpenFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Nothing is ever written through this connection.
    public static let readOnly = SQLOpenFlags(rawValue: SQLITE_OPEN_READONLY)
    /// Reading and writing; falls back to reading where the file system forbids writing.
    public static let readWrite = SQLOpenFlags(rawValue: SQLITE_OPEN_READWRITE)
    /// With `readWrite`: makes the file if there is none.
    public static let create = SQLOpenFlags(rawValue: SQLITE_OPEN_CREATE)
    /// The path is a `file:` URI with SQLite's query parameters.
    public static let uri = SQLOpenFlags(rawValue: SQLITE_OPEN_URI)
    /// No mutex of SQLite's own: the caller uses the connection from one thread at a time.
    public static let noMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_NOMUTEX)
    /// A mutex of SQLite's own around every call.
    public static let fullMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_FULLMUTEX)
}
