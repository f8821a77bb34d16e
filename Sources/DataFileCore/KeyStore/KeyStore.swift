internal import SQLCore

/// A table of records in a data file, by name; tombstones are kept in a second one.
///
/// It holds nothing but the name: reading and writing take a `Snapshot` or a `Transaction`.
public struct KeyStore: Hashable, Sendable {
    /// The store's name.
    public let name: KeyStoreName

    /// The store of this name, whether or not it exists.
    public init(_ name: KeyStoreName) {
        self.name = name
    }

    /// Whether the file has this store.
    public func exists(in snapshot: Snapshot) throws -> Bool {
        try snapshot.session().storeTables(name) != nil
    }

    /// The store's tables.
    ///
    /// Throws `.notFound` if the file does not have this store.
    func tables(in snapshot: Snapshot) throws -> StoreTables {
        let session = try snapshot.session()
        guard let tables = try session.storeTables(name) else {
            throw StoreError(.notFound, "\(session.path) has no store named \(name.rawName)")
        }
        return tables
    }
}

extension KeyStore {
    /// The record of a key, alive or a tombstone; nil if there is none.
    public func get(
        _ key: String, content: RecordContent = .all, in snapshot: Snapshot
    ) throws -> Record? {
        let tables = try tables(in: snapshot)
        if let record = try get(key, content, tables, dead: false, snapshot) { return record }
        guard tables.dead != nil else { return nil }
        return try get(key, content, tables, dead: true, snapshot)
    }

    private func get(
        _ key: String, _ content: RecordContent, _ tables: StoreTables, dead isDead: Bool,
        _ snapshot: Snapshot
    ) throws -> Record? {
        let operation: StoreTables.Operation = content == .all ? .get : .getMetadata
        let session = try snapshot.session()
        let statement = try tables.statement(operation, dead: isDead, in: session) {
            let table = try tables.table(dead: isDead)
            return "SELECT \(RecordColumns.list(table, content)) FROM \(table.name) WHERE key=?"
        }
        defer { statement.reset() }
        try statement.bind(key, at: 1)
        guard try statement.next() else { return nil }
        return RecordColumns.record(statement, content, isDead: isDead)
    }

    /// How many records are alive, and how many are tombstones.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        let tables = try tables(in: snapshot)
        let session = try snapshot.session()
        let live = try session.firstOnce(
            "SELECT count(*), count(CASE WHEN flags & 1 THEN 1 END) FROM \(tables.live.name)",
            row: { (all: Int($0.long(at: 0)), deleted: Int($0.long(at: 1))) })
        let dead = try tables.dead.flatMap { dead in
            try session.firstOnce("SELECT count(*) FROM \(dead.name)") { Int($0.long(at: 0)) }
        }
        let (all, deleted) = live ?? (0, 0)
        return (all - deleted, deleted + (dead ?? 0))
    }

    /// The sequence of the store's latest change, 0 if it has had none.
    ///
    /// As the file's `kvmeta` says; it may lag behind the records.
    public func lastSequence(in snapshot: Snapshot) throws -> Int64 {
        try snapshot.session().lastSequence(name)
    }
}
