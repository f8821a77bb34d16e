import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One connection to a SQLite database, used by one thread at a time.
///
/// ```swift
/// let context = try SQLContext()
/// try context.exec(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)")
/// let rows = try context.selectAll(sql: "SELECT a FROM t WHERE a > ?", parameters: [.long(1)])
/// ```
/// It is not `Sendable`: hand it over whole, or use a `SQLPool`, which gives each thread its own.
public final class SQLContext {
    /// SkipSQL's name of the flags.
    public typealias OpenFlags = SQLOpenFlags

    /// Shared with the statements, which keep it open.
    package let connection: SQLConnection
    /// Statements that are kept to be used again.
    let cache = StatementCache()
    /// Transactions inside transactions.
    var savepoints = 0

    /// Opens a database, in memory if `path` is nil. `sqlite3_open_v2`
    ///
    /// - Parameters:
    ///   - path: the file's path; a `file:` URI if `flags` have `.uri`.
    ///   - flags: nil for reading and writing, and making the file if there is none.
    ///   - configuration: what is set up on the connection first.
    ///
    /// Throws `SQLError` when the file cannot be opened; SQLite reads the file only at the first
    /// statement, so that is where `.notADatabase` and `.corrupt` appear.
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

    /// Opens a database file, as `init(path:flags:configuration:)` does with its path.
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
    /// Throws `.busy` while a statement of it is open: it is then still open itself. An open
    /// transaction is rolled back.
    public func close() throws {
        cache.removeAll()
        try connection.close()
    }

    /// Stops what runs, from any thread.
    public var interrupter: SQLInterrupter { connection.interrupter }

    /// Makes all statements that run now fail with `.interrupted`. `sqlite3_interrupt`
    public func interrupt() { connection.interrupter.interrupt() }
}

extension SQLContext {
    /// How long a statement waits for another connection's lock. `sqlite3_busy_timeout`
    public func setBusyTimeout(milliseconds: Int) throws {
        sqlite3_busy_timeout(try connection.requireHandle(), Int32(clamping: milliseconds))
    }

    /// Whether the main database cannot be written through this connection.
    /// `sqlite3_db_readonly`
    public var isReadOnly: Bool {
        connection.handle.map { sqlite3_db_readonly($0, "main") != 0 } ?? true
    }

    /// The number of rows that the latest INSERT, UPDATE or DELETE changed. `sqlite3_changes64`
    public var changes: Int { connection.handle.map { Int(shim_changes($0)) } ?? 0 }

    /// The number of rows that have been changed since it was opened. `sqlite3_total_changes`
    public var totalChanges: Int { connection.handle.map { Int(shim_total_changes($0)) } ?? 0 }

    /// The `rowid` of the row that was inserted last, 0 if there is none.
    /// `sqlite3_last_insert_rowid`
    public var lastInsertRowID: Int64 {
        connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0
    }

    /// Whether a transaction is open. `sqlite3_get_autocommit`
    public var isInTransaction: Bool {
        connection.isInTransaction
    }

    /// How many compiled statements are kept for `exec`, `selectAll` and the like: 64 unless set.
    public var statementCacheCapacity: Int {
        get { cache.capacity }
        set { cache.capacity = newValue }
    }

    /// Runs `body` while no other thread can use the connection, if it was opened with
    /// `.fullMutex`. `sqlite3_mutex_enter`
    public func mutex<T>(_ body: () throws -> T) rethrows -> T {
        let mutex = connection.handle.flatMap { sqlite3_db_mutex($0) }
        sqlite3_mutex_enter(mutex)
        defer { sqlite3_mutex_leave(mutex) }
        return try body()
    }
}
