import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A connection to an SQLite database, for use by one thread at a time.
///
/// A context opens a file or an in-memory database, compiles and runs SQL, and holds everything
/// that SQLite registers per connection: functions, collations, virtual tables, hooks and pragmas.
///
/// ```swift
/// let context = try SQLContext(path: databasePath)
/// try context.exec(sql: "CREATE TABLE IF NOT EXISTS city (name TEXT, people INTEGER)")
/// try context.exec(
///     sql: "INSERT INTO city VALUES (?, ?)", parameters: [.text("Lagos"), .long(15_000_000)])
/// let rows = try context.selectAll(
///     sql: "SELECT name FROM city WHERE people > ?", parameters: [.long(1_000_000)])
/// ```
/// There are four ways to run SQL. ``exec(sql:)`` runs a script, ``exec(sql:parameters:)`` a
/// statement without a result, ``selectAll(sql:parameters:)`` and ``selectValue(sql:parameters:)``
/// return rows or one value, and ``prepare(sql:)`` returns a ``SQLStatement``, whose rows are read
/// one at a time. Values are always passed as parameters, never as parts of the SQL.
///
/// Several statements are one atomic change if they run in ``transaction(_:_:)``:
///
/// ```swift
/// try database.transaction(.immediate) {
///     try database.exec(sql: "UPDATE account SET amount = amount - 10 WHERE id = 1")
///     try database.exec(sql: "UPDATE account SET amount = amount + 10 WHERE id = 2")
/// }
/// ```
/// Every call throws ``SQLError`` with SQLite's result code: `.misuse` after ``close()`` or from
/// within a hook, `.busy` while another connection holds a lock.
///
/// A context is not `Sendable`. To use a database on several threads, use a ``SQLPool``, which
/// lends each of them a separate connection. Only the ``interrupter`` can be passed to another
/// thread.
///
/// A context costs a file descriptor, a page cache and a cache of compiled statements, so open it
/// once and keep it. It is closed at the latest when it and its statements are deinitialized.
///
/// See also <doc:OpeningADatabase>, <doc:StatementsAndValues> and <doc:Transactions>.
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
    /// SQLite opens the file, but does not read it before the first statement. A file that is not a
    /// database is therefore detected later.
    ///
    /// ```swift
    /// let reader = try SQLContext(path: databasePath, flags: .readOnly)
    /// let patient = SQLiteConfiguration.custom { try $0.setBusyTimeout(milliseconds: 2000) }
    /// let writer = try SQLContext(path: databasePath, configuration: patient)
    /// ```
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

    /// Opens an in-memory database, which is lost when the context is closed.
    ///
    /// Each context has a separate database. It needs no file, so it suits tests and temporary
    /// results; ``serialize(database:)`` returns its content as bytes.
    ///
    /// ```swift
    /// let scratch = try SQLContext()
    /// try scratch.exec(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)")
    /// ```
    /// - Parameter configuration: The setup of the connection before its first use (default:
    ///   `.platform`).
    /// - Throws: The error of the configuration's setup.
    public convenience init(configuration: SQLiteConfiguration = .platform) throws {
        try self.init(path: nil as String?, configuration: configuration)
    }

    /// Opens a database file by its URL; see `init(path:flags:configuration:)` with a string.
    public convenience init(
        path: URL, flags: SQLOpenFlags? = nil, configuration: SQLiteConfiguration = .platform
    ) throws {
        try self.init(
            path: path.path(percentEncoded: false), flags: flags, configuration: configuration)
    }

    /// Whether ``close()`` has been called. All calls of a closed context throw `.misuse`; its
    /// properties are 0, false or nil.
    public var isClosed: Bool { connection.handle == nil }

    /// Closes the connection; a second call does nothing. `sqlite3_close`
    ///
    /// An open transaction is rolled back. Throws `.busy` while a `SQLStatement` is open; the
    /// connection then remains open.
    ///
    /// Cached statements are finalized first. A ``SQLStatement`` that was returned by
    /// ``prepare(sql:)`` must be closed or released by the caller. When the last connection to a
    /// file in WAL mode is closed, SQLite checkpoints the WAL and deletes it.
    ///
    /// ```swift
    /// let context = try SQLContext(path: databasePath)
    /// defer { try? context.close() }
    /// use(try context.selectValue(sql: "SELECT count(*) FROM sqlite_master"))
    /// ```
    public func close() throws {
        cache.removeAll()
        try connection.close()
    }

    /// Interrupts the running statements from any thread; unlike the context it is `Sendable`.
    ///
    /// It does not retain the connection, and has no effect once the context is closed.
    ///
    /// ```swift
    /// let interrupter = database.interrupter
    /// Task.detached {
    ///     try await Task.sleep(for: .seconds(2))
    ///     interrupter.interrupt()
    /// }
    /// use(try database.selectAll(sql: "SELECT * FROM a, b, c"))
    /// ```
    public var interrupter: SQLInterrupter { connection.interrupter }

    /// Makes all running statements fail with `.interrupted`. `sqlite3_interrupt`
    ///
    /// To interrupt from another thread, pass ``interrupter`` to it.
    ///
    /// It affects only statements that run now; if none runs, it has no effect. It is useful within
    /// a function or a hook of this connection, which run on its thread.
    public func interrupt() { connection.interrupter.interrupt() }
}

