package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// A row of the table `kvmeta`: what a file counts of a store.
package struct KVMetaRow: Hashable, Sendable {
    /// The store's name; with `del_` before it that of its tombstones, of which only the purges are
    /// counted.
    package var name: String
    /// The number of its latest change, as it is written: it may lag behind the rows.
    package var lastSequence: Int64
    /// How many records have been purged; 0 in files of before 2.7, which do not count them.
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
        let context = try session().context
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
    /// Makes the file count what another one has counted; rows of other names stay.
    ///
    /// What this transaction itself has counted of these stores is given up. Sequences go on behind
    /// the rows' own where those are later.
    package func restore(meta rows: [KVMetaRow]) throws {
        let session = try writing()
        try savepoint {
            for row in rows { try write(row, session) }
            for row in rows { try note(row, session) }
        }
    }

    /// Lets what is known of the store follow.
    private func note(_ row: KVMetaRow, _ session: Session) throws {
        let store = KeyStoreName(row.name)
        restoredStores.insert(store)
        state.recovered.forget(store)
        for tables in session.tables.values where row.isOf(tables.name) {
            tables.storedPurges = nil
            tables.purges = StoreTables.Pair(live: 0, tombstones: 0)
            guard tables.name == store else { continue }
            tables.lastSequence = tables.lastSequence.map { max($0, row.lastSequence) }
            tables.isSequenceDirty = false
        }
    }

    private func write(_ row: KVMetaRow, _ session: Session) throws {
        let sql = """
            INSERT INTO main.kvmeta (name, lastSeq, purgeCnt) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET lastSeq=excluded.lastSeq, purgeCnt=excluded.purgeCnt
            """
        try session.run(sql) {
            try $0.bind(row.name, at: 1)
            try $0.bind(row.lastSequence, at: 2)
            try $0.bind(row.purgeCount, at: 3)
        }
    }
}

extension KVMetaRow {
    /// Whether it counts something of a store.
    fileprivate func isOf(_ store: KeyStoreName) -> Bool {
        name.hasSameBytes(as: store.rawName) || name.hasSameBytes(as: store.tombstoneStoreName)
    }
}
