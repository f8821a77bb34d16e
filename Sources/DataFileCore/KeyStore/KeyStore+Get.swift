internal import SQLCore
public import StoreFormat

extension KeyStore {
    /// The record of a key, alive or a tombstone; nil if there is none.
    ///
    /// Throws `.notFound` if the file does not have this store.
    public func get(
        _ key: String, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        try withRow(key, content, of: tables(in: snapshot), in: snapshot) {
            RecordColumns.record($0, content, key: key, isTombstone: $1)
        }
    }

    /// Lends the row of a key, with the columns of `RecordColumns`, and whether it stands in the
    /// table of tombstones; nil if there is none.
    @inline(__always)
    func withRow<T>(
        _ key: String, _ content: RecordContent, of tables: StoreTables, in snapshot: Snapshot,
        _ use: (SQLStatement, Bool) throws -> T
    ) throws -> T? {
        try snapshot.wrapping(name) {
            let session = try snapshot.session()
            if let found = try withRow(key, content, tables, tombstones: false, session, use) {
                return found
            }
            guard tables.tombstones != nil, tables.hasTombstones != false else { return nil }
            return try withRow(key, content, tables, tombstones: true, session, use)
        }
    }

    @inline(__always)
    private func withRow<T>(
        _ key: String, _ content: RecordContent, _ tables: StoreTables, tombstones isTombstone: Bool,
        _ session: Session, _ use: (SQLStatement, Bool) throws -> T
    ) throws -> T? {
        let statement = try tables.statement(
            content.byKey, tombstones: isTombstone, in: session,
            { RecordColumns.select($0, content, "key=?") })
        defer { statement.reset() }
        var text = key
        return try text.withUTF8 { bytes in
            try statement.bindStaticText(UnsafeRawBufferPointer(bytes), at: 1)
            guard try statement.next() else { return nil }
            return try use(statement, isTombstone)
        }
    }

    /// The record that the change of a sequence wrote, alive or a tombstone; nil if there is none,
    /// as when a later change has written it again.
    ///
    /// Without the index of the sequences the store is walked through. Maintenance makes the index
    /// soon after; where `DataFileOptions.maintenance` is off, nothing does.
    public func get(
        sequence: Int64, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        try snapshot.wrapping(name) {
            let session = try snapshot.session()
            let tables = try tables(in: snapshot)
            try LazyIndex.sequences.want(for: tables, in: snapshot)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                let statement = try tables.statement(
                    content.bySequence, tombstones: isTombstone, in: session,
                    { RecordColumns.select($0, content, "sequence=?") })
                defer { statement.reset() }
                try statement.bind(sequence, at: 1)
                if try statement.next() {
                    return RecordColumns.record(statement, content, key: nil, isTombstone: isTombstone)
                }
            }
            return nil
        }
    }

    /// The records of many keys, in the order of the keys; nil for those that are not there.
    ///
    /// 64 keys at a time are looked for by one statement.
    public func get(
        _ keys: [String], content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> [Record?] {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            var records = [Record?](repeating: nil, count: keys.count)
            for isTombstone in [true, false] where !isTombstone || tables.tombstones != nil {
                // Live ones last: they count if a damaged file has both.
                if isTombstone, tables.hasTombstones == false { continue }
                let table = try tables.table(tombstones: isTombstone)
                let session = try snapshot.session()
                let sql = Self.manySQL(table, content)
                let statement = try session.take(sql)
                defer { session.giveBack(statement, sql) }
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
            WITH sought(place, sought) AS (VALUES \(values))
            SELECT \(RecordColumns.list(table, content)), place
            FROM sought CROSS JOIN \(table.name) ON key = sought
            """
    }
}

extension RecordContent {
    fileprivate var byKey: StoreTables.Operation {
        switch self {
        case .metadata: .getMetadata
        case .body: .getBody
        case .all: .getAll
        }
    }

    fileprivate var bySequence: StoreTables.Operation {
        switch self {
        case .metadata: .sequenceMetadata
        case .body: .sequenceBody
        case .all: .sequenceAll
        }
    }
}
