package import SQLCore

/// Upgrades a file of an older schema to the current one; it addresses columns by name only.
///
/// The cost of each step on a large file:
///
/// - Columns: the table's SQL text in the schema. No row is written; old rows stay shorter.
/// - Tombstone tables: two empty pages each.
/// - The expiration index, for a table that lacks it: reads the table's pages once, except those
///   that only hold large bodies, and writes nothing for rows that do not expire. In files of 3.1
///   and later collections have it.
/// - Tombstones of collections: see `TombstoneMove`. Files from before 3.1 have only the default
///   collection, whose tombstones are left to `TombstoneMigration`.
/// - Swapped rows: one lookup in each expiration index.
///
/// All of it is one savepoint of the caller's transaction, so it is atomic.
package struct SchemaUpgrade {
    /// What the upgrade did.
    package struct Outcome: Equatable, Sendable {
        /// The schema of the file before.
        package let oldVersion: Int
        /// Tombstones moved to their own table; those of the default collection follow later.
        package var movedTombstones = 0
        /// Rows whose `extra` LiteCore had put into `expiration`.
        package var fixedRows = 0

        package init(oldVersion: Int, movedTombstones: Int = 0, fixedRows: Int = 0) {
            self.oldVersion = oldVersion
            self.movedTombstones = movedTombstones
            self.fixedRows = fixedRows
        }
    }

    let context: SQLContext
    /// The bundle's path for messages.
    let path: String
    /// The file's schema.
    let version: Int
    let catalog: StoreCatalog

    /// Upgrades the file in the caller's open transaction; in a file of the current schema it only
    /// fixes swapped rows.
    ///
    /// Throws `StoreError` without having changed anything: `.databaseTooOld`, `.databaseTooNew`,
    /// `.cannotUpgradeDatabase` for a schema newer than the current one, `.unsupported` for a file
    /// with indexes that this version cannot maintain, `.wrongFormat` for one whose tables do not
    /// have the expected form.
    package static func run(in context: SQLContext, path: String) throws -> Outcome {
        try context.requireTransaction(for: "the upgrade of \(path)")
        return try StoreError.wrapping(path: path) {
            try context.transaction {
                try SchemaUpgrade(context, path).run()
            }
        }
    }

    private init(_ context: SQLContext, _ path: String) throws {
        self.context = context
        self.path = path
        version = try context.schemaVersion()
        catalog = try StoreCatalog(context)
    }

    private func run() throws -> Outcome {
        var outcome = Outcome(oldVersion: version)
        guard version != SchemaSQL.currentVersion else {
            outcome.fixedRows = try SwappedRows.fixAll(catalog, in: context)
            return outcome
        }
        try check()
        try addPurgeCount()
        // In the order in which LiteCore adds them.
        try addColumn("extra", type: "BLOB")
        try addColumn("expiration", type: "INTEGER")
        try addStores()
        try addIndexColumns()
        try noteVersioning()
        outcome.movedTombstones = try moveTombstones()
        try noteUnmovedTombstones()
        outcome.fixedRows = try SwappedRows.fixAll(StoreCatalog(context), in: context)
        try context.exec(sql: "PRAGMA user_version=\(SchemaSQL.currentVersion)")
        return outcome
    }
}

extension SchemaUpgrade {
    /// Schema 302.
    private func addPurgeCount() throws {
        if try context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == false {
            try context.exec(sql: SchemaSQL.addPurgeCount)
        }
    }

    /// Adds a column to the record tables that lack it: `extra` (schema 400), `expiration` (502).
    private func addColumn(_ column: String, type: String) throws {
        for table in catalog.tables {
            if try context.columns(ofTable: table)?.contains(column) == false {
                try context.exec(sql: SchemaSQL.addColumn(column, type: type, table: table))
            }
        }
    }

    /// Each collection's tombstone table (schema 500) and expiration index (502).
    private func addStores() throws {
        let isDefaultMissing = !catalog.stores.contains(.default)
        for store in catalog.stores + (isDefaultMissing ? [.default] : []) {
            try StoreSchema.create(store, in: context)
        }
        for table in catalog.tombstoneTables {
            try context.exec(sql: SchemaSQL.createExpirationIndex(table: table))
        }
    }

    /// `lastSeq` (schema 501) and `whereClause` (503); many files have no indexes, and then no
    /// table `indexes`.
    private func addIndexColumns() throws {
        guard let columns = try context.columns(ofTable: "indexes") else { return }
        for (column, type) in SchemaSQL.laterIndexColumns where !columns.contains(column) {
            try context.exec(sql: SchemaSQL.addColumn(column, type: type, table: "indexes"))
        }
    }

    /// A 2.x file without this row stores revision trees in the bodies, the only form then. In
    /// files of 3.0 and later a missing row is damage.
    private func noteVersioning() throws {
        guard version < Self.firstWithExtra else { return }
        if try InfoRow.number(InfoKey.versioning, in: context) == .missing {
            try InfoRow.set(
                InfoKey.versioning, to: Versioning.treesInBody.rawValue, in: context)
        }
    }

    /// Schema 500, except for the default collection.
    private func moveTombstones() throws -> Int {
        guard version < Self.firstWithTombstoneTables else { return 0 }
        return try catalog.stores.filter { $0.isCollection && $0 != .default }.reduce(0) {
            $0 + (try TombstoneMove($1, in: context).move(.min ... .max))
        }
    }

    /// Records up to which row the default collection may have tombstones to move.
    private func noteUnmovedTombstones() throws {
        let key = InfoKey.unmovedTombstones
        // A number in an older file is wrong: it had no table to move the tombstones to.
        let isUnknown = try InfoRow.number(key, in: context) == .missing
        guard version < Self.firstWithTombstoneTables || isUnknown else { return }
        try InfoRow.set(
            key, to: TombstoneMigration.highestPossibleTombstone(in: context), in: context)
    }

    private static let firstWithExtra = 400
    private static let firstWithTombstoneTables = 500
}
