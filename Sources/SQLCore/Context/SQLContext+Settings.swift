internal import CSQLite

// What `sqlite3_db_config` sets for a connection.
extension SQLContext {
    /// Removes everything from the main database, its version too, even if it is corrupt.
    /// `SQLITE_DBCONFIG_RESET_DATABASE`
    ///
    /// The file and its name stay, so that other connections see the empty database.
    public func eraseDatabase() throws {
        try set(SQLITE_DBCONFIG_RESET_DATABASE, true)
        defer { try? set(SQLITE_DBCONFIG_RESET_DATABASE, false) }
        try exec(sql: "VACUUM")
    }

    /// References between tables are enforced, or not.
    ///
    /// Unlike the pragma, it also works in a transaction that could not be ended, and for a
    /// connection that was interrupted or that denies pragmas. A closed one is left alone.
    /// `SQLITE_DBCONFIG_ENABLE_FKEY`
    package func enforceForeignKeys(_ isEnforced: Bool) {
        try? set(SQLITE_DBCONFIG_ENABLE_FKEY, isEnforced)
    }

    /// Leaves the log as it is when this connection is closed, though it be the last one.
    /// `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`
    package func keepWALOnClose() throws { try set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

    /// Turns the defensive mode on or off, in which no statement can damage the file's own
    /// structures: neither by writing to the schema or to shadow tables of virtual ones, nor by
    /// turning the journal off. Turn it on to run SQL, or to open a file, that is not trusted.
    /// `SQLITE_DBCONFIG_DEFENSIVE`
    public func setDefensive(_ isDefensive: Bool) throws {
        try set(SQLITE_DBCONFIG_DEFENSIVE, isDefensive)
    }

    private func set(_ setting: Int32, _ isOn: Bool) throws {
        var state: Int32 = 0
        _ = shim_db_config_int(try connection.requireHandle(), setting, isOn ? 1 : 0, &state)
    }
}

extension SQLContext {
    /// The most memory that SQLite takes in this process, by all connections together; a statement
    /// that needs more fails with `.noMemory`. `sqlite3_hard_heap_limit64`
    ///
    /// For programs that open files of strangers. It cannot be raised again, only lowered.
    ///
    /// - Parameter bytes: nothing is changed if it is not above 0.
    public static func limitMemory(bytes: Int) {
        if bytes > 0 { _ = sqlite3_hard_heap_limit64(sqlite3_int64(bytes)) }
    }
}

extension SQLContext {
    /// Runs `body` while no text, blob or row may be longer; SQLite ends a statement that makes a
    /// longer one with `.tooBig`. `sqlite3_limit`
    ///
    /// - Parameter bytes: the most bytes; SQLite itself knows an upper bound.
    package func withLongestValue<T>(_ bytes: Int, body: () throws -> T) throws -> T {
        let handle = try connection.requireHandle()
        let outer = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: Swift.max(bytes, 1)))
        defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, outer) }
        return try body()
    }
}
