extension SQLContext {
    /// Brings a database to the version that is the number of steps, by its `user_version`.
    ///
    /// Step 0 makes version 1 of version 0, and so on. Each runs in a transaction that also sets
    /// the version, so that a step that throws leaves the version before it. References are
    /// checked at the end of each step instead of within it, which lets a step build a table anew.
    ///
    /// Throws `SQLMigrationError`, or what a step throws. Returns the number of steps done.
    @discardableResult
    public func migrate(migrations: [(SQLContext) throws -> Void]) throws -> Int {
        try withMigrationSettings {
            var done = 0
            while try pendingVersion(migrations.count) != nil {
                try transaction(.immediate) {
                    // Another process may have done the step in the meantime.
                    guard let version = try pendingVersion(migrations.count) else { return }
                    try migrations[version](self)
                    try checkForeignKeys()
                    try exec(sql: "PRAGMA user_version = \(version + 1)")
                    done += 1
                }
            }
            return done
        }
    }

    /// The same with each step as a script of SQL.
    @discardableResult
    public func migrate(migrations: [String]) throws -> Int {
        try migrate(migrations: migrations.map { sql in { try $0.exec(sql: sql) } })
    }

    /// Checks all references. Throws `.foreignKeys` with the rows that point to nothing.
    /// `PRAGMA foreign_key_check`
    public func checkForeignKeys() throws {
        let rows = try selectAll(sql: "PRAGMA foreign_key_check")
        guard !rows.isEmpty else { return }
        throw SQLMigrationError.foreignKeys(
            rows.map { row in
                SQLForeignKeyViolation(
                    table: row[0].textValue ?? "", rowID: row[1].longValue,
                    parent: row[2].textValue ?? "")
            })
    }

    /// The version from which to go on; nil if the file is up to date.
    private func pendingVersion(_ known: Int) throws -> Int? {
        let version = try Int(pragma("user_version")?.longValue ?? 0)
        guard (0...known).contains(version) else {
            throw SQLMigrationError.newerFile(version: version, known: known)
        }
        return version < known ? version : nil
    }

    /// Runs `body` with foreign keys off, since dropping a table that is built anew would delete
    /// what points to it.
    func withMigrationSettings<T>(_ body: () throws -> T) throws -> T {
        guard !isInTransaction else { throw SQLMigrationError.insideTransaction }
        guard try selectValue(sql: "PRAGMA foreign_keys") == .long(1) else { return try body() }
        try exec(sql: "PRAGMA foreign_keys = OFF")
        let result = Result { try body() }
        let restored = Result { try exec(sql: "PRAGMA foreign_keys = ON") }
        // The step's own error says more.
        let value = try result.get()
        try restored.get()
        return value
    }
}
