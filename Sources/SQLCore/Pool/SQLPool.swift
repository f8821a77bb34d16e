#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A pool of connections to one database file for many threads and tasks: one writer, and several
/// concurrent readers, each with a snapshot.
///
/// ```swift
/// let pool = try SQLPool(path: "people.db")
/// try await pool.write { try $0.exec(sql: "INSERT INTO person VALUES ('Ada')") }
/// let count = try await pool.read { try $0.selectValue(sql: "SELECT count(*) FROM person") }
/// ```
/// The file is switched to WAL mode, with `synchronous` set to `normal`: a commit is atomic, and
/// may be lost in a power failure, but not in a crash of the program. Each `read` and `write` runs
/// in a separate transaction. Readers see the state at their first statement, and never wait
/// for a writer; writers wait for each other, in the order of their calls.
///
/// Both have two forms: a synchronous one, which blocks the calling thread, and an asynchronous
/// one, which runs on the connection's queue and is cancelled with its task.
///
/// ```swift
/// let pool = try SQLPool(path: databasePath)
/// let names = try pool.read { context in
///     try context.selectAll(sql: "SELECT name FROM city").compactMap(\.first?.textValue)
/// }
/// try pool.write { context in
///     for name in names {
///         try context.exec(sql: "INSERT INTO log VALUES (?)", parameters: [.text(name)])
///     }
/// }
/// ```
/// Each connection has its own page cache. Functions, collations and pragmas must be set on every
/// connection, by ``Options/configuration``. A context and its statements must not be used outside
/// the call; return values instead.
///
/// A call that waits longer for a connection than it works shows that there are too few readers, or
/// that writes are too long. Split a long write into several, so that others are not delayed. See
/// <doc:PoolForManyTasks>.
public final class SQLPool: Sendable {
    /// Options for opening a pool.
    ///
    /// ```swift
    /// var options = SQLPool.Options()
    /// options.readers = 8
    /// options.busyTimeoutMilliseconds = 1000
    /// options.configuration = .custom { $0.foreignKeysEnabled = true }
    /// let pool = try SQLPool(path: databasePath, options: options)
    /// ```
    public struct Options: Sendable {
        /// The maximum number of concurrent readers (default: 4, at least 1); connections are
        /// opened on demand.
        ///
        /// More readers than processor cores rarely help. Each has a page cache, by default of
        /// about 2 MB.
        public var readers = 4
        /// How long a statement waits for the lock of another process, in milliseconds (default:
        /// 5000).
        ///
        /// It does not limit the wait for a connection of the pool.
        public var busyTimeoutMilliseconds = 5000
        /// The setup of each connection, readers and the writer (default: `.platform`).
        ///
        /// It also runs on read-only connections, so it must not write to the database.
        public var configuration = SQLiteConfiguration.platform
        /// Whether the file is created if it does not exist (default: true). If false, opening a
        /// missing file fails with `.cannotOpen`.
        public var creates = true

        /// Creates options with the default values.
        public init() {}
    }

    let writers: ConnectionPool<PooledContext>
    /// Nil for an in-memory database, which has only one connection.
    let readers: ConnectionPool<PooledContext>?

    /// Opens a database file, or an in-memory database if `path` is nil. In memory there is one
    /// connection, so reads wait for writes.
    ///
    /// The writer is opened immediately, readers when they are first needed.
    ///
    /// ```swift
    /// let testPool = try SQLPool(path: nil)
    /// try testPool.write { try $0.exec(sql: "CREATE TABLE city (name TEXT)") }
    /// ```
    /// - Parameters:
    ///   - path: The path of the file; nil for an in-memory database.
    ///   - options: The number of readers, the busy timeout and the setup of connections.
    /// - Throws: ``SQLError`` if the file cannot be opened or switched to WAL mode, or the error of
    ///   the configuration.
    public init(path: String?, options: Options = Options()) throws {
        let opening = PoolOpening(path: path, options: options)
        writers = try ConnectionPool(
            limit: 1, first: opening.writer(), open: opening.writerAgain)
        readers =
            path == nil
            ? nil : ConnectionPool(limit: max(options.readers, 1), open: opening.reader)
    }

    /// Opens a database file by its URL. See `init(path:options:)` with a string.
    public convenience init(path: URL, options: Options = Options()) throws {
        try self.init(path: path.path(percentEncoded: false), options: options)
    }

    deinit {
        close()
    }

    /// Closes the connections; those in use are closed when their calls end. Calls that wait for a
    /// connection, and later calls, throw `SQLError` with `.misuse`.
    ///
    /// It does not wait for running calls. A pool that is deinitialized closes itself.
    public func close() {
        readers?.close()
        writers.close()
    }
}

