internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// Each step runs in a transaction of its own, and returns what it did.
extension FixStep {
    /// Runs the step.
    ///
    /// - Returns: what was done; empty if there was nothing to do any more.
    func run(in transaction: Transaction) throws -> [String] {
        let connection = try transaction.writing()
        transaction.endReaders()
        // The step writes documents like any other write, and the commit needs their counts.
        if case .boundVersions(let store) = self {
            return try boundVersions(of: store, transaction)
        }
        defer { connection.context.countUnknownChanges() }
        transaction.state.recovered.forgetAll()
        return try run(transaction, connection.context)
    }

    private func run(_ transaction: Transaction, _ context: SQLContext) throws -> [String] {
        switch self {
        case .createTombstoneTable(let store):
            try StoreSchema.create(store, in: context)
            return ["the table \(store.tombstoneTableName) was created"]
        case .dropTrigger(let name):
            try context.exec(sql: "DROP TRIGGER IF EXISTS main.\(name.sqlName)")
            return ["the trigger \(name) was dropped"]
        case .dropTable(let name):
            try IndexRemoval(context: context).drop(table: name)
            return ["the table \(name) was dropped"]
        case .removeIndex(let name): return try removeIndex(name, transaction, context)
        case .unswap(let store): return try unswap(store, context)
        case .separate(let store): return try separate(store, context)
        case .setAttachments(let store, let keys): return try setFlag(store, keys, context)
        case .raiseSequence(let store): return try raise(store, context)
        case .resetClock:
            // The commit writes the bound.
            _ = try transaction.nextTime(afterAllOf: nil)
            return ["the clock of the file was set to the system clock"]
        case .boundVersions: return []
        case .createOwnIndex(let store, let name): return try createOwn(name, store, context)
        case .rebuildIndex(let name):
            let registry = try IndexRegistry(context, path: transaction.connection().path)
            guard let row = try registry.row(name) else { return try reindex(name, context) }
            return try IndexFix(context: context, row: row).run(in: transaction)
        }
    }

    func tables(of store: KeyStoreName, _ context: SQLContext) throws -> [StoreTable] {
        try StoreTable.all(in: context).filter { $0.store == store }
    }

    private func unswap(_ store: KeyStoreName, _ context: SQLContext) throws -> [String] {
        let count = try tables(of: store, context).reduce(0) {
            $0 + (try SwappedRows.fix(table: $1.name, in: context))
        }
        return count == 0 ? [] : ["the revisions of \(count) rows were moved to their column"]
    }

    private func setFlag(
        _ store: KeyStoreName, _ keys: [String], _ context: SQLContext
    ) throws -> [String] {
        let flag = Int64(DocumentFlags.hasAttachments.rawValue)
        var count = 0
        for table in try tables(of: store, context) {
            let update = try context.prepare(
                sql: "UPDATE main.\(table.name.sqlName) SET flags = ifnull(flags, 0) | \(flag) "
                    + "WHERE key=? AND ifnull(flags, 0) & \(flag) = 0")
            for key in keys {
                try update.update(parameters: [.text(key)])
                count += context.changes
            }
        }
        return count == 0
            ? [] : ["the attachments flag was set for \(count) documents of \(store.displayName)"]
    }

    private func raise(_ store: KeyStoreName, _ context: SQLContext) throws -> [String] {
        var highest: Int64 = 0
        for table in try tables(of: store, context) {
            let found = try context.selectValue(
                sql: "SELECT max(sequence) FROM main.\(table.name.sqlName) "
                    + "WHERE typeof(sequence) = 'integer'")
            highest = max(highest, found?.longValue ?? 0)
        }
        let last = try context.selectValue(
            sql: "SELECT lastSeq FROM main.kvmeta WHERE name=?", parameters: [.text(store.rawName)])
        guard highest > last?.longValue ?? 0 else { return [] }
        try context.run(SchemaSQL.setLastSequence, [.text(store.rawName), .long(highest)])
        return ["the last sequence of \(store.displayName) in kvmeta was raised to \(highest)"]
    }

