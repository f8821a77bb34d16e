public import SQLCore

extension SQLContext {
    /// Applies the steps that have not been applied yet, and counts them in `user_version`.
    ///
    /// ```swift
    /// try database.migrate(migrations: [
    ///     { try $0.createTableIfNotExists(Team.self) },
    ///     { try $0.exec(sql: "CREATE TABLE PLAYER (ID INTEGER PRIMARY KEY, NAME TEXT)") },
    ///     { try $0.exec(sql: "ALTER TABLE PLAYER ADD COLUMN SCORE INTEGER DEFAULT 0") },
    /// ])
    /// ```
    /// Step 0 migrates version 0 to version 1, and so on. Steps are only appended, never changed.
    /// For steps of several developers or modules, ``migrate(named:downgrade:)`` identifies them by
    /// names.
    ///
    /// Each step runs in a transaction that also sets the version, so that a step that throws
    /// leaves the previous version. Several processes can call it at the same time: each step is
    /// applied once.
    ///
    /// Foreign keys are checked at the end of each step instead of within it, which allows a step
    /// to rebuild a table. Violations that existed before the step are not an error; a row is
    /// identified by its table and its rowid. Both checks read every row that has a foreign key.
    /// See <doc:Migrations>.
    ///
    /// - Parameter migrations: All steps of all versions of the program.
    /// - Returns: The number of steps that were applied by this call.
    /// - Throws: ``SQLMigrationError``, or what a step throws.
    @discardableResult
    public func migrate(migrations: [(SQLContext) throws -> Void]) throws -> Int {
        try withMigrationSettings {
            var done = 0
            while try pendingVersion(migrations.count) != nil {
                try transaction(.immediate) {
                    // Another process may have applied the step in the meantime.
                    guard let version = try pendingVersion(migrations.count) else { return }
                    try checkingNewViolations { try migrations[version](self) }
                    try exec(sql: "PRAGMA user_version = \(version + 1)")
                    done += 1
                }
            }
            return done
        }
    }

    /// Migrates a database by steps that are SQL scripts, as the method with closures does.
    ///
    /// ```swift
    /// try database.migrate(migrations: [
    ///     "CREATE TABLE NOTE (ID INTEGER PRIMARY KEY, BODY TEXT)",
    ///     "ALTER TABLE NOTE ADD COLUMN DATE TEXT; CREATE INDEX NOTE_DATE ON NOTE (DATE)",
    /// ])
    /// ```
    /// - Parameter migrations: All steps of all versions of the program, each with any number of
    ///   statements.
    /// - Returns: The number of steps that were applied by this call.
    /// - Throws: ``SQLMigrationError``, or the error of a statement.
    @discardableResult
    public func migrate(migrations: [String]) throws -> Int {
        try migrate(migrations: migrations.map { sql in { try $0.exec(sql: sql) } })
    }

    /// Checks all foreign keys of the database with `PRAGMA foreign_key_check`.
    ///
    /// The check reads every row that has a foreign key. Use it if rows were written while foreign
    /// keys were not enforced.
    ///
    /// ```swift
    /// do {
    ///     try database.checkForeignKeys()
    /// } catch SQLMigrationError.foreignKeys(let violations) {
    ///     for row in violations { use(row.table, row.rowID ?? 0, row.parent) }
    /// }
    /// ```
    /// - Throws: ``SQLMigrationError/foreignKeys(_:)`` with the rows whose parent row is missing.
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

    /// Runs a step. Throws `.foreignKeys` with the rows whose parent row is
    /// missing only since then.
    func checkingNewViolations(_ step: () throws -> Void) throws {
        let before: [SQLForeignKeyViolation]
        do {
            before = try foreignKeyViolations()
        } catch let error as SQLError where error.code == .error {
            // A foreign key that matches no key of its parent: old and new violations cannot be
            // distinguished, and the step may be the one that fixes it.
            return try step()
        }
        try step()
        // Violations in a table without rowids look alike: they are counted.
        var known: [SQLForeignKeyViolation: Int] = [:]
        for violation in before { known[violation, default: 0] += 1 }
        let new = try foreignKeyViolations().filter { violation in
            known[violation, default: 0] -= 1
            return known[violation, default: 0] < 0
        }
        guard new.isEmpty else { throw SQLMigrationError.foreignKeys(new) }
    }

    /// The version from which to continue; nil if the file is up to date.
    private func pendingVersion(_ known: Int) throws -> Int? {
        let version = try Int(pragma("user_version")?.longValue ?? 0)
        guard version >= 0 else { throw SQLMigrationError.negativeVersion(version) }
        guard version <= known else {
            throw SQLMigrationError.newerFile(version: version, known: known)
        }
        return version < known ? version : nil
    }

    /// Runs `operation` with foreign keys disabled, since dropping a table to rebuild it would
    /// delete the rows that refer to it. They are enabled again even if `operation` throws.
    func withMigrationSettings<T>(_ operation: () throws -> T) throws -> T {
        guard !isInTransaction else { throw SQLMigrationError.insideTransaction }
        guard try selectValue(sql: "PRAGMA foreign_keys") == .long(1) else {
            return try operation()
        }
        enforceForeignKeys(false)
        defer { enforceForeignKeys(true) }
        return try operation()
    }
}
