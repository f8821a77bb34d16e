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
            RecordColumns.record($0, content, key: key, isDead: $1)
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
            if let found = try withRow(key, content, tables, dead: false, session, use) {
                return found
            }
            guard tables.dead != nil, tables.hasTombstones != false else { return nil }
            return try withRow(key, content, tables, dead: true, session, use)
        }
    }

    @inline(__always)
    private func withRow<T>(
        _ key: String, _ content: RecordContent, _ tables: StoreTables, dead isDead: Bool,
        _ session: Session, _ use: (SQLStatement, Bool) throws -> T
    ) throws -> T? {
        let statement = try tables.statement(
            content.byKey, dead: isDead, in: session,
            { RecordColumns.select($0, content, "key=?") })
        defer { statement.reset() }
        var text = key
        return try text.withUTF8 { bytes in
            try statement.bindStaticText(UnsafeRawBufferPointer(bytes), at: 1)
            guard try statement.next() else { return nil }
            return try use(statement, isDead)
        }
    }

    /// The record that the change of a sequence wrote, alive or a tombstone; nil if there is none,
    /// as when a later change has written it anew.
    ///
    /// Without the index of the sequences the store is walked through. Housekeeping makes the index
    /// soon after; where `DataFileOptions.housekeeping` is off, nothing does.
    public func get(
        sequence: Int64, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        try snapshot.wrapping(name) {
            let session = try snapshot.session()
            let tables = try tables(in: snapshot)
            try LazyIndex.sequences.want(for: tables, in: snapshot)
            for isDead in [false, true] where !isDead || tables.dead != nil {
                let statement = try tables.statement(
                    content.bySequence, dead: isDead, in: session,
                    { RecordColumns.select($0, content, "sequence=?") })
                defer { statement.reset() }
                try statement.bind(sequence, at: 1)
                if try statement.next() {
                    return RecordColumns.record(statement, content, key: nil, isDead: isDead)
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
            for isDead in [true, false] where !isDead || tables.dead != nil {
                // Live ones last: they count if a damaged file has both.
                if isDead, tables.hasTombstones == false { continue }
                let table = try tables.table(dead: isDead)
                let session = try snapshot.session()
                let sql = Self.manySQL(table, content)
                let statement = try session.take(sql)
                defer { session.giveBack(statement, sql) }
                for start in stride(from: 0, to: keys.count, by: Self.keysAtOnce) {
                    try read(keys, from: start, statement, content, isDead, into: &records)
                }
            }
            return records
        }
    }

    private func read(
        _ keys: [String], from start: Int, _ statement: SQLStatement, _ content: RecordContent,
        _ isDead: Bool, into records: inout [Record?]
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
                statement, content, key: keys[index], isDead: isDead)
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
