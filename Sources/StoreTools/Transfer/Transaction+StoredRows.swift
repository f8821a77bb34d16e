package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// Restoring writes the columns unchanged: it creates no revision and assigns no sequence.
extension Transaction {
    /// Writes a row to a store, and replaces a row with the same key in either table.
    ///
    /// It is written to the table from which it was read. Only the default collection can have
    /// tombstones in its live table; those of other stores are written to the tombstone table. Rows
    /// of `info` must be restored first, by `restore(info:replacingOthers:)`: bodies need the
    /// shared keys with which they were written.
    ///
    /// Throws `.notFound` if the store does not exist, `.invalidParameter` for an invalid key,
    /// `.conflict` if another row has its sequence, `.wrongFormat` if the store has no table for a
    /// tombstone or lacks a column.
    package func putStoredRow(_ row: StoredRow, in store: KeyStore) throws {
        guard store.name != .info else { return try restore(info: [row]) }
        try wrapping(store.name) {
            let tables = try store.tables(in: self)
            let isMisplaced = row.isDeleted && tables.tombstones != nil && store.name != .default
            try put(row, tombstones: row.isInTombstoneTable || isMisplaced, tables)
            try noteRestoredRow(row, tables)
        }
    }

    /// Writes the columns of a row to one of the tables, and removes the row with its key from the
    /// other one.
    func put(_ row: StoredRow, tombstones isTombstone: Bool, _ tables: StoreTables) throws {
        try KeyStore.requireKey(row.key)
        let connection = try writing()
        guard try isInTable(row.key, tombstones: !isTombstone, tables, connection) else {
            return try write(row, tombstones: isTombstone, tables, connection)
        }
        try savepoint {
            try write(row, tombstones: isTombstone, tables, connection)
            _ = try tables.remove(row.key, tombstones: !isTombstone, in: connection)
        }
    }

    private func isInTable(
        _ key: String, tombstones isTombstone: Bool, _ tables: StoreTables, _ connection: Connection
    ) throws -> Bool {
        if isTombstone, try tables.tombstones == nil || !tables.hasTombstones(in: connection) {
            return false
        }
        let sql = "SELECT 1 FROM \(try tables.table(tombstones: isTombstone).name) WHERE key=?"
        return try connection.first(sql, bind: { try $0.bind(key, at: 1) }, row: { _ in true })
            ?? false
    }

    private func write(
        _ row: StoredRow, tombstones isTombstone: Bool, _ tables: StoreTables,
        _ connection: Connection
    ) throws {
        let table = try tables.table(tombstones: isTombstone)
        try requireColumns(of: table, for: row, connection)
        let sql = Self.upsert(table)
        let statement = try connection.take(sql)
        defer { connection.giveBack(statement, sql) }
        do {
            try row.bind(to: statement, table)
            while try statement.next() {}
        } catch let error as SQLError where .constraint ~= error.code {
            throw StoreError(
                .conflict,
                "the row \"\(row.key)\" cannot be written to \(table.plainName) of "
                    + "\(connection.path): another row has its sequence \(row.sequence ?? 0)",
                underlying: error)
        }
        statement.clearBindings()
        if isTombstone { tables.rows.hasTombstones = true }
    }

    /// Not `INSERT OR REPLACE`, which does not fire the delete triggers of indexes.
    private static func upsert(_ table: StoreTables.Table) -> String {
        var columns = SchemaSQL.oldestColumns
        if table.hasExpiration { columns.append("expiration") }
        if table.hasExtra { columns.append("extra") }
        let changes = columns.dropFirst().map { "\($0)=excluded.\($0)" }
        return """
            INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (key) DO UPDATE SET \(changes.joined(separator: ", "))
            """
    }

    private func requireColumns(
        of table: StoreTables.Table, for row: StoredRow, _ connection: Connection
    ) throws {
        var missing: [String] = []
        if row.expiration != nil, !table.hasExpiration { missing.append("expiration") }
        if row.extra != nil, !table.hasExtra { missing.append("extra") }
        guard missing.isEmpty else {
            throw StoreError(
                .wrongFormat,
                "\(table.plainName) of \(connection.path) has no column "
                    + missing.joined(separator: ", ") + " for the row \"\(row.key)\"")
        }
    }

