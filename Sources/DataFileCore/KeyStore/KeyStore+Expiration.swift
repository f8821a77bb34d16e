internal import SQLCore
internal import StoreFormat

// Times are milliseconds since 1970, as in the file.
extension KeyStore {
    /// Sets when a record is purged; nil for never. Its sequence and its flags stay, with the
    /// subsequence in them, as in LiteCore: a save by whoever has read the record before is no
    /// conflict, and leaves the expiration as it is.
    ///
    /// - Returns: whether there is such a record.
    ///
    /// Throws `.invalidParameter` for what the engine itself keeps in `info`.
    @discardableResult
    public func setExpiration(
        _ milliseconds: Int64?, of key: String, in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            try requireNotOfEngine(key)
            let session = try transaction.writing()
            try addColumns(in: session)
            let tables = try tables(in: transaction)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                if isTombstone, try !tables.hasTombstones(in: session) { continue }
                let statement = try tables.statement(.setExpiration, tombstones: isTombstone, in: session) {
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
                guard session.context.changes > 0 else { continue }
                transaction.hasSetExpiration = true
                transaction.note(.metadata, key, 0, tables)
                return true
            }
            return false
        }
    }

    /// Tables that 3.1 to 3.2.1 made have the column only if something in them could expire.
    private func addColumns(in session: Session) throws {
        guard let tables = try session.storeTables(name) else { return }
        let lacking = [tables.live, tables.tombstones].compactMap(\.self).filter { !$0.hasExpiration }
        for table in lacking {
            try session.context.exec(
                sql: SchemaSQL.addColumn("expiration", type: "INTEGER", table: table.plainName))
            try session.context.exec(
                sql: SchemaSQL.createExpirationIndex(table: table.plainName))
        }
        if !lacking.isEmpty { try session.reload(name) }
    }

    /// When a record is purged; nil for never, and if there is no such record.
    public func expiration(of key: String, in snapshot: Snapshot) throws -> Int64? {
        try snapshot.wrapping(name) {
            let session = try snapshot.session()
            let tables = try tables(in: snapshot)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                guard try tables.table(tombstones: isTombstone).hasExpiration else { continue }
                let statement = try tables.statement(.getExpiration, tombstones: isTombstone, in: session) {
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

    /// When the next record of the store is to be purged; nil if none is.
    public func nextExpiration(in snapshot: Snapshot) throws -> Int64? {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            var next: Int64?
            for table in tables.expiringTables {
                // The index of the expirations answers it. Numbers are less than any text or blob;
                // an upgrade by LiteCore can have put a blob there.
                let sql = """
                    SELECT expiration FROM \(table.name)
                    WHERE expiration NOT NULL AND expiration < ''\(notOfEngine)
                    ORDER BY expiration LIMIT 1
                    """
                let found = try snapshot.session().first(sql) { $0.long(at: 0) }
                if let found { next = min(next ?? found, found) }
            }
            return next
        }
    }

    /// Purges the records whose time has come, those that expired first.
    ///
    /// It counts as a purge, and observers hear of it.
    ///
    /// - Parameters:
    ///   - milliseconds: the time that it is; nil for now.
    ///   - limit: the most records that are purged.
    /// - Returns: how many were purged.
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
                    tables.purges.tombstones += Int64(purged)
                } else {
                    tables.purges.live += Int64(purged)
                }
                count += purged
            }
            return count
        }
    }

    /// More of a condition: what the engine itself keeps does not expire, whatever the file says.
    package var notOfEngine: String {
        guard name == .info else { return "" }
        return " AND key NOT IN (\(InfoKey.all.sorted().map { "'\($0)'" }.joined(separator: ", ")))"
    }

    private func purge(
        _ table: StoreTables.Table, _ time: Int64, _ limit: Int, _ tables: StoreTables,
        _ transaction: Transaction
    ) throws -> Int {
        let session = try transaction.writing()
        // The same rows in the same order in both statements.
        let due =
            "FROM \(table.name) WHERE expiration NOT NULL AND expiration <= ?1\(notOfEngine)"
        let first = "ORDER BY expiration, rowid LIMIT ?2"
        let bind = { (statement: SQLStatement) in
            try statement.bind(time, at: 1)
            try statement.bind(Int64(limit), at: 2)
        }
        if transaction.wal.isRecording {
            try session.context.withStatement(sql: "SELECT key, sequence \(due) \(first)") {
                try bind($0)
                while try $0.next() {
                    transaction.note(.expired, $0.text(at: 0) ?? "", $0.long(at: 1), tables)
                }
            }
        }
        // Without a limit SQLite deletes while it walks, and need not remember the rows.
        let sql =
            limit == .max
            ? "DELETE \(due)"
            : "DELETE FROM \(table.name) WHERE rowid IN (SELECT rowid \(due) \(first))"
        try session.context.withStatement(sql: sql) { statement in
            if limit == .max { try statement.bind(time, at: 1) } else { try bind(statement) }
            while try statement.next() {}
        }
        let count = session.context.changes
        if !transaction.wal.isRecording { tables.writtenRows += count }
        return count
    }
}

extension StoreTables {
    /// The tables in which a record can expire.
    package var expiringTables: [Table] { [live, tombstones].compactMap(\.self).filter(\.hasExpiration) }
}

extension Snapshot {
    /// When the next record of any store is to be purged, in milliseconds since 1970; nil if none
    /// is.
    public func nextExpiration() throws -> Int64? {
        try keyStoreNames().filter { try session().isStore($0) }
            .compactMap { try KeyStore($0).nextExpiration(in: self) }.min()
    }
}
