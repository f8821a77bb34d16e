#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Connections to one database file for many threads and tasks: one that writes, and some that read
/// at the same time, each from a snapshot.
///
/// ```swift
/// let pool = try SQLPool(path: "people.db")
/// try await pool.write { try $0.exec(sql: "INSERT INTO person VALUES ('Ada')") }
/// let count = try await pool.read { try $0.selectValue(sql: "SELECT count(*) FROM person") }
/// ```
/// The file is put into WAL mode. Each `read` and `write` is a transaction of its own. There are
/// two forms of each: one that blocks the calling thread, and one for tasks, which runs on a thread
/// of the connection's own and is ended when the task is cancelled.
public final class SQLPool: Sendable {
    /// How a pool is opened.
    public struct Options: Sendable {
        /// The most connections that read at the same time; they are opened when they are needed.
        public var readers = 4
        /// How long a statement waits for the lock of another process.
        public var busyTimeoutMilliseconds = 5000
        /// What is set up on each connection.
        public var configuration = SQLiteConfiguration.platform
        /// Whether the file is made if there is none.
        public var creates = true

        /// Four readers, five seconds, SQLite as the platform has it.
        public init() {}
    }

    let writers: ConnectionPool
    /// Nil for a database in memory, which has one connection only.
    let readers: ConnectionPool?

    /// Opens a database file, or one in memory if `path` is nil: then reading waits for writing.
    ///
    /// Throws `SQLError` if the file cannot be opened or be put into WAL mode.
    public init(path: String?, options: Options = Options()) throws {
        let opening = PoolOpening(path: path, options: options)
        writers = try ConnectionPool(
            limit: 1, first: opening.writer(), open: opening.writerAgain)
        readers = path == nil ? nil : ConnectionPool(limit: max(options.readers, 1), open: opening.reader)
    }

    /// Opens a database file.
    public convenience init(path: URL, options: Options = Options()) throws {
        try self.init(path: path.path(percentEncoded: false), options: options)
    }

    deinit {
        close()
    }

    /// Closes the connections; those that are in use are closed when they are given back. Whoever
    /// waits for one gets an error; so does who asks for one later.
    public func close() {
        readers?.close()
        writers.close()
    }
}

extension SQLPool {
    /// Runs `body` on a connection that reads, within a transaction: all of it sees the same state.
    ///
    /// Blocks the thread, also to wait for a connection. Throws `.misuse` within another `read` of
    /// the same pool, which might wait for itself.
    public func read<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try (readers ?? writers).withPooledConnection { member in
            try member.perform { try read($0, body) }
        }
    }

    private func read<T>(
        _ member: PooledConnection, _ body: (SQLContext) throws -> T
    ) throws -> T {
        readers == nil
            ? try member.readingTransaction(body) : try member.transaction(.deferred, body)
    }

    /// Runs `body` on the connection that writes, within a transaction that is committed at the
    /// end, or rolled back if it throws.
    ///
    /// Blocks the thread, also to wait for its turn. Throws `.misuse` within another `write` of the
    /// same pool, which would wait for itself.
    public func write<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { member in
            try member.perform { try $0.transaction(.immediate, body) }
        }
    }

    /// Runs `body` on the connection that writes, without a transaction: for `VACUUM` and pragmas.
    public func withWriter<T: Sendable>(_ body: (SQLContext) throws -> T) throws -> T {
        try writers.withPooledConnection { member in try member.perform { try body($0.context) } }
    }
}

extension SQLPool {
    /// The same as the other `read`, for tasks: nothing is blocked, and if the task is cancelled,
    /// the statement that runs ends and `CancellationError` is thrown.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await (readers ?? writers).withPooledConnection { try self.read($0, body) }
    }

    /// The same as the other `write`, for tasks: nothing is blocked, and if the task is cancelled
    /// before the commit, everything is rolled back and `CancellationError` is thrown.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try $0.transaction(.immediate, body) }
    }

    /// The same as the other `withWriter`, for tasks.
    public func withWriter<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await writers.withPooledConnection { try body($0.context) }
    }
}
