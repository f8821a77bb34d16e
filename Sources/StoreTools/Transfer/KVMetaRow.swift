package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// A row of the table `kvmeta`: the counts of a store.
package struct KVMetaRow: Hashable, Sendable {
    /// The store's name; with the prefix `del_` the name for the tombstones, of which only purges
    /// are counted.
    package var name: String
    /// The sequence of the latest change as stored, which may be lower than that of the rows.
    package var lastSequence: Int64
    /// The number of purged records; 0 in files from before Couchbase Lite 2.7, which do not count
    /// them.
    package var purgeCount: Int64

    package init(name: String, lastSequence: Int64, purgeCount: Int64) {
        self.name = name
        self.lastSequence = lastSequence
        self.purgeCount = purgeCount
    }
}

extension Snapshot {
    /// The rows of the table `kvmeta`, sorted by name.
    package func kvmetaRows() throws -> [KVMetaRow] {
        let context = try connection().context
        let isCounting = try context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == true
        let purges = isCounting ? "purgeCnt" : "0"
        var rows: [KVMetaRow] = []
        try context.forEach("SELECT name, lastSeq, \(purges) FROM main.kvmeta ORDER BY name") {
            rows.append(
                KVMetaRow(
                    name: $0.text(at: 0) ?? "", lastSequence: $0.long(at: 1),
                    purgeCount: $0.long(at: 2)))
        }
        return rows
    }
}

extension Transaction {
    /// Sets the file's counts to those of another file. Rows with other names are not changed.
    ///
    /// The counts of these stores in this transaction are discarded. Sequences continue after those
    /// of the rows if these are higher.
    package func restore(meta rows: [KVMetaRow]) throws {
        let connection = try writing()
        try savepoint {
            for row in rows { try write(row, connection) }
            for row in rows { try note(row, connection) }
        }
    }

    /// Updates the cached counts of the store.
    private func note(_ row: KVMetaRow, _ connection: Connection) throws {
        let store = KeyStoreName(row.name)
        restoredStores.insert(store)
        state.recovered.forget(store)
        for tables in connection.usedTables where row.isOf(tables.name) {
            tables.rows.storedPurges = nil
            tables.rows.purges = StoreTables.Pair(live: 0, tombstones: 0)
            guard tables.name == store else { continue }
            tables.rows.lastSequence = tables.rows.lastSequence.map { max($0, row.lastSequence) }
            tables.rows.isSequenceDirty = false
        }
    }

    private func write(_ row: KVMetaRow, _ connection: Connection) throws {
        let sql = """
            INSERT INTO main.kvmeta (name, lastSeq, purgeCnt) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET lastSeq=excluded.lastSeq, purgeCnt=excluded.purgeCnt
            """
        try connection.run(sql) {
            try $0.bind(row.name, at: 1)
            try $0.bind(row.lastSequence, at: 2)
            try $0.bind(row.purgeCount, at: 3)
        }
    }
}

extension KVMetaRow {
    /// Whether it is a row of a store or of the store's tombstones.
    fileprivate func isOf(_ store: KeyStoreName) -> Bool {
        name.hasSameBytes(as: store.rawName) || name.hasSameBytes(as: store.tombstoneStoreName)
    }
}
