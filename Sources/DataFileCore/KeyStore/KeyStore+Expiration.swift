internal import SQLCore
internal import StoreFormat

// Times are milliseconds since 1970, as in the file.
extension KeyStore {
    /// Sets the time at which a record is purged.
    ///
    /// Maintenance purges expired records soon after that time while the file is open for writing,
    /// unless ``DataFileOptions/maintenance`` is off; then call ``purgeExpired(at:limit:in:)``.
    /// Until it is purged, an expired record can still be read.
    ///
    /// ```swift
    /// let inOneHour = Int64((Date().timeIntervalSince1970 + 3600) * 1000)
    /// try file.write { transaction in
    ///     try people.keyStore.setExpiration(inOneHour, of: id, in: transaction)
    /// }
    /// ```
    ///
    /// The record's sequence, flags and subsequence do not change, as in LiteCore: a save based on
    /// a read before this call is not a conflict, and does not change the expiration. Observers
    /// receive ``RecordChange/Kind-swift.enum/metadata``.
    ///
    /// - Parameters:
    ///   - milliseconds: the time in milliseconds since 1970; nil for never.
    ///   - key: the record's key. Tombstones can expire, too.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether the record exists.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store;
    ///   ``StoreError/Code/invalidParameter`` for the engine's own records in `info`.
    @discardableResult
    public func setExpiration(
        _ milliseconds: Int64?, of key: String, in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            try requireNotOfEngine(key)
            let connection = try transaction.writing()
            try addColumns(in: connection)
            let tables = try tables(in: transaction)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                if isTombstone, try !tables.hasTombstones(in: connection) { continue }
                let statement = try tables.statement(
                    .setExpiration, tombstones: isTombstone, in: connection
                ) {
                    "UPDATE \($0.name) SET expiration=?\($0.hasExtra ? SwappedRows.keeping : "") "
                        + "WHERE key=?"
                }
                defer { statement.reset() }
                if let milliseconds {
                    try statement.bind(milliseconds, at: 1)
                } else {
                    try statement.bindNull(at: 1)
                }
                try statement.bind(key, at: 2)
                while try statement.next() {}
                guard connection.context.changes > 0 else { continue }
                transaction.hasSetExpiration = true
                transaction.note(.metadata, key, 0, tables)
                return true
            }
            return false
        }
    }

    /// In tables created by 3.1 to 3.2.1, the column exists only if a record was to expire.
    private func addColumns(in connection: Connection) throws {
        guard let tables = try connection.storeTables(name) else { return }
        let lacking = [tables.live, tables.tombstones].compactMap(\.self).filter {
            !$0.hasExpiration
        }
        for table in lacking {
            try connection.context.exec(
                sql: SchemaSQL.addColumn("expiration", type: "INTEGER", table: table.plainName))
            try connection.context.exec(
                sql: SchemaSQL.createExpirationIndex(table: table.plainName))
        }
    }

    /// The time at which a record is purged.
    ///
    /// Costs one lookup by key, or two for a tombstone. A whole record contains its expiration,
    /// too.
    ///
    /// ```swift
    /// let milliseconds = try file.read { try people.keyStore.expiration(of: id, in: $0) }
    /// let date = milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the record's key.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Returns: the time in milliseconds since 1970; nil if the record does not expire or does
    ///   not exist.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func expiration(of key: String, in snapshot: Snapshot) throws -> Int64? {
        try snapshot.wrapping(name) {
            let connection = try snapshot.connection()
            let tables = try tables(in: snapshot)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                guard try tables.table(tombstones: isTombstone).hasExpiration else { continue }
                let statement = try tables.statement(
                    .getExpiration, tombstones: isTombstone, in: connection
                ) {
                    "SELECT expiration FROM \($0.name) WHERE key=?"
                }
                defer { statement.reset() }
                try statement.bind(key, at: 1)
                if try statement.next() {
                    return statement.type(at: 0) == .long ? statement.long(at: 0) : nil
                }
            }
            return nil
        }
    }

    /// The time of the store's next purge.
    ///
    /// Costs one lookup in the index on expirations of each of its tables. For all stores of a file
    /// see ``Snapshot/nextExpiration()``.
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from.
    /// - Returns: the earliest expiration of a record in milliseconds since 1970, which may be in
    ///   the past; nil if no record expires.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func nextExpiration(in snapshot: Snapshot) throws -> Int64? {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            var next: Int64?
            for table in tables.expiringTables {
                // Served by the index on expirations. Numbers sort before any string or blob; an
                // upgrade by LiteCore may have stored a blob in the column.
                let sql = """
                    SELECT expiration FROM \(table.name)
                    WHERE expiration NOT NULL AND expiration < ''\(notOfEngine)
                    ORDER BY expiration LIMIT 1
                    """
                let found = try snapshot.connection().first(sql) { $0.long(at: 0) }
                if let found { next = min(next ?? found, found) }
            }
            return next
        }
    }

    /// Purges the expired records, those that expired first.
    ///
    /// Each counts as a purge, and observers are notified. Maintenance calls this by itself; call
    /// it where ``DataFileOptions/maintenance`` is off, or to purge before a time of your choice. A
    /// limit bounds how long other writers wait:
    ///
    /// ```swift
    /// let store = people.keyStore
    /// while try file.write({ try store.purgeExpired(limit: 500, in: $0) }) == 500 {}
    /// ```
    ///
    /// Uses the index on expirations, so that its cost is that of the purged records.
    ///
    /// - Parameters:
    ///   - milliseconds: the time up to which records are purged, in milliseconds since 1970; nil
    ///     (default) to read the clock.
    ///   - limit: the maximum number of records to purge; by default all.
    ///   - transaction: the transaction to write in.
    /// - Returns: the number of purged records.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    @discardableResult
    public func purgeExpired(
        at milliseconds: Int64? = nil, limit: Int = .max, in transaction: Transaction
    ) throws -> Int {
        try transaction.wrapping(name) {
            let tables = try tables(in: transaction)
            let time = milliseconds ?? transaction.state.now()
            var count = 0
            for table in tables.expiringTables where count < limit {
                let purged = try purge(table, time, limit - count, tables, transaction)
                if table.plainName == tables.tombstones?.plainName {
                    tables.rows.purges.tombstones += Int64(purged)
                } else {
                    tables.rows.purges.live += Int64(purged)
                }
                count += purged
            }
            return count
        }
    }

    /// An SQL condition that excludes the engine's own records, which never expire.
    package var notOfEngine: String {
        guard name == .info else { return "" }
        return " AND key NOT IN (\(InfoKey.all.sorted().map { "'\($0)'" }.joined(separator: ", ")))"
    }

    private func purge(
        _ table: StoreTables.Table, _ time: Int64, _ limit: Int, _ tables: StoreTables,
        _ transaction: Transaction
    ) throws -> Int {
        let connection = try transaction.writing()
        // Both statements process the same rows in the same order.
        let due =
            "FROM \(table.name) WHERE expiration NOT NULL AND expiration <= ?1\(notOfEngine)"
        let first = "ORDER BY expiration, rowid LIMIT ?2"
        let bind = { (statement: SQLStatement) in
            try statement.bind(time, at: 1)
            try statement.bind(Int64(limit), at: 2)
        }
        if transaction.changeLog.isRecording {
            try connection.context.withStatement(sql: "SELECT key, sequence \(due) \(first)") {
                try bind($0)
                while try $0.next() {
                    transaction.note(.expired, $0.text(at: 0) ?? "", $0.long(at: 1), tables)
                }
            }
        }
        // Without a limit SQLite deletes rows during the scan and need not remember them.
        let sql =
            limit == .max
            ? "DELETE \(due)"
            : "DELETE FROM \(table.name) WHERE rowid IN (SELECT rowid \(due) \(first))"
        try connection.context.withStatement(sql: sql) { statement in
            if limit == .max { try statement.bind(time, at: 1) } else { try bind(statement) }
            while try statement.next() {}
        }
        let count = connection.context.changes
        if !transaction.changeLog.isRecording { tables.rows.written += count }
        return count
    }
}

extension StoreTables {
    /// The tables with a column for the expiration.
    package var expiringTables: [Table] {
        [live, tombstones].compactMap(\.self).filter(\.hasExpiration)
    }
}

extension Snapshot {
    /// The time of the next purge in any store, in milliseconds since 1970; nil if no record
    /// expires.
    ///
    /// ```swift
    /// if let next = try file.read({ try $0.nextExpiration() }) {
    ///     show("next purge:", Date(timeIntervalSince1970: Double(next) / 1000))
    /// }
    /// ```
    /// Costs one lookup in the index on expirations of each table; see
    /// ``KeyStore/nextExpiration(in:)``.
    public func nextExpiration() throws -> Int64? {
        try keyStoreNames().filter { try connection().isStore($0) }
            .compactMap { try KeyStore($0).nextExpiration(in: self) }.min()
    }
}
