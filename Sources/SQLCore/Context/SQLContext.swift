import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A connection to a SQLite database, for use by one thread at a time.
///
/// ```swift
/// let context = try SQLContext()
/// try context.exec(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)")
/// let rows = try context.selectAll(sql: "SELECT a FROM t WHERE a > ?", parameters: [.long(1)])
/// ```
/// It is not `Sendable`. To use a database on several threads, use a `SQLPool`, which lends each of
/// them a separate connection.
public final class SQLContext {
    /// SkipSQL's name for the flags.
    public typealias OpenFlags = SQLOpenFlags

    /// Shared with the statements, which retain it.
    package let connection: SQLConnection
    /// The cached statements.
    let cache = StatementCache()
    /// The number of open nested transactions.
    var savepoints = 0

    /// Opens a database, in memory if `path` is nil. `sqlite3_open_v2`
    ///
    /// - Parameters:
    ///   - path: The path of the file, or a `file:` URI if `flags` contain `.uri`.
    ///   - flags: How to open the file; nil for reading and writing, and creating it if it does not
    ///     exist.
    ///   - configuration: The setup of the connection before its first use.
    ///
    /// Throws `SQLError` if the file cannot be opened. SQLite reads the file at the first
    /// statement, so that statement throws `.notADatabase` or `.corrupt`.
    public init(
        path: String?, flags: SQLOpenFlags? = nil,
        configuration: SQLiteConfiguration = .platform
    ) throws {
        connection = try SQLConnection(
            path: path ?? ":memory:", flags: flags ?? [.readWrite, .create],
            vfs: configuration.vfs)
        try configuration.setUp(self)
    }

    /// Opens a database in memory.
    public convenience init(configuration: SQLiteConfiguration = .platform) throws {
        try self.init(path: nil as String?, configuration: configuration)
    }

    /// Opens a database file by its URL; see `init(path:flags:configuration:)`.
    public convenience init(
        path: URL, flags: SQLOpenFlags? = nil, configuration: SQLiteConfiguration = .platform
    ) throws {
        try self.init(
            path: path.path(percentEncoded: false), flags: flags, configuration: configuration)
    }

    /// Whether `close()` has been called.
    public var isClosed: Bool { connection.handle == nil }

    /// Closes the connection; a second call does nothing. `sqlite3_close`
    ///
    /// An open transaction is rolled back. Throws `.busy` while a `SQLStatement` is open; the
    /// connection then remains open.
    public func close() throws {
        cache.removeAll()
        try connection.close()
    }

    /// Interrupts the running statements from any thread; unlike the context it is `Sendable`.
    public var interrupter: SQLInterrupter { connection.interrupter }

    /// Makes all running statements fail with `.interrupted`. `sqlite3_interrupt`
    ///
    /// To interrupt from another thread, pass ``interrupter`` to it.
    public func interrupt() { connection.interrupter.interrupt() }
}

extension SQLContext {
    /// Sets how long a statement waits for the lock of another connection. `sqlite3_busy_timeout`
    ///
    /// Afterwards it fails with `.busy`. Without this call a statement does not wait.
    ///
    /// - Parameter milliseconds: The timeout; 0 or less turns waiting off.
    public func setBusyTimeout(milliseconds: Int) throws {
        sqlite3_busy_timeout(try connection.requireHandle(), Int32(clamping: milliseconds))
    }

    /// Whether this connection cannot write to the main database.
    /// `sqlite3_db_readonly`
    public var isReadOnly: Bool {
        connection.handle.map { sqlite3_db_readonly($0, "main") != 0 } ?? true
    }

    /// The number of rows that the latest INSERT, UPDATE or DELETE changed. `sqlite3_changes64`
    public var changes: Int { connection.handle.map { Int(shim_changes($0)) } ?? 0 }

    /// The number of rows that have been changed since the connection was opened.
    /// `sqlite3_total_changes`
    public var totalChanges: Int { connection.handle.map { Int(shim_total_changes($0)) } ?? 0 }

    /// The `rowid` of the row that was inserted last; 0 if there is none.
    /// `sqlite3_last_insert_rowid`
    public var lastInsertRowID: Int64 {
        connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0
    }

    /// Whether a transaction is open. `sqlite3_get_autocommit`
    public var isInTransaction: Bool {
        connection.isInTransaction
    }

    /// The maximum number of cached statements for `exec`, `selectAll` and similar calls (default:
    /// 64).
    public var statementCacheCapacity: Int {
        get { cache.capacity }
        set { cache.capacity = newValue }
    }

    /// Runs `body` with the connection's mutex locked, if the connection was opened with
    /// `.fullMutex`. `sqlite3_mutex_enter`
    public func mutex<T>(_ body: () throws -> T) rethrows -> T {
        let mutex = connection.handle.flatMap { sqlite3_db_mutex($0) }
        sqlite3_mutex_enter(mutex)
        defer { sqlite3_mutex_leave(mutex) }
        return try body()
    }
}
