internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// The new file, into which recovered rows are written.
final class SalvageTarget {
    private let context: SQLContext
    private enum Kind {
        case select, insert, remove
    }

    private var statements: [Kind: [String: SQLStatement]] = [:]
    private var made: Set<KeyStoreName> = []
    private var rowsInTransaction = 0
    private(set) var stores: Set<KeyStoreName> = [.default, .info]
    /// The contents of `info` in a new file, in case the old file's are lost.
    private var freshInfo: [(key: String, body: [UInt8])] = []

    /// The number of rows that are committed together.
    private static let batch = 10_000

    init(_ context: SQLContext) throws {
        self.context = context
        try NewFile.create(in: context, pageSize: 4096)
        for row in try context.selectAll(sql: "SELECT key, body FROM kv_info") {
            freshInfo.append((row[0].textValue ?? "", row[1].bytesValue ?? []))
        }
        try context.exec(sql: "BEGIN IMMEDIATE; DELETE FROM kv_info")
    }

    /// Writes a row to the table to which it belongs, whichever table it came from.
    ///
    /// If there is a row with the same key, the later one gets the key.
    ///
    /// - Parameter keepsBoth: whether to store the earlier one in a separate store, because damage
    ///     can have changed its key.
    /// - Returns: whether a row was added.
    func put(_ row: SalvagedRow, in store: KeyStoreName, keepsBoth: Bool) throws -> Bool {
        guard let other = try existing(row.key, store) else {
            try insert(row, store)
            return true
        }
        guard !other.isSame(as: row) else { return false }
        if row.isLater(than: other) {
            try remove(other, store)
            try insert(row, store)
        }
        let earlier = row.isLater(than: other) ? other : row
        guard keepsBoth else { return false }
        let spare = KeyStoreName(
            store.isCollection ? ".recovered.duplicates" : "recovered_duplicates")
        guard try store != spare && existing(row.key, spare) == nil else { return false }
        try insert(earlier, spare)
        return true
    }

    private func tableNames(_ store: KeyStoreName) -> [String] {
        store.isCollection ? [store.tableName, store.tombstoneTableName] : [store.tableName]
    }

    private func table(_ row: SalvagedRow, _ store: KeyStoreName) -> String {
        store.isCollection && row.isTombstone ? store.tombstoneTableName : store.tableName
    }

    private func existing(_ key: String, _ store: KeyStoreName) throws -> SalvagedRow? {
        try createTables(store)
        for table in tableNames(store) {
            let select = try statement(.select, table)
            defer { select.reset() }
            try select.bind(key, at: 1)
            if try select.next() { return SalvagedRow(select, from: 0) }
        }
        return nil
    }

    private func insert(_ row: SalvagedRow, _ store: KeyStoreName) throws {
        let insert = try statement(.insert, table(row, store))
        defer { insert.reset() }
        try bind(row, insert)
        while try insert.next() {}
        rowsInTransaction += 1
        guard rowsInTransaction >= Self.batch else { return }
        rowsInTransaction = 0
        try context.exec(sql: "COMMIT; BEGIN IMMEDIATE")
    }

    private func remove(_ row: SalvagedRow, _ store: KeyStoreName) throws {
        let remove = try statement(.remove, table(row, store))
        defer { remove.reset() }
        try remove.bind(row.key, at: 1)
        while try remove.next() {}
    }

    private func createTables(_ store: KeyStoreName) throws {
        guard made.insert(store).inserted else { return }
        stores.insert(store)
        for sql in tableNames(store).flatMap(SchemaSQL.createStore) {
            try context.exec(sql: sql)
        }
    }

    private func statement(_ kind: Kind, _ table: String) throws -> SQLStatement {
        if let statement = statements[kind]?[table] { return statement }
        let name = table.sqlName
        let columns = "key, sequence, flags, version, body, expiration, extra"
        let sql =
            switch kind {
            case .select: "SELECT \(columns) FROM \(name) WHERE key=?"
            case .insert: "INSERT INTO \(name) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
            case .remove: "DELETE FROM \(name) WHERE key=?"
            }
        let statement = try context.prepare(sql: sql)
        statements[kind, default: [:]][table] = statement
        return statement
    }

    private func bind(_ row: SalvagedRow, _ statement: SQLStatement) throws {
        try statement.bind(row.key, at: 1)
        for (index, number) in [(2, row.sequence), (3, row.flags), (6, row.expiration)] {
            try number.map { try statement.bind($0, at: index) } ?? statement.bindNull(at: index)
        }
        for (index, bytes) in [(4, row.version), (5, row.body), (7, row.extra)] {
            try bytes.map { try $0.withUnsafeBytes { try statement.bind($0, at: index) } }
                ?? statement.bindNull(at: index)
        }
    }

    /// Whether a store has a row with this key.
    func has(_ key: String, in store: KeyStoreName) throws -> Bool {
        guard stores.contains(store) else { return false }
        return try existing(key, store) != nil
    }

    func count(_ table: String) throws -> Int {
        let value = try context.selectValue(sql: "SELECT count(*) FROM \(table.sqlName)")
        return Int(clamping: value?.longValue ?? 0)
    }
}

// Completion of the file.
extension SalvageTarget {
    /// Completes the data that depends on all rows, and commits.
    func finish(_ counts: [StoreCounts], _ report: inout SalvageReport) throws {
        for store in stores where store.isCollection {
            let last = counts.first { $0.name == store.rawName }?.lastSequence ?? 0
            try putMeta(store, last, counts, &report)
        }
        try keepCountsOfRemoved(counts)
        try completeInfo(&report)
        try context.exec(sql: "COMMIT")
    }

    /// Closes the completed file.
    func close() throws {
        statements = [:]
        try context.close()
    }

