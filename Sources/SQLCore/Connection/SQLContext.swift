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
    /// The `sqlite3 *`; nil once closed.
    private(set) var handle: OpaquePointer?

    /// Opens a database, in memory if `path` is nil. `sqlite3_open_v2`
    ///
    /// Throws `SQLError` when the file cannot be opened; SQLite reads the file only at the first
    /// statement, so that is where `.notADatabase` and `.corrupt` appear.
    public init(path: String? = nil, flags: SQLOpenFlags = [.readWrite, .create]) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path ?? ":memory:", &opened, flags.rawValue, nil)
        guard code == SQLITE_OK else {
            let error = SQLError(handle: opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Whether `close()` has been called.
    public var isClosed: Bool { handle == nil }

    /// Closes the connection; a second call does nothing. `sqlite3_close`
    ///
    /// Throws `.busy` while a statement of it is open.
    public func close() throws {
        guard let open = handle else { return }
        let code = sqlite3_close(open)
        guard code == SQLITE_OK else { throw SQLError(handle: open, code: code) }
        handle = nil
    }

    /// The open handle, or the error of a closed context.
    func requireHandle() throws -> OpaquePointer {
        guard let handle else {
            throw SQLError(code: .misuse, message: "the SQLContext is closed")
        }
        return handle
    }
}

extension SQLContext {
    /// How long a statement waits for another connection's lock. `sqlite3_busy_timeout`
    public func setBusyTimeout(milliseconds: Int) throws {
        sqlite3_busy_timeout(try requireHandle(), Int32(clamping: milliseconds))
    }

    /// Whether the main database cannot be written through this connection.
    /// `sqlite3_db_readonly`
    public var isReadOnly: Bool { handle.map { sqlite3_db_readonly($0, "main") != 0 } ?? true }

    /// The number of rows that the latest INSERT, UPDATE or DELETE changed. `sqlite3_changes64`
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// Whether a transaction is open. `sqlite3_get_autocommit`
    public var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Closing leaves the write-ahead log as it stands.
    /// `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`
    package func keepLogOnClose() throws {
        var state: Int32 = 0
        _ = shim_db_config_int(
            try requireHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &state)
    }

    /// Statements cannot damage the file's own structures. `SQLITE_DBCONFIG_DEFENSIVE`
    package func beDefensive() throws {
        var state: Int32 = 0
        _ = shim_db_config_int(try requireHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, &state)
    }

    /// The version of the SQLite library, such as `3.40.1`. `sqlite3_libversion`
    public static var version: String { String(cString: sqlite3_libversion()) }
}
