package import SQLCore

/// The tables of a file's KeyStores, as its schema lists them.
package struct StoreCatalog {
    /// The stores that have a table.
    package let stores: [KeyStoreName]
    /// The tables of tombstones, of whatever store.
    package let deadTables: [String]
    /// Views and virtual tables with a name that is kept for tables of the format.
    package let pretenders: [String]

    /// Costs a pass over the schema, which is as long as there are tables and indexes.
    package init(_ context: SQLContext) throws {
        var stores: [KeyStoreName] = []
        var deadTables: [String] = []
        var pretenders: [String] = []
        try context.forEach(SchemaSQL.tablesAndViews) { row in
            let name = row.text(at: 0) ?? ""
            if row.long(at: 1) == 0 {
                if Self.isReserved(name) { pretenders.append(name) }
            } else if let store = KeyStoreName(tableName: name) {
                stores.append(store)
            } else if KeyStoreName(deadTableName: name) != nil {
                deadTables.append(name)
            }
        }
        self.stores = stores
        self.deadTables = deadTables
        self.pretenders = pretenders
    }

    /// The names of all tables of records.
    package var tables: [String] { stores.map(\.tableName) + deadTables }

    /// Whether a name is that of a table of the format, in any case of its letters, as SQLite
    /// finds it. Those with a colon are the tables of indexes, which may be virtual.
    private static func isReserved(_ name: String) -> Bool {
        let folded = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return SchemaSQL.mayHoldRecords(table: name)
            || ["kvmeta", "indexes"].contains { folded.elementsEqual($0.utf8) }
    }
}

extension KeyStoreName {
    /// Reads the name of a table of tombstones; nil if it is not one.
    init?(deadTableName: String) {
        let prefix = KeyStoreName("").deadTableName
        let rest = deadTableName.utf8.dropFirst(prefix.utf8.count)
        guard deadTableName.utf8.starts(with: prefix.utf8), let rest = String(rest) else {
            return nil
        }
        self.init(tableName: KeyStoreName("").tableName + rest)
    }
}
