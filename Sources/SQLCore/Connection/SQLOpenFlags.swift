import CSQLite

/// Options for opening a file: the flags of `sqlite3_open_v2`.
public struct SQLOpenFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The connection only reads.
    public static let readOnly = SQLOpenFlags(rawValue: SQLITE_OPEN_READONLY)
    /// The connection reads and writes, or only reads if the file system does not permit writing.
    public static let readWrite = SQLOpenFlags(rawValue: SQLITE_OPEN_READWRITE)
    /// With `readWrite`: creates the file if it does not exist.
    public static let create = SQLOpenFlags(rawValue: SQLITE_OPEN_CREATE)
    /// The path is a `file:` URI with SQLite's query parameters.
    public static let uri = SQLOpenFlags(rawValue: SQLITE_OPEN_URI)
    /// SQLite does not lock a mutex: the caller uses the connection from one thread at a time, as
    /// `SQLContext` requires. The default unless `fullMutex` is specified.
    public static let noMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_NOMUTEX)
    /// SQLite locks a mutex in every call.
    public static let fullMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_FULLMUTEX)
    /// The database is in memory, whatever the path.
    public static let memory = SQLOpenFlags(rawValue: SQLITE_OPEN_MEMORY)
    /// Opening fails if the path contains a symbolic link, which includes `/tmp` on Apple's
    /// systems. `SQLITE_OPEN_NOFOLLOW`, since SQLite 3.31
    public static let noFollow = SQLOpenFlags(rawValue: 0x0100_0000)
    /// Shares one page cache with the other connections of this process that have this flag.
    public static let sharedCache = SQLOpenFlags(rawValue: SQLITE_OPEN_SHAREDCACHE)
    /// The connection has a separate page cache, whatever the default is.
    public static let privateCache = SQLOpenFlags(rawValue: SQLITE_OPEN_PRIVATECACHE)
}
