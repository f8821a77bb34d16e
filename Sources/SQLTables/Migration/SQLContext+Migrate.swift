public import SQLCore

extension SQLContext {
    /// Brings a database to the version that is the number of steps, by its `user_version`.
    ///
    /// Step 0 makes version 1 of version 0, and so on. Each runs in a transaction that also sets
    /// the version, so that a step that throws leaves the version before it. References are
    /// checked at the end of each step instead of within it, which lets a step build a table again.
    /// Rows that pointed to nothing before the step are no error; a row is known by its table and
    /// its rowid.
    ///
    /// Both checks read every row that has a reference.
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
                    try checkingNewViolations { try migrations[version](self) }
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
        let violations = try foreignKeyViolations()
        guard violations.isEmpty else { throw SQLMigrationError.foreignKeys(violations) }
    }

    private func foreignKeyViolations() throws -> [SQLForeignKeyViolation] {
        try selectAll(sql: "PRAGMA foreign_key_check").map { row in
            SQLForeignKeyViolation(
                table: row[0].textValue ?? "", rowID: row[1].longValue,
                parent: row[2].textValue ?? "")
        }
    }

    /// Runs a step. Throws `.foreignKeys` with the rows that point to nothing only since then.
    func checkingNewViolations(_ step: () throws -> Void) throws {
        let before: [SQLForeignKeyViolation]
        do {
            before = try foreignKeyViolations()
        } catch let error as SQLError where error.code == .error {
            // A reference that fits no key of its parent: old and new rows cannot be told apart,
            // and the step may be the one that fixes it.
            return try step()
        }
        try step()
        // Rows of a table without rowids look alike: they are counted.
        var known: [SQLForeignKeyViolation: Int] = [:]
        for violation in before { known[violation, default: 0] += 1 }
        let new = try foreignKeyViolations().filter { violation in
            known[violation, default: 0] -= 1
            return known[violation, default: 0] < 0
        }
        guard new.isEmpty else { throw SQLMigrationError.foreignKeys(new) }
    }

    /// The version from which to go on; nil if the file is up to date.
    private func pendingVersion(_ known: Int) throws -> Int? {
        let version = try Int(pragma("user_version")?.longValue ?? 0)
        guard version >= 0 else { throw SQLMigrationError.negativeVersion(version) }
        guard version <= known else {
            throw SQLMigrationError.newerFile(version: version, known: known)
        }
        return version < known ? version : nil
    }

    /// Runs `body` with foreign keys off, since dropping a table that is rebuilt would delete
    /// what points to it. They are on again whatever `body` did.
    func withMigrationSettings<T>(_ body: () throws -> T) throws -> T {
        guard !isInTransaction else { throw SQLMigrationError.insideTransaction }
        guard try selectValue(sql: "PRAGMA foreign_keys") == .long(1) else { return try body() }
        enforceForeignKeys(false)
        defer { enforceForeignKeys(true) }
        return try body()
    }
}
