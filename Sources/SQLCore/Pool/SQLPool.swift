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
/// The file is switched to WAL mode. Each `read` and `write` runs in a separate transaction. Both
/// have two forms: a synchronous one, which blocks the calling thread, and an asynchronous one,
/// which runs on the connection's queue and is cancelled with its task.
///
/// Each connection has its own page cache. Functions, collations and pragmas must be set on every
/// connection, by `Options.configuration`. A context must not be used outside its call.
public final class SQLPool: Sendable {
    /// Options for opening a pool.
    public struct Options: Sendable {
        /// The maximum number of concurrent readers (default: 4); connections are opened on demand.
        public var readers = 4
        /// How long a statement waits for the lock of another process, in milliseconds (default:
        /// 5000).
        public var busyTimeoutMilliseconds = 5000
        /// The setup of each connection (default: `.platform`).
        public var configuration = SQLiteConfiguration.platform
        /// Whether the file is created if it does not exist (default: true).
        public var creates = true

        /// Creates options with the default values.
        public init() {}
    }

    let writers: ConnectionPool
    /// Nil for a database in memory, which has only one connection.
    let readers: ConnectionPool?

    /// Opens a database file, or a database in memory if `path` is nil. In memory there is one
    /// connection, so reads wait for writes.
    ///
    /// Throws `SQLError` if the file cannot be opened or switched to WAL mode.
    public init(path: String?, options: Options = Options()) throws {
        let opening = PoolOpening(path: path, options: options)
        writers = try ConnectionPool(
            limit: 1, first: opening.writer(), open: opening.writerAgain)
        readers =
            path == nil
            ? nil : ConnectionPool(limit: max(options.readers, 1), open: opening.reader)
    }

    /// Opens a database file.
    public convenience init(path: URL, options: Options = Options()) throws {
        try self.init(path: path.path(percentEncoded: false), options: options)
    }

    deinit {
        close()
    }

    /// Closes the connections; those in use are closed when their calls end. Calls that wait for a
    /// connection, and later calls, throw `SQLError` with `.misuse`.
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
    /// - Parameter body: Called with the connection, which must not be used afterwards. A statement
    ///   that writes fails with `.readOnly`.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; ``SQLError`` with `.misuse` if the pool is closed, or within
    ///   another `read` of the same pool, which could deadlock.
    public func read<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try (readers ?? writers).withPooledConnection { connection in
            try connection.perform { try read($0, body) }
        }
    }

    private func read<T>(
        _ connection: PooledConnection, _ body: (SQLContext) throws -> T
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
    /// - Parameter body: Called with the connection, which must not be used afterwards. Use
    ///   ``SQLContext/transaction(_:_:)`` in it for savepoints.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, after the rollback; ``SQLError`` with `.busy` if a connection
    ///   outside the pool holds the write lock longer than the busy timeout, or with `.misuse` if
    ///   the pool is closed, or within another `write` of the same pool, which would deadlock.
    public func write<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { connection in
            try connection.perform { try $0.transaction(.immediate, body) }
        }
    }

    /// Runs `body` on the writing connection without a transaction, for `VACUUM` and pragmas.
    ///
    /// Blocks the thread and throws like `write`. Each statement is a separate transaction; one
    /// that `body` starts and leaves open is rolled back. A pragma remains set for later calls.
    public func withWriter<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { connection in
            try connection.perform { try body($0.context) }
        }
    }
}

extension SQLPool {
    /// Runs `body` on a reading connection in a transaction, without blocking the calling thread.
    ///
    /// If the task is cancelled, the running statement is interrupted, and `CancellationError` is
    /// thrown.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await (readers ?? writers).withPooledConnection { try self.read($0, body) }
    }

    /// Runs `body` on the writing connection in a transaction, without blocking the calling thread.
    ///
    /// If the task is cancelled before the commit, the transaction is rolled back, and
    /// `CancellationError` is thrown.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try $0.transaction(.immediate, body) }
    }

    /// Runs `body` on the writing connection without a transaction, and without blocking the
    /// calling thread.
    public func withWriter<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try body($0.context) }
    }
}
