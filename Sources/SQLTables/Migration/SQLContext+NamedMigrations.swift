public import SQLCore

/// The table that stores the names of the applied steps.
private let table = "sqlcore_migrations"

extension SQLContext {
    /// Applies the steps that have not been applied yet, identified by their names, in their order.
    ///
    /// The names are stored in the table `sqlcore_migrations`. Each step runs in a transaction that
    /// also inserts its name; foreign keys are checked at its end, as `migrate(migrations:)` does.
    ///
    /// ```swift
    /// let applied = try database.migrate(named: [
    ///     SQLMigration("create player") { try $0.createTableIfNotExists(Player.self) },
    ///     SQLMigration("index score", sql: "CREATE INDEX IDX_SCORE ON PLAYER (SCORE)"),
    /// ])
    /// if !applied.isEmpty { use("migrated: \(applied)") }
    /// ```
    /// See ``SQLDowngradePolicy`` for files that a newer version of the program has written, and
    /// <doc:Migrations>.
    ///
    /// - Parameters:
    ///   - migrations: all steps of all versions of the program.
    ///   - policy: what to do with a file to which unknown steps were applied.
    /// - Returns: the names of the steps that were applied by this call.
    ///
    /// Throws `SQLMigrationError`, or what a step throws.
    @discardableResult
    public func migrate(
        named migrations: [SQLMigration], downgrade policy: SQLDowngradePolicy = .fail
    ) throws -> [String] {
        try checkNames(migrations)
        return try withMigrationSettings {
            try handleUnknown(migrations, policy)
            var done: [String] = []
            let applied = try Set(appliedMigrations())
            for migration in migrations where !applied.contains(migration.name) {
                if try apply(migration) { done.append(migration.name) }
            }
            return done
        }
    }

    /// Returns the names of the applied steps, in the order in which they were applied.
    ///
    /// ```swift
    /// let isOld = try !database.appliedMigrations().contains("index score")
    /// ```
    ///
    /// - Returns: The names; empty if no step has been applied.
    public func appliedMigrations() throws -> [String] {
        guard try tableExists(table) else { return [] }
        return try selectAll(sql: "SELECT name FROM \(table) ORDER BY position")
            .compactMap { $0[0].textValue }
    }

    private func checkNames(_ migrations: [SQLMigration]) throws {
        var names: Set<String> = []
        for migration in migrations where !names.insert(migration.name).inserted {
            throw SQLMigrationError.duplicateName(migration.name)
        }
    }

    private func handleUnknown(
        _ migrations: [SQLMigration], _ policy: SQLDowngradePolicy
    ) throws {
        let known = Set(migrations.map(\.name))
        let unknown = try appliedMigrations().filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        switch policy {
        case .fail: throw SQLMigrationError.unknownMigrations(unknown)
        case .ignore: return
        case .erase: try eraseDatabase()
        }
    }

    /// Returns false if another process has applied it in the meantime.
    private func apply(_ migration: SQLMigration) throws -> Bool {
        try transaction(.immediate) {
            guard try !appliedMigrations().contains(migration.name) else { return false }
            try exec(
                sql: "CREATE TABLE IF NOT EXISTS \(table) "
                    + "(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
            try checkingNewViolations { try migration.body(self) }
            try exec(
                sql: "INSERT INTO \(table) (name) VALUES (?)", parameters: [.text(migration.name)])
            return true
        }
    }
}
