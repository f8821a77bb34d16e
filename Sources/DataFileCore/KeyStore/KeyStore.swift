internal import SQLCore
public import StoreFormat

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
        try snapshot.wrapping(name) {
            try snapshot.session().storeTables(name) != nil
        }
    }

    /// The store's tables.
    ///
    /// Throws `.notFound` if the file does not have this store.
    @inline(__always)
    package func tables(in snapshot: Snapshot) throws -> StoreTables {
        let session = try snapshot.session()
        guard let tables = try session.storeTables(name) else { throw notFound(session) }
        return tables
    }

    private func notFound(_ session: Session) -> StoreError {
        StoreError(.notFound, "\(session.path) has no store named \(name.rawName)")
    }
}

extension KeyStore {
    /// The sequence of the store's latest change, live or deleted; 0 if it has had none.
    ///
    /// What `kvmeta` says may lag behind in files of other programs, so the rows are looked at,
    /// too: once per open file, through the index of the sequences if there is one.
    public func lastSequence(in snapshot: Snapshot) throws -> Int64 {
        try snapshot.wrapping(name) {
            try snapshot.lastSequence(tables(in: snapshot))
        }
    }

    /// How many records have been purged from the store, by hand or since they had expired, live
    /// and deleted ones.
    public func purgeCount(in snapshot: Snapshot) throws -> Int64 {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let stored = try tables.storedPurges ?? readPurges(snapshot.session())
            tables.storedPurges = stored
            return tables.purges.added(to: stored)
        }
    }

    private func readPurges(_ session: Session) throws -> Int64 {
        // Files of before 2.7 do not count them.
        guard try session.context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == true else {
            return 0
        }
        return try session.first(SchemaSQL.purgeCount) {
            try $0.bind(name.rawName, at: 1)
            try $0.bind(name.deadName, at: 2)
        } row: {
            $0.long(at: 0)
        } ?? 0
    }
}
