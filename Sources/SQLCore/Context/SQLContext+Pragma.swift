internal import CSQLite

extension SQLContext {
    /// Returns the first value of a pragma, or nil if it returns no row.
    ///
    /// The statement is not cached, since some pragmas are evaluated when they are compiled. For a
    /// pragma with several rows or columns, such as `table_info`, use
    /// ``selectAll(sql:parameters:)``.
    ///
    /// ```swift
    /// let pages = try database.pragma("page_count")?.longValue ?? 0
    /// let bytes = pages * (try database.pragma("page_size")?.longValue ?? 0)
    /// ```
    ///
    /// - Parameter name: The name, such as `journal_mode` or `main.journal_mode`.
    /// - Returns: The first column of the first row.
    /// - Throws: ``SQLError``: `.misuse` if the name contains anything but ASCII letters, digits,
    ///   `_` and `.`. SQLite ignores a pragma that it does not know: the result is nil.
    public func pragma(_ name: String) throws -> SQLValue? {
        // Not a cached statement, since some pragmas are evaluated when they are compiled.
        let statement = try prepare(sql: "PRAGMA \(try Self.requirePragma(name))")
        return try statement.next() ? statement.value(at: 0) : nil
    }

    /// Sets a pragma. Returns its first result, such as the new mode for `journal_mode`.
    ///
    /// A string is quoted, so that a value cannot become SQL. SQLite ignores unknown pragmas and
    /// many invalid values without an error: compare the result, or read the pragma again.
    ///
    /// ```swift
    /// try database.setPragma("cache_size", to: .long(-16_000))
    /// if try database.setPragma("journal_mode", to: .text("wal")) != .text("wal") {
    ///     use("the file system does not support WAL mode")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, such as `synchronous` or `main.synchronous`.
    ///   - value: A number or a string.
    /// - Returns: The first column of the first row; nil if the pragma returns no row.
    /// - Throws: ``SQLError``: `.misuse` for a blob or null, or for a name with other characters
    ///   than ASCII letters, digits, `_` and `.`.
    @discardableResult
    public func setPragma(_ name: String, to value: SQLValue) throws -> SQLValue? {
        let text =
            switch value {
            case .long(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text): text.sqlText
            case .blob, .null:
                throw SQLError(
                    code: .misuse, message: "the value of a pragma must be a number or a string")
            }
        let statement = try prepare(sql: "PRAGMA \(try Self.requirePragma(name)) = \(text)")
        return try statement.next() ? statement.value(at: 0) : nil
    }

    private static func requirePragma(_ name: String) throws -> String {
        let isWord = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isWord, !name.isEmpty else {
            throw SQLError(code: .misuse, message: "\"\(name)\" is not a valid name of a pragma")
        }
        return name
    }
}

// A property setter cannot throw: the next call that can throws its error, at the latest the commit
// of the enclosing transaction.
extension SQLContext {
    /// A number in the file for use by the application: `PRAGMA user_version`.
    ///
    /// If reading fails, it is 0; if setting fails, it is unchanged. The next call of the context
    /// throws the error. `pragma(_:)` and `setPragma(_:to:)` throw immediately.
    ///
    /// It is 0 in a new file. Migrations of SQLTables store the version of the schema here.
    ///
    /// ```swift
    /// if database.userVersion == 0 {
    ///     try database.exec(sql: "CREATE TABLE note (body TEXT)")
    ///     database.userVersion = 1
    /// }
    /// ```
    public var userVersion: Int64 {
        get { value("user_version") }
        set { set("user_version", .long(newValue)) }
    }

    /// Whether foreign key constraints are enforced: `PRAGMA foreign_keys`.
    ///
    /// SQLite's default is off, and the setting is not stored in the file, so each connection must
    /// turn it on. Setting it within a transaction has no effect. Errors are reported as for
    /// ``userVersion``.
    ///
    /// ```swift
    /// let enforcing = SQLiteConfiguration.custom { $0.foreignKeysEnabled = true }
    /// let context = try SQLContext(path: databasePath, configuration: enforcing)
    /// ```
    public var foreignKeysEnabled: Bool {
        get { value("foreign_keys") != 0 }
        set { set("foreign_keys", .long(newValue ? 1 : 0)) }
    }

    /// Whether uncommitted changes of connections with a shared cache are visible: `PRAGMA
    /// read_uncommitted` (default: false).
    ///
    /// It has an effect only between connections of this process that were opened with
    /// ``SQLOpenFlags/sharedCache``. Errors are reported as for ``userVersion``.
    public var readUncommitted: Bool {
        get { value("read_uncommitted") != 0 }
        set { set("read_uncommitted", .long(newValue ? 1 : 0)) }
    }

    /// The encoding of strings in the file, such as `UTF-8` (default) or `UTF-16le`: `PRAGMA
    /// encoding`.
    ///
    /// It can be set only before a table exists; afterwards setting it has no effect. It changes
    /// the size of the file, not the API: strings are UTF-8 everywhere. Errors are reported as for
    /// ``userVersion``, and reading then returns an empty string.
    public var encoding: String {
        get {
            deferring { try pragma("encoding")?.textValue } ?? ""
        }
        set { set("encoding", .text(newValue)) }
    }

    private func value(_ name: String) -> Int64 {
        deferring { try pragma(name)?.longValue } ?? 0
    }

    private func set(_ name: String, _ value: SQLValue) {
        _ = deferring { try setPragma(name, to: value) }
    }

    private func deferring<T>(_ body: () throws -> T?) -> T? {
        // An earlier deferred error takes precedence, but does not prevent this call.
        let waiting = connection.deferredError
        connection.deferredError = nil
        defer { connection.deferredError = waiting ?? connection.deferredError }
        do {
            return try body()
        } catch {
            if !isClosed { connection.deferredError = error as? SQLError }
            return nil
        }
    }
}

/// The result of a checkpoint.
package struct SQLCheckpoint {
    /// Whether another connection prevented its completion.
    package let isBlocked: Bool
    /// The number of frames in the WAL; 0 if another connection is running a checkpoint.
    package let walPages: Int
    /// The number of frames that have been checkpointed.
    package let checkpointedPages: Int
}

extension SQLContext {
    /// Disables automatic checkpoints; `walPages` shows when a checkpoint is due.
    /// `sqlite3_wal_hook`
    package func disableAutoCheckpoint() throws {
        let handle = try connection.requireHandle()
        let pages = WALPages()
        connection.walPages = pages
        sqlite3_wal_hook(handle, WALPages.note, Unmanaged.passUnretained(pages).toOpaque())
    }

    /// The number of frames in the WAL after the latest commit of this connection; 0 before
    /// `disableAutoCheckpoint()`.
    package var walPages: Int { connection.walPages?.count ?? 0 }

    /// Checkpoints the WAL: copies its pages into the database file. `sqlite3_wal_checkpoint_v2`
    ///
    /// - Parameter restarts: Whether to wait, up to the connection's busy timeout, for writers and
    ///   for readers of the WAL, so that the next commit resets the WAL, which would never happen
    ///   while there is always a reader. Otherwise the checkpoint does not wait.
    package func checkpoint(restarts: Bool = false) throws -> SQLCheckpoint {
        let handle = try connection.requireHandle()
        var wal: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", restarts ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE,
            &wal, &moved)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw SQLError(handle: handle, code: code)
        }
        return SQLCheckpoint(
            isBlocked: code != SQLITE_OK || moved < wal, walPages: Int(Swift.max(wal, 0)),
            checkpointedPages: Int(Swift.max(moved, 0)))
    }
}
