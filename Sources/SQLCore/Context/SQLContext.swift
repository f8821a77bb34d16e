import CSQLite

/// One connection to a SQLite database, used by one thread at a time.
///
/// ```swift
/// let context = try SQLContext()
/// try context.exec(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)")
/// let rows = try context.selectAll(sql: "SELECT a FROM t WHERE a > ?", parameters: [.long(1)])
/// ```
/// It is not `Sendable`: hand it over whole, or give each thread its own.
public final class SQLContext {
    /// Shared with the statements, which keep it open.
    let connection: SQLConnection

    /// Opens a database, in memory if `path` is nil. `sqlite3_open_v2`
    ///
    /// Throws `SQLError` when the file cannot be opened; SQLite reads the file only at the first
    /// statement, so that is where `.notADatabase` and `.corrupt` appear.
    public init(path: String? = nil, flags: SQLOpenFlags = [.readWrite, .create]) throws {
        connection = try SQLConnection(path: path ?? ":memory:", flags: flags)
    }

    /// Whether `close()` has been called.
    public var isClosed: Bool { connection.handle == nil }

    /// Closes the connection; a second call does nothing. `sqlite3_close`
    ///
    /// Throws `.busy` while a statement of it is open.
    public func close() throws {
        try connection.close()
    }
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

    /// Whether a transaction is open. `sqlite3_get_autocommit`
    public var isInTransaction: Bool {
        connection.handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Statements cannot damage the file's own structures. `SQLITE_DBCONFIG_DEFENSIVE`
    package func beDefensive() throws {
        var state: Int32 = 0
        _ = shim_db_config_int(try connection.requireHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, &state)
    }

    /// The version of the SQLite library, such as `3.40.1`. `sqlite3_libversion`
    public static var version: String { String(cString: sqlite3_libversion()) }
}