    private func putMeta(
        _ store: KeyStoreName, _ counted: Int64, _ counts: [StoreCounts],
        _ report: inout SalvageReport
    ) throws {
        var last = counted
        let names = [store.tableName.sqlName, store.tombstoneTableName.sqlName]
        for name in names {
            let value = try context.selectValue(sql: "SELECT max(sequence) FROM \(name)")
            last = max(last, value?.longValue ?? 0)
        }
        last = try renumber(names, last, &report)
        for name in [store.rawName, store.tombstoneStoreName] {
            let purges = counts.first { $0.name == name }?.purges ?? 0
            let sequence = name == store.rawName ? last : 0
            guard sequence > 0 || purges > 0 else { continue }
            try context.exec(
                sql: "INSERT INTO kvmeta (name, lastSeq, purgeCnt) VALUES (?, ?, ?)",
                parameters: [.text(name), .long(sequence), .long(purges)])
        }
    }

    /// Keeps the sequence of a deleted collection, which continues there when it is created again,
    /// as in LiteCore.
    private func keepCountsOfRemoved(_ counts: [StoreCounts]) throws {
        for count in counts where count.lastSequence > 0 {
            let store = KeyStoreName(count.name)
            guard store.isCollection, !stores.contains(store),
                let name = CollectionName(store), (try? CollectionName(name.description)) != nil
            else { continue }
            try context.exec(
                sql: "INSERT OR IGNORE INTO kvmeta (name, lastSeq, purgeCnt) VALUES (?, ?, ?)",
                parameters: [
                    .text(count.name), .long(count.lastSequence), .long(count.purges),
                ])
        }
    }

    /// Makes the sequences of a store unique. Pages that were not in use can contain duplicates.
    private func renumber(
        _ tables: [String], _ last: Int64, _ report: inout SalvageReport
    ) throws -> Int64 {
        let all = tables.map { "SELECT sequence FROM \($0) WHERE sequence NOT NULL" }
        let doubles = try context.prepare(
            sql: "SELECT sequence FROM (\(all.joined(separator: " UNION ALL "))) "
                + "GROUP BY sequence HAVING count(*) > 1")
        var sequences: [Int64] = []
        while try doubles.next() { sequences.append(doubles.long(at: 0)) }
        guard !sequences.isEmpty else { return last }
        let names = tables.indices.map { "salvage_\($0)" }
        for (name, table) in zip(names, tables) {
            try context.exec(sql: "CREATE INDEX \(name) ON \(table) (sequence)")
        }
        var last = last
        for sequence in sequences {
            last = try renumber(sequence, tables, last, &report)
        }
        for name in names { try context.exec(sql: "DROP INDEX \(name)") }
        return last
    }

    /// Assigns new sequences to all rows with a sequence but the first.
    private func renumber(
        _ sequence: Int64, _ tables: [String], _ last: Int64, _ report: inout SalvageReport
    ) throws -> Int64 {
        var (last, isFirst) = (last, true)
        for table in tables {
            let rows = try context.selectAll(
                sql: "SELECT rowid FROM \(table) WHERE sequence=?", parameters: [.long(sequence)])
            for row in rows.dropFirst(isFirst ? 1 : 0) where last < .max {
                last += 1
                try context.exec(
                    sql: "UPDATE \(table) SET sequence=? WHERE rowid=?",
                    parameters: [.long(last), row[0]])
                report.renumberedRecords += 1
            }
            if !rows.isEmpty { isFirst = false }
        }
        return last
    }

    /// Whether documents have integer keys although the list of shared keys is lost.
    private func hasLostKeys() throws -> Bool {
        guard try !has(InfoKey.sharedKeys, in: .info) else { return false }
        for store in stores where store.isCollection {
            let rows = try context.prepare(
                sql: "SELECT body FROM \(store.tableName.sqlName) WHERE body NOT NULL LIMIT 100")
            while try rows.next() {
                let body = RawBody(rows.bytes(at: 0), sharedKeys: SharedKeys())
                if body?.usesSharedKeys == true { return true }
            }
        }
        return false
    }

    private func completeInfo(_ report: inout SalvageReport) throws {
        if try hasLostKeys() {
            report.lose(
                "the list of shared keys is lost: properties have numbers instead of names",
                store: .info, key: InfoKey.sharedKeys)
        }
        for (key, body) in freshInfo {
            let body = key == InfoKey.versioning ? try likelyVersioning().stored : body
            try context.exec(
                sql: "INSERT OR IGNORE INTO kv_info (key, body) VALUES (?, ?)",
                parameters: [.text(key), .blob(body)])
            guard context.changes > 0 else { continue }
            report.renewedRecords += 1
            if key != InfoKey.unmovedTombstones { report.renewedInfo.append(key) }
        }
        // All tombstones are in the tombstone tables.
        try context.exec(
            sql: "UPDATE kv_info SET body=? WHERE key=?",
            parameters: [.blob(BigEndian.bytes(0)), .text(InfoKey.unmovedTombstones)])
    }

    /// The versioning according to the rows, if the file does not specify it any more.
    private func likelyVersioning() throws -> Versioning {
        var found: Set<Int64> = []
        for store in stores where store.isCollection {
            for table in [store.tableName, store.tombstoneTableName] {
                let rows = try context.selectAll(
                    sql: "SELECT DISTINCT CASE WHEN substr(version, 1, 1)=x'00' THEN 2 "
                        + "WHEN extra NOT NULL THEN 1 ELSE 0 END FROM \(table.sqlName)")
                found.formUnion(rows.compactMap { $0[0].longValue })
            }
        }
        return found.max().flatMap { Versioning(rawValue: UInt64($0)) } ?? .versionVectors
    }
}
