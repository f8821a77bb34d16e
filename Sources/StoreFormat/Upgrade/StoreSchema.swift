package import SQLCore

/// The tables of a KeyStore as a whole: made, and deleted, in the transaction of the caller, on a
/// file of the current schema.
package enum StoreSchema {
    /// Makes a store's tables and indexes as far as they are missing: two tables for a collection,
    /// one for a raw store.
    ///
    /// Throws `.invalidParameter` for a name that no store can have, or whose tables' names are
    /// taken; `.wrongFormat` if something else is in the place of a table. Nothing is made then.
    package static func create(_ store: KeyStoreName, in context: SQLContext) throws {
        try context.requireTransaction(for: "making a store")
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

    /// The names of a store's tables; of the live records first.
    static func tables(of store: KeyStoreName) -> [String] {
        store.isCollection ? [store.tableName, store.tombstoneTableName] : [store.tableName]
    }

    /// A name must be what its table's name is read as: it is not that of tombstones, and has no
    /// colon, which the tables of indexes have, and no backslash, which stands for upper case.
    private static func requireName(_ store: KeyStoreName) throws {
        let isReadBack = KeyStoreName(tableName: store.tableName) == store
        guard isReadBack, !store.rawName.isEmpty, !store.rawName.utf8.contains(0) else {
            throw StoreError(
                .invalidParameter, "\"\(store.rawName)\" cannot be the name of a store")
        }
    }

    /// SQLite has one list of names for tables, views and indexes, and passes over a thing that is
    /// to be made if it does not exist when there is another one of its name.
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

/// Rows whose `expiration` and `extra` have changed places.
///
/// LiteCore moves the tombstones of older files by the positions of the columns, which differ
/// between a table that 3.0 made and a new one: the revision tree lands in `expiration`, and what
/// was the expiration in `extra`. A tree is a blob, and an expiration never is; so a blob in
/// `expiration` and none in `extra` is such a row.
package enum SwappedRows {
    /// SQL for what a row's expiration really is.
    package static let expiration = "CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// SQL for what a row's extra really is.
    package static let extra = "CASE WHEN \(isSwapped) THEN expiration ELSE extra END"

    /// More of an `UPDATE` that writes a new `extra`: the old one, where it stands in `expiration`,
    /// goes.
    package static let clearing =
        ", expiration = CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// More of an `UPDATE` that writes a new `expiration`: what belongs into `extra` is put there.
    package static let keeping = ", extra = \(extra)"

    private static let isSwapped =
        "typeof(expiration) = 'blob' AND typeof(extra) IN ('null', 'integer')"

    /// Puts right the rows of a table; returns how many there were.
    ///
    /// Blobs sort after all other values, so they are one range of the table's index of
    /// expirations: it costs a look into that, and the rows themselves. A table without that index
    /// is left as it is, since all its rows would have to be read; reading tolerates such rows.
    package static func repair(table: String, in context: SQLContext) throws -> Int {
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

    /// Nil if the index is missing, or is another one under its name.
    private static func compile(_ sql: String, _ context: SQLContext) throws -> SQLStatement? {
        do {
            return try context.prepare(sql: sql)
        } catch let error as SQLError where error.code == .error {
            return nil
        }
    }

    /// Puts right the rows of all stores; returns how many there were.
    static func repairAll(_ catalog: StoreCatalog, in context: SQLContext) throws -> Int {
        try catalog.tables.reduce(0) { sum, table in
            let columns = try context.columns(ofTable: table) ?? []
            guard columns.isSuperset(of: ["expiration", "extra"]) else { return sum }
            return sum + (try repair(table: table, in: context))
        }
    }
}