extension SQLPool {
    /// Runs `body` on a reading connection in a transaction, so that it sees a consistent snapshot.
    ///
    /// Blocks the thread, including the wait for a connection; it does not wait for a writer,
    /// except in memory. Statements that `body` leaves open are reset. On a task, use the
    /// asynchronous form.
    ///
    /// ```swift
    /// let (count, newest) = try pool.read { context in
    ///     let count = try context.selectValue(sql: "SELECT count(*) FROM mail")?.longValue ?? 0
    ///     let newest = try context.selectValue(sql: "SELECT max(date) FROM mail")?.textValue
    ///     return (count, newest)
    /// }
    /// ```
    ///
    /// - Parameter body: Called with the connection, which must not be used afterwards. A statement
    ///   that writes fails with `.readOnly`.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; ``SQLError`` with `.misuse` if the pool is closed, or within
    ///   another `read` of the same pool, which could deadlock.
    public func read<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try (readers ?? writers).withPooledConnection { try read($0, body) }
    }

    private func read<T>(
        _ connection: PooledContext, _ body: (SQLContext) throws -> T
    ) throws -> T {
        readers == nil
            ? try connection.readingTransaction(body) : try connection.transaction(.deferred, body)
    }

    /// Runs `body` on the writing connection in a transaction, which is committed when `body`
    /// returns and rolled back if it throws.
    ///
    /// Blocks the thread, including the wait for the connection. Writes run one after the other, in
    /// the order of their calls. On a task, use the asynchronous form.
    ///
    /// ```swift
    /// let id = try pool.write { context in
    ///     try context.exec(sql: "INSERT INTO city (name) VALUES ('Baku')")
    ///     return context.lastInsertRowID
    /// }
    /// ```
    ///
    /// - Parameter body: Called with the connection, which must not be used afterwards. Use
    ///   ``SQLContext/transaction(_:_:)`` in it for savepoints.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, after the rollback; ``SQLError`` with `.busy` if a connection
    ///   outside the pool holds the write lock longer than the busy timeout, or with `.misuse` if
    ///   the pool is closed, or within another `write` of the same pool, which would deadlock.
    public func write<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { try $0.transaction(.immediate, body) }
    }

    /// Runs `body` on the writing connection without a transaction, for `VACUUM` and pragmas.
    ///
    /// Blocks the thread and throws like `write`. Each statement is a separate transaction; one
    /// that `body` starts and leaves open is rolled back. A pragma remains set for later calls.
    ///
    /// ```swift
    /// try pool.withWriter { context in
    ///     try context.exec(sql: "VACUUM")
    ///     try context.exec(sql: "PRAGMA optimize")
    /// }
    /// ```
    ///
    /// - Parameter body: Called with the connection, which must not be used afterwards.
    /// - Returns: The result of `body`.
    public func withWriter<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { try body($0.context) }
    }
}

extension SQLPool {
    /// Runs `body` on a reading connection in a transaction, without blocking the calling thread.
    ///
    /// If the task is cancelled, also while it waits for a connection, the running statement is
    /// interrupted, and `CancellationError` is thrown.
    ///
    /// ```swift
    /// let cities = try await pool.read { context in
    ///     try context.selectAll(sql: "SELECT name FROM city ORDER BY name")
    /// }
    /// ```
    /// - Parameter body: Called with the connection on the connection's queue; it must not use the
    ///   connection afterwards, nor block on another call of the pool. A statement that writes
    ///   fails with `.readOnly`.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; `CancellationError`; ``SQLError`` with `.misuse` if the pool
    ///   is closed.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await (readers ?? writers).withPooledConnection { try self.read($0, body) }
    }

    /// Runs `body` on the writing connection in a transaction, without blocking the calling thread.
    ///
    /// If the task is cancelled before the commit, the transaction is rolled back, and
    /// `CancellationError` is thrown.
    ///
    /// ```swift
    /// let removed = try await pool.write { context in
    ///     try context.exec(sql: "DELETE FROM session WHERE expired")
    ///     return context.changes
    /// }
    /// ```
    /// - Parameter body: Called with the connection on the connection's queue; it must not use the
    ///   connection afterwards, nor block on another call of the pool.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, after the rollback; `CancellationError`; ``SQLError`` with
    ///   `.busy` if a connection outside the pool holds the write lock longer than the busy
    ///   timeout, or with `.misuse` if the pool is closed.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try $0.transaction(.immediate, body) }
    }

    /// Runs `body` on the writing connection without a transaction, and without blocking the
    /// calling thread.
    ///
    /// Each statement is a separate transaction; a transaction that `body` starts and leaves open
    /// is rolled back. Cancellation interrupts the running statement.
    ///
    /// - Parameter body: Called with the connection, which must not be used afterwards.
    /// - Returns: The result of `body`.
    public func withWriter<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try body($0.context) }
    }
}
