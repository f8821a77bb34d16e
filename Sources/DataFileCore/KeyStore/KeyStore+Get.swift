internal import SQLCore
public import StoreFormat

extension KeyStore {
    /// Reads the record with a key.
    ///
    /// Costs one lookup by key, or two if the key is not in the live table and the store has
    /// tombstones, and copies the columns. A record is independent of the snapshot.
    ///
    /// ```swift
    /// let size = try file.read { try store.get(id, content: .metadata, in: $0)?.bodySize }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key, compared by its bytes.
    ///   - content: the columns to read; by default all. With `.metadata`, bodies are not read,
    ///     whose pages can be many.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Returns: the record, live or a tombstone (`flags` contains `.deleted`); nil if there is
    ///   none.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func get(
        _ key: String, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        try snapshot.wrapping(name) {
            try tables(in: snapshot).withRow(key, content, in: snapshot.connection()) {
                RecordColumns.record($0, content, key: key, isTombstone: $1)
            }
        }
    }

    /// Reads the record whose latest change has a sequence.
    ///
    /// Without the index on sequences, this scans the store. Maintenance creates the index soon
    /// after, unless ``DataFileOptions/maintenance`` is off.
    ///
    /// ```swift
    /// let latest = try file.read { snapshot in
    ///     try store.get(sequence: store.lastSequence(in: snapshot), in: snapshot)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: the sequence, from 1.
    ///   - content: the columns to read; by default all.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Returns: the record, live or a tombstone; nil if there is none, or if the record has
    ///   changed since.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func get(
        sequence: Int64, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        try snapshot.wrapping(name) {
            let connection = try snapshot.connection()
            let tables = try tables(in: snapshot)
            try LazyIndex.sequences.request(for: tables, in: snapshot)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                let statement = try tables.statement(
                    content.bySequence, tombstones: isTombstone, in: connection,
                    { RecordColumns.select($0, content, "sequence=?") })
                defer { statement.reset() }
                try statement.bind(sequence, at: 1)
                if try statement.next() {
                    return RecordColumns.record(
                        statement, content, key: nil, isTombstone: isTombstone)
                }
            }
            return nil
        }
    }

    /// Reads many records by key.
    ///
    /// One statement reads up to 64 keys, which is faster than as many single reads. A key may
    /// occur several times.
    ///
    /// ```swift
    /// let ids = ["ada", "grace", "barbara"]
    /// let records = try file.read { try store.get(ids, content: .metadata, in: $0) }
    /// for (id, record) in zip(ids, records) { show(id, record?.sequence ?? 0) }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: the keys, in any order.
    ///   - content: the columns to read; by default all. See `RecordContent`.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Returns: the records in the order of the keys, live or tombstones, with nil for missing
    ///   ones.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func get(
        _ keys: [String], content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> [Record?] {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            var records = [Record?](repeating: nil, count: keys.count)
            for isTombstone in [true, false] where !isTombstone || tables.tombstones != nil {
                // The live table comes last: its row counts if a damaged file has a key in both
                // tables.
                if isTombstone, tables.rows.hasTombstones == false { continue }
                let table = try tables.table(tombstones: isTombstone)
                let connection = try snapshot.connection()
                let sql = Self.manySQL(table, content)
                let statement = try connection.take(sql)
                defer { connection.giveBack(statement, sql) }
                for start in stride(from: 0, to: keys.count, by: Self.keysAtOnce) {
                    try read(keys, from: start, statement, content, isTombstone, into: &records)
                }
            }
            return records
        }
    }

    private func read(
        _ keys: [String], from start: Int, _ statement: SQLStatement, _ content: RecordContent,
        _ isTombstone: Bool, into records: inout [Record?]
    ) throws {
        for offset in 0..<Self.keysAtOnce {
            if start + offset < keys.count {
                try statement.bind(keys[start + offset], at: offset + 1)
            } else {
                try statement.bindNull(at: offset + 1)
            }
        }
        while try statement.next() {
            let index = start + Int(statement.long(at: 7))
            guard keys.indices.contains(index) else { continue }
            records[index] = RecordColumns.record(
                statement, content, key: keys[index], isTombstone: isTombstone)
        }
    }

    private static var keysAtOnce: Int { 64 }

    private static func manySQL(_ table: StoreTables.Table, _ content: RecordContent) -> String {
        let values = (0..<keysAtOnce).map { "(\($0), ?\($0 + 1))" }.joined(separator: ",")
        return """
            WITH lookup(position, lookup_key) AS (VALUES \(values))
            SELECT \(RecordColumns.list(table, content)), position
            FROM lookup CROSS JOIN \(table.name) ON key = lookup_key
            """
    }
}

extension RecordContent {
    fileprivate var bySequence: StoreTables.Operation {
        switch self {
        case .metadata: .sequenceMetadata
        case .body: .sequenceBody
        case .all: .sequenceAll
        }
    }
}
