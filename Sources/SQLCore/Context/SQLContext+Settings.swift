internal import CSQLite

// Settings of a connection by `sqlite3_db_config`.
extension SQLContext {
    /// Resets the main database to an empty one, including its `user_version`, even if it is
    /// corrupt. `SQLITE_DBCONFIG_RESET_DATABASE`
    ///
    /// The file itself remains, so that other connections see the empty database.
    ///
    /// It must not run within a transaction. Use it for data that can be restored from elsewhere,
    /// instead of deleting a file that other connections have open.
    ///
    /// ```swift
    /// if try database.pragma("quick_check") != .text("ok") {
    ///     try database.eraseDatabase()
    /// }
    /// ```
    ///
    /// - Throws: ``SQLError``, such as `.busy` while another connection uses the file.
    public func eraseDatabase() throws {
        try set(SQLITE_DBCONFIG_RESET_DATABASE, true)
        defer { try? set(SQLITE_DBCONFIG_RESET_DATABASE, false) }
        try exec(sql: "VACUUM")
    }

    /// Turns the enforcement of foreign key constraints on or off. `SQLITE_DBCONFIG_ENABLE_FKEY`
    ///
    /// Unlike the pragma, it also works in a transaction that could not be ended, and for a
    /// connection that was interrupted or that denies pragmas. It ignores a closed connection.
    package func enforceForeignKeys(_ isEnforced: Bool) {
        try? set(SQLITE_DBCONFIG_ENABLE_FKEY, isEnforced)
    }

    /// Disables the checkpoint and the deletion of the WAL when this connection is closed as the
    /// last one. `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`
    package func keepWALOnClose() throws { try set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

    /// Turns the defensive mode on or off. `SQLITE_DBCONFIG_DEFENSIVE`
    ///
    /// In defensive mode no statement can corrupt the file: statements cannot write to the schema
    /// table or to shadow tables of virtual tables, nor turn the journal off. Turn it on before you
    /// run untrusted SQL or open an untrusted file.
    ///
    /// ```swift
    /// let untrusted = SQLiteConfiguration.custom {
    ///     try $0.setDefensive(true)
    ///     try $0.setPragma("trusted_schema", to: .long(0))
    /// }
    /// let context = try SQLContext(path: databasePath, flags: .readOnly, configuration: untrusted)
    /// ```
    ///
    /// - Parameter isDefensive: True to turn it on (off by default).
    public func setDefensive(_ isDefensive: Bool) throws {
        try set(SQLITE_DBCONFIG_DEFENSIVE, isDefensive)
    }

    private func set(_ setting: Int32, _ isOn: Bool) throws {
        var state: Int32 = 0
        _ = shim_db_config_int(try connection.requireHandle(), setting, isOn ? 1 : 0, &state)
    }
}

extension SQLContext {
    /// Limits the memory of SQLite in this process, of all connections together. A statement that
    /// needs more fails with `.noMemory`. `sqlite3_hard_heap_limit64`
    ///
    /// For programs that open untrusted files. The limit can be lowered, but not raised again.
    ///
    /// ```swift
    /// SQLContext.limitMemory(bytes: 200 << 20)
    /// ```
    ///
    /// - Parameter bytes: The limit in bytes; a value of 0 or less has no effect.
    public static func limitMemory(bytes: Int) {
        if bytes > 0 { _ = sqlite3_hard_heap_limit64(sqlite3_int64(bytes)) }
    }

    /// Stops SQLite from counting the memory that it allocates, in the whole process.
    /// `SQLITE_CONFIG_MEMSTATUS`
    ///
    /// Most builds of SQLite, such as Debian's, count it, which takes a lock of the process for
    /// each allocation. Without it an insert takes about 4 % less time. ``limitMemory(bytes:)`` and
    /// the pragmas `soft_heap_limit` and `hard_heap_limit` then have no effect.
    ///
    /// For an application that owns its process: it calls this first, before anything in the
    /// process uses SQLite. A library should leave it to the application.
    ///
    /// ```swift
    /// try? SQLContext.disableMemoryStatistics()
    /// ```
    ///
    /// - Throws: ``SQLError``: `.misuse` if SQLite is in use already, as it is in processes that
    ///   load Apple's frameworks; everything works as before then.
    public static func disableMemoryStatistics() throws {
        guard shim_config_int(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK else {
            throw SQLError(
                code: .misuse,
                message: "SQLite is in use already, and continues to count its memory")
        }
    }
}

extension SQLContext {
    /// Runs `body` with a limit for the length of strings, blobs and rows; a statement that exceeds
    /// it fails with `.tooBig`. `sqlite3_limit`
    ///
    /// - Parameter bytes: The maximum number of bytes, capped by SQLite's compile-time limit.
    package func withLongestValue<T>(_ bytes: Int, body: () throws -> T) throws -> T {
        let handle = try connection.requireHandle()
        let outer = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: Swift.max(bytes, 1)))
        defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, outer) }
        return try body()
    }
}
