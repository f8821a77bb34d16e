import CSQLite

/// Options for opening a file: the flags of `sqlite3_open_v2`.
///
/// The default of ``SQLContext`` is `[.readWrite, .create]`.
///
/// ```swift
/// let existing = try SQLContext(path: databasePath, flags: .readWrite)
/// let untrusted = try SQLContext(path: databasePath, flags: [.readOnly, .noFollow])
/// let shared = try SQLContext(
///     path: "file:cache?mode=memory", flags: [.readWrite, .uri, .sharedCache])
/// ```
public struct SQLOpenFlags: OptionSet, Sendable {
    /// The bits, as SQLite numbers them.
    public let rawValue: Int32

    /// Wraps SQLite's bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The connection only reads; a statement that writes fails with ``SQLResultCode/readOnly``.
    ///
    /// The file must exist. A file in WAL mode needs an existing wal-index, or permission to create
    /// one.
    public static let readOnly = SQLOpenFlags(rawValue: SQLITE_OPEN_READONLY)
    /// The connection reads and writes, or only reads if the file system does not permit writing.
    public static let readWrite = SQLOpenFlags(rawValue: SQLITE_OPEN_READWRITE)
    /// With ``readWrite``: creates the file if it does not exist. Without it, opening a missing
    /// file fails with ``SQLResultCode/cannotOpen``.
    public static let create = SQLOpenFlags(rawValue: SQLITE_OPEN_CREATE)
    /// The path is a `file:` URI with SQLite's query parameters, such as `?mode=ro&vfs=name`.
    public static let uri = SQLOpenFlags(rawValue: SQLITE_OPEN_URI)
    /// SQLite does not lock a mutex: the caller uses the connection from one thread at a time, as
    /// `SQLContext` requires. The default unless `fullMutex` is specified.
    public static let noMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_NOMUTEX)
    /// SQLite locks a mutex in every call. It costs time, and does not make a ``SQLContext``
    /// `Sendable`; see ``SQLContext/mutex(_:)``.
    public static let fullMutex = SQLOpenFlags(rawValue: SQLITE_OPEN_FULLMUTEX)
    /// The database is in memory, whatever the path. A path of nil does the same.
    public static let memory = SQLOpenFlags(rawValue: SQLITE_OPEN_MEMORY)
    /// Opening fails if the path contains a symbolic link, which includes `/tmp` on Apple's
    /// systems. `SQLITE_OPEN_NOFOLLOW`, since SQLite 3.31
    public static let noFollow = SQLOpenFlags(rawValue: 0x0100_0000)
    /// Shares one page cache with the other connections of this process that have this flag.
    ///
    /// They lock tables instead of the file, and fail with ``SQLResultCode/locked``, which the busy
    /// timeout does not affect. SQLite discourages it, except for an in-memory database.
    public static let sharedCache = SQLOpenFlags(rawValue: SQLITE_OPEN_SHAREDCACHE)
    /// The connection has a separate page cache, whatever the default is.
    public static let privateCache = SQLOpenFlags(rawValue: SQLITE_OPEN_PRIVATECACHE)
}
