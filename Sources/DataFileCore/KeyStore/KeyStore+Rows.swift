internal import SQLCore
internal import StoreFormat

extension KeyStore {
    /// Counts the live records and the tombstones.
    ///
    /// Reads the smallest index that has all rows, so the cost grows with the number of records,
    /// but not with their size. If the live table may contain tombstones, as in files from before
    /// 3.1, it scans that table; see ``Transaction/moveTombstones(rows:)``.
    ///
    /// ```swift
    /// let isEmpty = try file.read { try store.count(in: $0).live } == 0
    /// ```
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from.
    /// - Returns: the number of records that are not deleted, and that of tombstones.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let connection = try snapshot.connection()
            let tombstones = try tables.tombstones.map { try connection.count($0) } ?? 0
            guard try tables.mayHaveLiveTombstones(in: snapshot) else {
                return (try connection.count(tables.live), tombstones)
            }
            let sql = """
                SELECT count(*), count(CASE WHEN flags & 1 THEN 1 END) FROM \(tables.live.name)
                """
            let (all, deleted) =
                try connection.first(sql, row: { (Int($0.long(at: 0)), Int($0.long(at: 1))) }) ?? (
                    0, 0
                )
            return (all - deleted, deleted + tombstones)
        }
    }
}

extension Connection {
    /// The number of rows of a table.
    fileprivate func count(_ table: StoreTables.Table) throws -> Int {
        try first("SELECT count(*) FROM \(table.name)") { Int($0.long(at: 0)) } ?? 0
    }
}

extension StoreTables {
    /// Whether the live table may contain tombstones: always if the store has no tombstone table,
    /// and in the default collection until all tombstones have been moved.
    package func mayHaveLiveTombstones(in snapshot: Snapshot) throws -> Bool {
        if let known = rows.mayHaveLiveTombstones { return known }
        let may: Bool
        if tombstones == nil {
            may = true
        } else if name == .default {
            may = try snapshot.info(InfoKey.unmovedTombstones).flatMap(BigEndian.number) != 0
        } else {
            may = false
        }
        rows.mayHaveLiveTombstones = may
        return may
    }
}

extension KeyStore {
    /// Removes a record or tombstone permanently. It counts as a purge.
    ///
    /// Nothing remains that replication could send: other devices keep the document, and can send
    /// it again. To delete a document everywhere, use the `delete` functions of
    /// ``DocumentCollection``, which leave a tombstone.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     if let record = try store.get(id, content: .metadata, in: transaction) {
    ///         try store.purge(id, expecting: .revision(of: record), in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the record's key.
    ///   - expectation: the required state of the record; nil (default) for any state. With
    ///     `.absent` nothing is removed.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether the record existed in that state.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store;
    ///   ``StoreError/Code/invalidParameter`` for the engine's own records in `info`.
    @discardableResult
    public func purge(
        _ key: String, expecting expectation: RecordUpdate.Expectation? = nil,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            try requireNotOfEngine(key)
            let connection = try transaction.writing()
            let tables = try tables(in: transaction)
            var isPurged = false
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                // A damaged file can have a key in both tables: both rows must be removed.
                if isTombstone, try !tables.hasTombstones(in: connection) { continue }
                guard
                    try remove(key, expectation, tombstones: isTombstone, tables, connection)
                else { continue }
                if isTombstone {
                    tables.rows.purges.tombstones += 1
                } else {
                    tables.rows.purges.live += 1
                }
                isPurged = true
            }
            if isPurged { transaction.note(.purged, key, 0, tables) }
            return isPurged
        }
    }

    private func remove(
        _ key: String, _ expectation: RecordUpdate.Expectation?, tombstones isTombstone: Bool,
        _ tables: StoreTables, _ connection: Connection
    ) throws -> Bool {
        switch expectation {
        case .absent: return false
        case nil: return try tables.remove(key, tombstones: isTombstone, in: connection)
        case .revision(let sequence, let subsequence):
            let statement = try tables.statement(
                .removeExpected, tombstones: isTombstone, in: connection
            ) {
                "DELETE FROM \($0.name) WHERE key=? AND \(RecordColumns.isExpected(2))"
            }
            try statement.bind(sequence, at: 2)
            try statement.bind(Int64(subsequence), at: 3)
            return try tables.run(statement, key: key, at: 1, in: connection)
        }
    }
}
