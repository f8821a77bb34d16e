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
    package func leaveLogAtClose() throws { try set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

    /// Statements cannot damage the file's own structures, or can. `SQLITE_DBCONFIG_DEFENSIVE`
    package func beDefensive(_ isDefensive: Bool = true) throws {
        try set(SQLITE_DBCONFIG_DEFENSIVE, isDefensive)
    }

    private func set(_ setting: Int32, _ isOn: Bool) throws {
        var state: Int32 = 0
        _ = shim_db_config_int(try connection.requireHandle(), setting, isOn ? 1 : 0, &state)
    }
}
