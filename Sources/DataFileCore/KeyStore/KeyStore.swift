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
            try $0.bind(name.tombstoneStoreName, at: 2)
        } row: {
            $0.long(at: 0)
        } ?? 0
    }
}

extension KeyStore {
    /// Makes the store, with a table for tombstones if it is a collection's; nothing if the file
    /// has it already.
    ///
    /// Throws `.invalidParameter` for a name that no store can have, or whose tables' names are
    /// taken.
    public func create(in transaction: Transaction) throws {
        try transaction.wrapping(name) {
            let session = try transaction.writing()
            guard try session.storeTables(name) == nil else { return }
            try StoreSchema.create(name, in: session.context)
            session.forgetSchema(of: name)
        }
    }
}

extension Snapshot {
    /// Whether tombstones may still lie among the live records of the default collection.
    func hasUnmovedTombstones() throws -> Bool {
        try KeyStore(.default).exists(in: self)
            && KeyStore(.default).tables(in: self).mayHaveLiveTombstones(in: self)
    }
}

extension Transaction {
    /// Moves tombstones that files of before 3.1 keep among the live records of the default
    /// collection to a table of their own, as far as they are among the next rows.
    ///
    /// The engine does it by itself, in small steps, unless `DataFileOptions.maintenance` is
    /// false.
    ///
    /// - Parameter rows: how many rows are looked at.
    /// - Returns: whether all have been moved.
    public func moveTombstones(rows: Int = 10_000) throws -> Bool {
        let session = try writing()
        guard try hasUnmovedTombstones() else { return true }
        let tables = try KeyStore(.default).tables(in: self)
        defer {
            tables.hasTombstones = nil
            tables.mayHaveLiveTombstones = nil
        }
        return try TombstoneMigration.step(in: session.context, rows: rows)
    }
}

extension KeyStore {
    /// Sets flags of a record whose latest change is the one of this sequence; its subsequence
    /// grows by one.
    ///
    /// - Returns: whether there was such a record.
    ///
    /// Throws `.invalidParameter` for `.deleted`, which is more than a flag: `put` does that.
    public func setFlags(
        _ flags: DocumentFlags, of key: String, sequence: Int64, in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            guard !flags.contains(.deleted) else {
                throw StoreError(
                    .invalidParameter,
                    "the flag \"deleted\" of \"\(key)\" is set by an update that deletes the record"
                )
            }
            let session = try transaction.writing()
            let tables = try tables(in: transaction)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                let statement = try tables.statement(.setFlags, tombstones: isTombstone, in: session) {
                    """
                    UPDATE \($0.name) SET flags=((ifnull(flags, 0) + 0x10000) | ?)
                    WHERE key=? AND ifnull(sequence, 0)=?
                    """
                }
                defer { statement.reset() }
                try statement.bind(Int64(flags.rawValue), at: 1)
                try statement.bind(key, at: 2)
                try statement.bind(sequence, at: 3)
                while try statement.next() {}
                if session.context.changes > 0 {
                    transaction.note(.metadata, key, sequence, tables)
                    return true
                }
            }
            return false
        }
    }
}

extension KeyStore {
    /// Moves a record that is alive into another store, where it gets a new sequence; its
    /// expiration goes along. In its old store it counts as purged.
    ///
    /// - Parameters:
    ///   - newKey: its key there; nil for the one it has.
    ///   - expectation: the state that it must be in; nil for any.
    /// - Returns: the sequence that it has got; `.conflict` if it is not as expected, or the other
    ///   store has a record or tombstone of the key; nil if there is no such record, or it is a
    ///   tombstone.
    ///
    /// Throws `.notFound` if the file lacks one of the stores, `.invalidParameter` for a move
    /// within a store.
    public func move(
        _ key: String, to target: KeyStore, as newKey: String? = nil,
        expecting expectation: RecordUpdate.Expectation? = nil, in transaction: Transaction
    ) throws -> PutResult? {
        guard target != self else {
            throw StoreError(
                .invalidParameter, "\"\(key)\" cannot be moved into the store that it is in")
        }
        try requireNotOfEngine(key)
        guard let record = try get(key, in: transaction), !record.flags.contains(.deleted) else {
            return nil
        }
        if let expectation, expectation != .revision(of: record) { return .conflict }
        let update = RecordUpdate(
            newKey ?? key, version: record.version, body: record.body, extra: record.extra,
            flags: record.flags, expecting: .absent)
        // All of it or nothing, also if the caller goes on after an error.
        return try transaction.savepoint {
            let result = try target.put(update, in: transaction)
            guard case .saved = result else { return .conflict }
            if let expiration = record.expiration {
                try target.setExpiration(expiration, of: update.key, in: transaction)
            }
            try purge(key, in: transaction)
            return result
        }
    }
}