    /// Updates what is cached about a store's rows.
    private func noteRestoredRow(_ row: StoredRow, _ tables: StoreTables) throws {
        if let sequence = row.sequence {
            // Set with the first row: a value that a reader determines meanwhile is that of older
            // rows.
            let last = try lastSequence(tables)
            tables.rows.lastSequence = max(last, sequence)
            restoredStores.insert(tables.name)
        }
        if row.expiration != nil { hasSetExpiration = true }
        note(row.isDeleted ? .deleted : .saved, row.key, row.sequence ?? 0, tables)
        if tables.name == .default, row.isDeleted, !row.isInTombstoneTable {
            try noteLiveTombstone(row.key, tables)
        }
    }

    /// Raises the rowid up to which the live table may contain tombstones.
    private func noteLiveTombstone(_ key: String, _ tables: StoreTables) throws {
        tables.rows.mayHaveLiveTombstones = nil
        // Without a stored rowid the whole table is scanned.
        guard let last = try info(InfoKey.unmovedTombstones).flatMap(BigEndian.number) else {
            return
        }
        let sql = "SELECT rowid FROM \(tables.live.name) WHERE key=?"
        let rowID = try connection().first(sql, bind: { try $0.bind(key, at: 1) }) {
            $0.long(at: 0)
        }
        guard let rowID, rowID > 0, UInt64(rowID) > last else { return }
        try InfoRow.set(
            InfoKey.unmovedTombstones, to: UInt64(rowID), in: try connection().context)
    }
}

extension StoredRow {
    /// Binds the columns in the order of the statement that writes them.
    fileprivate func bind(to statement: SQLStatement, _ table: StoreTables.Table) throws {
        try statement.bind(key, at: 1)
        try statement.bind(SQLValue(sequence), at: 2)
        try statement.bind(flags, at: 3)
        try Self.bind(version, at: 4, statement)
        try Self.bind(body, at: 5, statement)
        if table.hasExpiration { try statement.bind(SQLValue(expiration), at: 6) }
        if table.hasExtra { try Self.bind(extra, at: table.hasExpiration ? 7 : 6, statement) }
    }

    private static func bind(
        _ bytes: [UInt8]?, at index: Int, _ statement: SQLStatement
    ) throws {
        guard let bytes else { return try statement.bindNull(at: index) }
        try bytes.withUnsafeBytes { try statement.bind($0, at: index) }
    }
}

/// Some documents of a collection by ID, without those that have a version vector.
struct TreeRows {
    var keys: [String] = []
    /// The number of examined documents, including those with a version vector.
    var lookedAt = 0
    /// The key at which to continue; nil if all documents have been examined.
    var lastKey: String?
}

extension DocumentCollection {
    /// The next documents, including deleted ones, that have a revision tree.
    ///
    /// - Parameters:
    ///   - key: the `lastKey` of the previous call; nil to start.
    ///   - limit: the number of documents to examine, at least one.
    func rowsWithTrees(
        after key: String?, limit: Int, in snapshot: Snapshot
    ) throws -> TreeRows {
        var options = RecordEnumerator.Options()
        options.startKey = key
        options.includesDeleted = true
        options.content = .metadata
        var rows = TreeRows()
        var isCut = false
        var last = key
        try keyStore.records(options, in: snapshot).forEachRow { row in
            let next = row.key
            // A damaged key that is not a string cannot be continued from; reading by key never
            // finds it.
            guard next.utf8.elementsEqual(row.statement.bytes(at: 0)) else { return true }
            if let last, next.hasSameBytes(as: last) { return true }
            guard rows.lookedAt < max(limit, 1) else {
                isCut = true
                return false
            }
            rows.lookedAt += 1
            last = next
            if row.withVersion({ $0.first ?? 0 }) != 0 { rows.keys.append(next) }
            return true
        }
        rows.lastKey = isCut ? last : nil
        return rows
    }
}
