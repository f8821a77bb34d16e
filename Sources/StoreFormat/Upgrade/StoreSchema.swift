package import SQLCore
internal import StorePlatform

/// Creates and deletes all tables of a KeyStore, in the caller's transaction, on a file of the
/// current schema.
package enum StoreSchema {
    /// Creates the missing tables and indexes of a store: two tables for a collection, one for a
    /// raw store.
    ///
    /// Throws `.invalidParameter` for a name that a store cannot have, or whose table names are
    /// taken; `.wrongFormat` if a table of that name is not a store's. Nothing is created then.
    package static func create(_ store: KeyStoreName, in context: SQLContext) throws {
        try context.requireTransaction(for: "creating a store")
        try requireName(store)
        let tables = tables(of: store)
        for table in tables {
            try requireFree(table, from: table, as: "table", in: context)
            try requireFree(
                SchemaSQL.expirationIndex(table: table), from: table, as: "index", in: context)
        }
        try context.transaction {
            for table in tables {
                try context.exec(sql: SchemaSQL.createTable(table))
                try requireColumns(of: table, in: context)
                try context.exec(sql: SchemaSQL.createExpirationIndex(table: table))
            }
        }
    }

    /// The names of a store's tables, that of the live records first.
    static func tables(of store: KeyStoreName) -> [String] {
        store.isCollection ? [store.tableName, store.tombstoneTableName] : [store.tableName]
    }

    /// The table name must read back as the store's name: a store's name must not look like that of
    /// a tombstone table, and contains no colon (used by index tables) and no backslash (used to
    /// mark upper-case letters).
    private static func requireName(_ store: KeyStoreName) throws {
        let isReadBack = KeyStoreName(tableName: store.tableName) == store
        guard isReadBack, !store.rawName.isEmpty, !store.rawName.hasNUL else {
            throw StoreError(
                .invalidParameter, "\"\(store.rawName)\" cannot be the name of a store")
        }
    }

    /// SQLite has one namespace for tables, views and indexes, and `CREATE … IF NOT EXISTS` does
    /// nothing if an object of another type has the name.
    private static func requireFree(
        _ name: String, from table: String, as type: String, in context: SQLContext
    ) throws {
        let owner = try context.first(SchemaSQL.ownerOfName, [.text(name)]) {
            (type: $0.text(at: 0) ?? "", table: $0.text(at: 1) ?? "")
        }
        guard let owner else { return }
        guard owner.type == type, owner.table.utf8.elementsEqual(table.utf8) else {
            throw StoreError(
                .invalidParameter,
                "the name \(name) is taken by the \(owner.type) of \(owner.table)")
        }
    }

    private static func requireColumns(of table: String, in context: SQLContext) throws {
        let columns = try context.columns(ofTable: table) ?? []
        guard columns.isSuperset(of: SchemaSQL.storeColumns) else {
            throw StoreError(.wrongFormat, "\(table) is not the table of a store")
        }
    }
}

/// Rows whose `expiration` and `extra` are swapped.
///
/// LiteCore moves the tombstones of older files by column position, which differs between a table
/// created by 3.0 and a new one: the revision tree ends up in `expiration`, and the expiration in
/// `extra`. A tree is a blob and an expiration never is, so a row is swapped if `expiration` is a
/// blob and `extra` is not.
package enum SwappedRows {
    /// SQL for the row's actual expiration.
    package static let expiration = "CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// SQL for the row's actual `extra`.
    package static let extra = "CASE WHEN \(isSwapped) THEN expiration ELSE extra END"

    /// Further assignments of an `UPDATE` that sets `extra`: moves the expiration of a swapped row
    /// to its column, which discards the old tree.
    package static let clearing =
        ", expiration = CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// A further assignment of an `UPDATE` that sets `expiration`: moves the tree of a swapped row
    /// to `extra`.
    package static let keeping = ", extra = \(extra)"

    private static let isSwapped =
        "typeof(expiration) = 'blob' AND typeof(extra) IN ('null', 'integer')"

    /// Fixes the swapped rows of a table; returns how many there were.
    ///
    /// Blobs sort after all other values, so these rows are one range of the expiration index: it
    /// costs one lookup, plus the rows themselves. A table without that index is left unchanged,
    /// since all of its rows would have to be read; reading tolerates swapped rows.
    package static func fix(table: String, in context: SQLContext) throws -> Int {
        let index = SchemaSQL.expirationIndex(table: table)
        let source = "\(table.sqlName) INDEXED BY \(index.sqlName)"
        let rows = "WHERE expiration >= x'' AND \(isSwapped)"
        guard let find = try compile("SELECT 1 FROM \(source) \(rows) LIMIT 1", context),
            try find.next()
        else { return 0 }
        find.reset()
        return try context.run(
            "UPDATE \(source) SET expiration = extra, extra = expiration \(rows)")
    }

    /// Nil if the index does not exist, or a different index has its name.
    private static func compile(_ sql: String, _ context: SQLContext) throws -> SQLStatement? {
        do {
            return try context.prepare(sql: sql)
        } catch let error as SQLError where error.code == .error {
            return nil
        }
    }

    /// Fixes the swapped rows of all stores; returns how many there were.
    static func fixAll(_ catalog: StoreCatalog, in context: SQLContext) throws -> Int {
        try catalog.tables.reduce(0) { sum, table in
            let columns = try context.columns(ofTable: table) ?? []
            guard columns.isSuperset(of: ["expiration", "extra"]) else { return sum }
            return sum + (try fix(table: table, in: context))
        }
    }
}
