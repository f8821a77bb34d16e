internal import SQLCore
internal import StoreFormat

extension KeyStore {
    /// How many records are alive, and how many are tombstones.
    ///
    /// Counted in the smallest index that has all rows, unless tombstones may lie among the live
    /// records, as in files of before 3.1: then all of those are looked at.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let session = try snapshot.session()
            let dead = try tables.dead.map { try session.count($0) } ?? 0
            guard try tables.mayHaveLiveTombstones(in: snapshot) else {
                return (try session.count(tables.live), dead)
            }
            let sql = """
                SELECT count(*), count(CASE WHEN flags & 1 THEN 1 END) FROM \(tables.live.name)
                """
            let (all, deleted) =
                try session.first(sql, row: { (Int($0.long(at: 0)), Int($0.long(at: 1))) }) ?? (
                    0, 0
                )
            return (all - deleted, deleted + dead)
        }
    }
}

extension Session {
    /// How many rows a table has.
    fileprivate func count(_ table: StoreTables.Table) throws -> Int {
        try first("SELECT count(*) FROM \(table.name)") { Int($0.long(at: 0)) } ?? 0
    }
}

extension StoreTables {
    /// Whether tombstones may lie among the live records: always where they have no table of their
    /// own, and in the default collection until all have been moved.
    package func mayHaveLiveTombstones(in snapshot: Snapshot) throws -> Bool {
        if let mayHaveLiveTombstones { return mayHaveLiveTombstones }
        let may: Bool
        if dead == nil {
            may = true
        } else if name == .default {
            may = try snapshot.info(InfoKey.unmovedTombstones).flatMap(BigEndian.number) != 0
        } else {
            may = false
        }
        mayHaveLiveTombstones = may
        return may
    }
}
