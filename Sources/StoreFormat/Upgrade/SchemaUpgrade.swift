package import SQLCore

/// Brings a file of an older schema to the current one, by named columns only.
///
/// What each step costs on a large file:
///
/// - Columns: the table's text in the schema. No row is touched, and old rows stay shorter.
/// - Tables of tombstones: two empty pages each.
/// - The index of expirations, for a table that has none: the table's pages are read once, without
///   those that only large bodies fill, and nothing is written for rows that do not expire. In
///   files of 3.1 and later collections have it.
/// - Tombstones of collections: see `TombstoneMove`. Files of before 3.1 have no collections but
///   the default one, whose tombstones stay for `TombstoneMigration`.
/// - Swapped rows: a look into each index of expirations.
///
/// All of it is one savepoint of the caller's transaction: it is done whole, or not at all.
package struct SchemaUpgrade {
    /// What was done.
    package struct Outcome: Equatable, Sendable {
        /// The schema that the file had.
        package let oldVersion: Int
        /// Tombstones that moved to their own table; those of the default collection come later.
        package var movedTombstones = 0
        /// Rows whose `extra` LiteCore had put into `expiration`.
        package var repairedRows = 0

        package init(oldVersion: Int, movedTombstones: Int = 0, repairedRows: Int = 0) {
            self.oldVersion = oldVersion
            self.movedTombstones = movedTombstones
            self.repairedRows = repairedRows
        }
    }

    let context: SQLContext
    /// The bundle's path, for messages.
    let path: String
    /// The schema that the file has.
    let version: Int
    let catalog: StoreCatalog

    /// Upgrades the file, in the open transaction of the caller; one of the current schema is
    /// only rid of swapped rows.
    ///
    /// Throws `StoreError`, and has changed nothing then: `.databaseTooOld`, `.databaseTooNew`,
    /// `.cannotUpgradeDatabase` for a schema that is newer than the current one, `.unsupported`
    /// for a file with indexes that this version cannot keep current, `.wrongFormat` for one
    /// whose tables are not what they should be.
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
            outcome.repairedRows = try SwappedRows.repairAll(catalog, in: context)
            return outcome
        }
        try check()
        try addPurgeCount()
        // In this order, in which LiteCore adds them, too.
        try addColumn("extra", type: "BLOB")
        try addColumn("expiration", type: "INTEGER")
        try addStores()
        try addIndexColumns()
        try noteVersioning()
        outcome.movedTombstones = try moveTombstones()
        try noteUnmovedTombstones()
        outcome.repairedRows = try SwappedRows.repairAll(StoreCatalog(context), in: context)
        try context.exec(sql: "PRAGMA user_version=\(SchemaSQL.currentVersion)")
        return outcome
    }
}

extension SchemaUpgrade {
    /// Since 302.
    private func addPurgeCount() throws {
        if try context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == false {
            try context.exec(sql: SchemaSQL.addPurgeCount)
        }
    }

    /// Adds a column to the tables of records that lack it: `extra` since 400, `expiration` since
    /// 502.
    private func addColumn(_ column: String, type: String) throws {
        for table in catalog.tables {
            if try context.columns(ofTable: table)?.contains(column) == false {
                try context.exec(sql: SchemaSQL.addColumn(column, type: type, table: table))
            }
        }
    }

    /// Each collection's table of tombstones (500), and the index of expirations (502).
    private func addStores() throws {
        let isDefaultMissing = !catalog.stores.contains(.default)
        for store in catalog.stores + (isDefaultMissing ? [.default] : []) {
            try StoreSchema.create(store, in: context)
        }
        for table in catalog.tombstoneTables {
            try context.exec(sql: SchemaSQL.createExpirationIndex(table: table))
        }
    }

    /// `lastSeq` since 501, `whereClause` since 503; many files have no indexes, and no table of
    /// them.
    private func addIndexColumns() throws {
        guard let columns = try context.columns(ofTable: "indexes") else { return }
        for (column, type) in SchemaSQL.laterIndexColumns where !columns.contains(column) {
            try context.exec(sql: SchemaSQL.addColumn(column, type: type, table: "indexes"))
        }
    }

    /// A file of 2.x that does not say how it keeps its revisions keeps trees in the bodies:
    /// there was nothing else. From 3.0 on, a file that does not say is damaged.
    private func noteVersioning() throws {
        guard version < Self.firstWithExtra else { return }
        if try InfoRow.number(InfoKey.versioning, in: context) == .missing {
            try InfoRow.set(
                InfoKey.versioning, to: Versioning.treesInBody.rawValue, in: context)
        }
    }

    /// Since 500, but for the default collection.
    private func moveTombstones() throws -> Int {
        guard version < Self.firstWithTombstoneTables else { return 0 }
        return try catalog.stores.filter { $0.isCollection && $0 != .default }.reduce(0) {
            $0 + (try TombstoneMove($1, in: context).move(.min ... .max))
        }
    }

    /// Says from where on the tombstones of the default collection are to be moved.
    private func noteUnmovedTombstones() throws {
        let key = InfoKey.unmovedTombstones
        // What an older file says there cannot be true: it has had no place to move them to.
        let isUnknown = try InfoRow.number(key, in: context) == .missing
        guard version < Self.firstWithTombstoneTables || isUnknown else { return }
        try InfoRow.set(
            key, to: TombstoneMigration.highestPossibleTombstone(in: context), in: context)
    }

    private static let firstWithExtra = 400
    private static let firstWithTombstoneTables = 500
}
