package import SQLCore
internal import StoreFormat
internal import VectorIndex

/// Removes an index with everything that belongs to it, in the caller's transaction.
package struct IndexRemoval {
    package let context: SQLContext

    package init(context: SQLContext) {
        self.context = context
    }

    /// Removes an index: its registry row, its SQLite index, and the tables that no other index
    /// uses.
    package func remove(_ row: IndexRow, from registry: IndexRegistry) throws {
        try registry.remove(row.name)
        switch row.kind {
        case .fullText:
            if let table = row.table { try drop(table: table) }
        case .vector where row.vectorOptions != nil:
            for table in VectorTables(base: row.table ?? "").names { try drop(table: table) }
        case .vector:
            if let table = row.table { try drop(vectors: table, registry) }
        case .array:
            try dropIndex(row.name)
            if let table = row.table { try dropUnused(arrayTable: table, registry) }
        case .predictive:
            try dropIndex(row.name)
            if let table = row.table, try !registry.uses(table: table) { try drop(table: table) }
        case .value, nil: try dropIndex(row.name)
        }
    }

    /// Drops a table and the triggers that maintain it, if it exists.
    ///
    /// The name comes from the file, which may name any table as that of an index: tables that
    /// cannot belong to an index are not dropped, so that no documents are lost.
    package func drop(table: String) throws {
        guard SchemaSQL.mayBeOfIndex(table: table) else { return }
        for suffix in SchemaSQL.triggerSuffixes {
            try context.exec(sql: "DROP TRIGGER IF EXISTS main.\((table + "::" + suffix).sqlName)")
        }
        try context.exec(sql: "DROP TABLE IF EXISTS main.\(table.sqlName)")
    }

    /// Drops a virtual table of another program's module, with the tables in which that module has
    /// stored the vectors: the stub that replaces the module here does not know them.
    private func drop(vectors table: String, _ registry: IndexRegistry) throws {
        var parts: [String] = []
        try context.forEach(SchemaSQL.tablesOfModule, [.text(table)]) { row in
            if let part = row.text(at: 0) { parts.append(part) }
        }
        // The name of another index can begin with this name.
        let others = try registry.rows().compactMap(\.table).filter {
            $0.utf8.starts(with: (table + "_").utf8)
        }
        try drop(table: table)
        for part in parts {
            let isOfOther = others.contains { part.utf8.starts(with: $0.utf8) }
            if !isOfOther { try drop(table: part) }
        }
    }

    private func dropIndex(_ name: String) throws {
        try context.exec(sql: "DROP INDEX IF EXISTS main.\(name.sqlName)")
    }

    /// Drops a table of array elements and the tables of its outer levels, unless an index uses
    /// them.
    private func dropUnused(arrayTable plainName: String, _ registry: IndexRegistry) throws {
        var level: String? = plainName
        while let name = level {
            guard try !registry.uses(arrayTable: name) else { return }
            try drop(table: ArrayTable.name(ofPlain: name))
            // Before LiteCore 3.2.1 the table itself had the plain name.
            try drop(table: name)
            level = ArrayTable.parent(ofPlain: name)
        }
    }
}

extension Transaction {
    /// Removes the records about deleted indexes. Called when any were deleted.
    package func forgetGoneIndexes() throws {
        let notes = [InfoKey.lenientModels, InfoKey.collationVersions]
        guard try notes.contains(where: { try info($0) != nil }) else { return }
        let connection = try connection()
        let indexes = try IndexRegistry.rowsIfReadable(
            in: connection.context, path: connection.path)
        try keepPolicies(of: indexes)
        try keepCollationVersions(of: indexes)
    }

    /// Writes a record of the raw store `info`, or removes it if `body` is nil.
    func setInfo(_ key: String, _ body: [UInt8]?) throws {
        guard let body else {
            return try connection().run(SchemaSQL.removeInfo) { try $0.bind(key, at: 1) }
        }
        try putInfo(key, body)
    }
}

extension KeyStore {
    /// Deletes the store with its records, tombstones and indexes.
    ///
    /// No tombstones remain that could be replicated. The blobs of its documents remain until
    /// `DataFile.compact` removes them.
    ///
    /// ```swift
    /// let settings = KeyStore(KeyStoreName("settings"))
    /// let existed = try file.write { try settings.delete(in: $0) }
    /// ```
    ///
    /// The last sequence remains: a store that is later created with the same name continues after
    /// it, so that a reader that remembers a sequence misses no changes. Observers receive an event
    /// that is not complete.
    ///
    /// - Parameter transaction: the transaction to write in. Open enumerations of any store end.
    /// - Returns: whether the store existed.
    /// - Throws: ``StoreError/Code/invalidParameter`` for the stores of the default collection and
    ///   of `info`, which every file has.
    @discardableResult
    public func delete(in transaction: Transaction) throws -> Bool {
        try transaction.wrapping(name) {
            let connection = try transaction.writing()
            transaction.endReaders()
            if let tables = try connection.storeTables(name) { try transaction.keepCounts(tables) }
            transaction.state.recovered.forget(name)
            transaction.deletedStores.insert(name)
            defer { connection.removeTables(of: name) }
            guard try StoreSchema.delete(name, in: connection.context) else { return false }
            try transaction.forgetGoneIndexes()
            return true
        }
    }
}
