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
    /// No mutex of SQLite's own: the caller uses the connection from one thread at a time, as a
    /// `SQLContext` asks for. It is so unless `fullMutex` is given.
    public static let noMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_NOMUTEX)
    /// A mutex of SQLite's own around every call.
    public static let fullMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_FULLMUTEX)
    /// The database is in memory, whatever the path.
    public static let memory = SQLOpenFlags(rawValue: SQLITE_OPEN_MEMORY)
    /// No symbolic link is followed: an error where one is part of the path, as also `/tmp` is on
    /// Apple's systems. `SQLITE_OPEN_NOFOLLOW`, since SQLite 3.31
    public static let noFollow = SQLOpenFlags(rawValue: 0x0100_0000)
    /// Connections of this process that ask for it share one cache.
    public static let sharedCache = SQLOpenFlags(rawValue: SQLITE_OPEN_SHAREDCACHE)
    /// The connection has a cache of its own, whatever is the default.
    public static let privateCache = SQLOpenFlags(rawValue: SQLITE_OPEN_PRIVATECACHE)
}