    private func createOwn(
        _ name: String, _ store: KeyStoreName, _ context: SQLContext
    ) throws -> [String] {
        try context.exec(sql: "DROP INDEX IF EXISTS main.\(name.sqlName)")
        for table in try tables(of: store, context)
        where SchemaSQL.expirationIndex(table: table.name).hasSameBytes(as: name) {
            try context.exec(sql: SchemaSQL.createExpirationIndex(table: table.name))
            return ["the index \(name) was rebuilt"]
        }
        return ["the index \(name) was dropped; it is created when it is needed"]
    }

    /// An index on sequences that are not unique can be dropped: it is created when it is needed.
    private func reindex(_ name: String, _ context: SQLContext) throws -> [String] {
        do {
            try context.exec(sql: "REINDEX main.\(name.sqlName)")
            return ["the index \(name) was rebuilt"]
        } catch let error as SQLError where .constraint ~= error.code {
            guard SchemaSQL.isNameOfStore(index: name) else { throw error }
            try context.exec(sql: "DROP INDEX main.\(name.sqlName)")
            return ["the index \(name) was dropped, since its values are not unique"]
        }
    }

    private func removeIndex(
        _ name: String, _ transaction: Transaction, _ context: SQLContext
    ) throws -> [String] {
        let registry = try IndexRegistry(context, path: transaction.connection().path)
        guard let row = try registry.row(name),
            try context.columns(ofTable: row.store.tableName) == nil
        else { return [] }
        try IndexRemoval(context: context).remove(row, from: registry)
        try transaction.forgetGoneIndexes()
        return ["the index \(name) of \(row.store.displayName), which does not exist, was removed"]
    }
}

// Tombstones in the live table, and live documents in the tombstone table.
extension FixStep {
    private func separate(_ store: KeyStoreName, _ context: SQLContext) throws -> [String] {
        // This also checks the tables.
        _ = try TombstoneMove(store, in: context)
        let tombstones = try move(
            "(flags & 1) != 0", store.tableName, store.tombstoneTableName, context)
        let documents = try move(
            "(ifnull(flags, 0) & 1) = 0", store.tombstoneTableName, store.tableName, context)
        var done: [String] = []
        if tombstones > 0 {
            done.append(
                "\(tombstones) tombstones of \(store.displayName) were moved to their table")
        }
        if documents > 0 {
            done.append("\(documents) documents of \(store.displayName) were moved to their table")
        }
        return done
    }

    /// Moves rows, except those whose key is already in the other table, and returns their number.
    private func move(
        _ condition: String, _ source: String, _ target: String, _ context: SQLContext
    ) throws -> Int {
        let columns = SchemaSQL.storeColumns
        let list = columns.joined(separator: ", ")
        let values = columns.map {
            $0 == "expiration"
                ? SwappedRows.expiration : $0 == "extra" ? SwappedRows.extra : $0
        }.joined(separator: ", ")
        let from = "FROM main.\(source.sqlName)"
        let rowids = try context.selectAll(
            sql: """
                SELECT rowid \(from) AS s WHERE \(condition)
                    AND NOT EXISTS (SELECT 1 FROM main.\(target.sqlName) AS t WHERE t.key IS s.key)
                """
        ).compactMap(\.first)
        let insert = try context.prepare(
            sql: "INSERT INTO main.\(target.sqlName) (\(list)) SELECT \(values) \(from) "
                + "WHERE rowid=?")
        let delete = try context.prepare(sql: "DELETE \(from) WHERE rowid=?")
        for rowid in rowids {
            do {
                try insert.update(parameters: [rowid])
            } catch let error as SQLError where error.code == .uniqueConstraint {
                // Two rows have the same sequence. The index can be created again at any time.
                let index = LazyIndex.sequences.name(table: target)
                try context.exec(sql: "DROP INDEX IF EXISTS main.\(index.sqlName)")
                try insert.update(parameters: [rowid])
            }
            try delete.update(parameters: [rowid])
        }
        return rowids.count
    }
}
