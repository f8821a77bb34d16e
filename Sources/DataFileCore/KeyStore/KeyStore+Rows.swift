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
            let tombstones = try tables.tombstones.map { try session.count($0) } ?? 0
            guard try tables.mayHaveLiveTombstones(in: snapshot) else {
                return (try session.count(tables.live), tombstones)
            }
            let sql = """
                SELECT count(*), count(CASE WHEN flags & 1 THEN 1 END) FROM \(tables.live.name)
                """
            let (all, deleted) =
                try session.first(sql, row: { (Int($0.long(at: 0)), Int($0.long(at: 1))) }) ?? (
                    0, 0
                )
            return (all - deleted, deleted + tombstones)
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
        if tombstones == nil {
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

extension KeyStore {
    /// Removes a record or tombstone permanently; it counts as a purge.
    ///
    /// - Parameter expectation: the state that the record must be in; nil for any.
    /// - Returns: whether there was such a record.
    ///
    /// Throws `.invalidParameter` for what the engine itself keeps in `info`.
    @discardableResult
    public func purge(
        _ key: String, expecting expectation: RecordUpdate.Expectation? = nil,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            try requireNotOfEngine(key)
            let session = try transaction.writing()
            let tables = try tables(in: transaction)
            var isPurged = false
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                // A damaged file can have a key in both tables: neither may stay.
                if isTombstone, try !tables.hasTombstones(in: session) { continue }
                guard
                    try remove(key, expectation, tombstones: isTombstone, tables, session)
                else { continue }
                if isTombstone { tables.purges.tombstones += 1 } else { tables.purges.live += 1 }
                isPurged = true
            }
            if isPurged { transaction.note(.purged, key, 0, tables) }
            return isPurged
        }
    }

    private func remove(
        _ key: String, _ expectation: RecordUpdate.Expectation?, tombstones isTombstone: Bool,
        _ tables: StoreTables, _ session: Session
    ) throws -> Bool {
        switch expectation {
        case .absent: return false
        case nil: return try tables.remove(key, tombstones: isTombstone, in: session)
        case .revision(let sequence, let subsequence):
            let statement = try tables.statement(.removeExpected, tombstones: isTombstone, in: session) {
                "DELETE FROM \($0.name) WHERE key=? AND \(RecordColumns.isExpected(2))"
            }
            try statement.bind(sequence, at: 2)
            try statement.bind(Int64(subsequence), at: 3)
            return try tables.run(statement, key: key, at: 1, in: session)
        }
    }
}
