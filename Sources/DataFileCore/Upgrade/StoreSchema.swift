package import SQLCore
package import StoreFormat

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
        store.isCollection ? [store.tableName, store.deadTableName] : [store.tableName]
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