extension SQLContext {
    /// Sets how long a statement waits for the lock of another connection. `sqlite3_busy_timeout`
    ///
    /// Afterwards it fails with `.busy`. Without this call a statement does not wait.
    ///
    /// While a statement waits, SQLite sleeps between its attempts, up to 100 ms each, and blocks
    /// the thread. A timeout does not help a transaction that started with a read and now wants to
    /// write after another connection has written: that fails immediately, since its snapshot is
    /// outdated. Begin such a transaction with ``TransactionMode/immediate``.
    ///
    /// ```swift
    /// try database.setBusyTimeout(milliseconds: 5000)
    /// do {
    ///     try database.exec(sql: "DELETE FROM session")
    /// } catch let error as SQLError where .busy ~= error.code {
    ///     use("another process is writing")
    /// }
    /// ```
    /// The connections of a ``SQLPool`` have their own timeout:
    /// ``SQLPool/Options/busyTimeoutMilliseconds``.
    ///
    /// - Parameter milliseconds: The timeout; 0 or less turns waiting off.
    public func setBusyTimeout(milliseconds: Int) throws {
        sqlite3_busy_timeout(try connection.requireHandle(), Int32(clamping: milliseconds))
    }

    /// Whether this connection cannot write to the main database. `sqlite3_db_readonly`
    ///
    /// It is true with ``SQLOpenFlags/readOnly``, if the file system denied writing when the file
    /// was opened, and for a closed context. Writing then fails with `.readOnly`.
    public var isReadOnly: Bool {
        connection.handle.map { sqlite3_db_readonly($0, "main") != 0 } ?? true
    }

    /// The number of rows that the latest INSERT, UPDATE or DELETE changed. `sqlite3_changes64`
    ///
    /// Rows that are changed by triggers, foreign key actions and `REPLACE` conflicts do not count.
    /// Other statements leave the number unchanged; it is 0 for a closed context.
    ///
    /// ```swift
    /// try database.exec(sql: "DELETE FROM session WHERE user = ?", parameters: [.long(7)])
    /// if database.changes == 0 { use("there was no session") }
    /// ```
    public var changes: Int { connection.handle.map { Int(shim_changes($0)) } ?? 0 }

    /// The number of rows that have been changed since the connection was opened, including those
    /// that triggers and foreign key actions have changed. `sqlite3_total_changes`
    ///
    /// The difference between two readings shows whether a group of statements has changed
    /// anything.
    public var totalChanges: Int { connection.handle.map { Int(shim_total_changes($0)) } ?? 0 }

    /// The `rowid` of the row that was inserted last by this connection; 0 if there is none.
    /// `sqlite3_last_insert_rowid`
    ///
    /// For a table with an `INTEGER PRIMARY KEY` it is the assigned key. An insert that fails, and
    /// one into a `WITHOUT ROWID` table, leaves it unchanged, so read it directly after an insert
    /// that succeeded.
    ///
    /// ```swift
    /// try database.exec(sql: "INSERT INTO city (name) VALUES (?)", parameters: [.text("Quito")])
    /// let id = database.lastInsertRowID
    /// ```
    public var lastInsertRowID: Int64 {
        connection.handle.map { sqlite3_last_insert_rowid($0) } ?? 0
    }

    /// Whether a transaction is open. `sqlite3_get_autocommit`
    ///
    /// It is also false after SQLite has rolled a transaction back itself, which it does on a full
    /// disk, an I/O error or an interrupted write.
    public var isInTransaction: Bool {
        connection.isInTransaction
    }

    /// The maximum number of cached statements for `exec`, `selectAll` and similar calls (default:
    /// 64).
    ///
    /// Compiling takes longer than running most short statements, so the cache should hold all
    /// statements that a program runs repeatedly. The least recently used statements are evicted;
    /// lowering the value evicts them immediately, and 0 disables the cache. Pragmas and scripts
    /// are never cached.
    ///
    /// ```swift
    /// database.statementCacheCapacity = 200
    /// ```
    public var statementCacheCapacity: Int {
        get { cache.capacity }
        set { cache.capacity = newValue }
    }

    /// Runs `body` with the connection's mutex locked, if the connection was opened with
    /// `.fullMutex`. `sqlite3_mutex_enter`
    ///
    /// A context is opened without a mutex by default, since one thread at a time uses it; `body`
    /// then runs without a lock.
    ///
    /// - Parameter body: The calls that no other thread may interleave with.
    /// - Returns: The result of `body`.
    public func mutex<T>(_ body: () throws -> T) rethrows -> T {
        let mutex = connection.handle.flatMap { sqlite3_db_mutex($0) }
        sqlite3_mutex_enter(mutex)
        defer { sqlite3_mutex_leave(mutex) }
        return try body()
    }
}
