package import SQLCore

extension StoreSchema {
    /// Deletes a store with everything that belongs to it: its tables with their triggers and
    /// indexes, the tables of its indexes, and its rows in `indexes`. LiteCore deletes only the
    /// tables. As in LiteCore, its rows in `kvmeta` stay: a new store of the same name continues
    /// their counts.
    ///
    /// Visits each page of its tables; the pages become free pages.
    ///
    /// Throws `.invalidParameter` for the default collection and the store `info`, which every file
    /// needs; `.unsupported` if an index table needs a module or tokenizer that is missing. Nothing
    /// is deleted then.
    ///
    /// - Returns: whether the store existed.
    @discardableResult
    package static func delete(_ store: KeyStoreName, in context: SQLContext) throws -> Bool {
        try context.requireTransaction(for: "deleting a store")
        guard store != .default, store != .info else {
            throw StoreError(
                .invalidParameter, "the store \(store.rawName) cannot be deleted: files need it")
        }
        guard try context.columns(ofTable: store.tableName) != nil else { return false }
        return try context.transaction {
            for table in try IndexTables(of: store, in: context).names {
                try drop(table, in: context)
            }
            for table in [store.tableName, store.tombstoneTableName] {
                if try context.columns(ofTable: table) != nil {
                    try context.exec(sql: "DROP TABLE \(table.sqlName)")
                }
            }
            try removeRows(of: store, in: context)
            return true
        }
    }

    /// Drops an index table, unless it was dropped together with a virtual table.
    private static func drop(_ table: String, in context: SQLContext) throws {
        do {
            try context.exec(sql: "DROP TABLE IF EXISTS \(table.sqlName)")
        } catch let error as SQLError where error.code == .error {
            throw StoreError(
                .unsupported,
                "the store is not deleted, since its index table \(table) cannot be dropped: "
                    + error.message, underlying: error)
        }
    }

    private static func removeRows(of store: KeyStoreName, in context: SQLContext) throws {
        if try context.columns(ofTable: "indexes")?.contains("keyStore") == true {
            try context.run("DELETE FROM indexes WHERE keyStore=?", [.text(store.rawName)])
        }
        if try context.columns(ofTable: SchemaSQL.vectorIndexTable) != nil {
            try context.run(
                "DELETE FROM \(SchemaSQL.vectorIndexTable) WHERE keyStore=?",
                [.text(store.rawName)])
        }
    }
}

/// The tables that belong to the indexes of one store.
private struct IndexTables {
    /// Their names, virtual tables first: dropping those also drops their shadow tables.
    private(set) var names: [String] = []

    /// Finds them by name, and by the triggers that fill them: array tables are named by a hash.
    init(of store: KeyStoreName, in context: SQLContext) throws {
        var tables: [(name: String, isVirtual: Bool)] = []
        try context.forEach(SchemaSQL.tablesAndViews) { row in
            tables.append((row.text(at: 0) ?? "", row.long(at: 1) == 0))
        }
        let hashed = try Self.hashedTables(of: store, in: context)
        let own = [store.tableName, store.tombstoneTableName].map { $0 + ":" }
        for table in tables {
            let isNamed = own.contains { table.name.utf8.starts(with: $0.utf8) }
            guard isNamed || hashed.contains(table.name) else { continue }
            names.insert(table.name, at: table.isVirtual ? 0 : names.count)
        }
    }

    /// The array tables that triggers of the store's tables fill, and those of nested arrays.
    /// Excludes tables that another store's trigger fills, too.
    private static func hashedTables(
        of store: KeyStoreName, in context: SQLContext
    ) throws -> Set<String> {
        var feeds: [(from: String, to: String)] = []
        try context.forEach(SchemaSQL.triggers) { row in
            guard let target = fedTable(trigger: row.text(at: 0) ?? "") else { return }
            feeds.append((row.text(at: 1) ?? "", target))
        }
        let own = [store.tableName, store.tombstoneTableName]
        let reached = tables(fedBy: own, feeds)
        let others = feeds.map(\.from).filter { from in
            !reached.contains(from) && !own.contains { from.utf8.elementsEqual($0.utf8) }
        }
        return reached.subtracting(tables(fedBy: others, feeds))
    }

    /// The tables that triggers of the given tables fill, directly or through other tables.
    private static func tables(
        fedBy sources: [String], _ feeds: [(from: String, to: String)]
    ) -> Set<String> {
        var reached: Set<String> = []
        var sources = sources
        while let source = sources.popLast() {
            for feed in feeds where feed.from.utf8.elementsEqual(source.utf8) {
                if reached.insert(feed.to).inserted { sources.append(feed.to) }
            }
        }
        return reached
    }

    /// The table that a trigger of an array index fills, read from the trigger's name `HASH::ins`,
    /// where the hash is a SHA-1 in hexadecimal. Nil for other triggers.
    private static func fedTable(trigger: String) -> String? {
        let hash = trigger.utf8.prefix(40)
        let isHash =
            hash.count == 40
            && hash.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
        guard isHash, trigger.utf8.dropFirst(40).starts(with: "::".utf8) else { return nil }
        return String(hash)
    }
}
