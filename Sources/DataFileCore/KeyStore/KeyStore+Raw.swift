internal import SQLCore
internal import StoreFormat

/// A record of a raw store: bytes under a key, without sequence or history.
public struct RawRecord: Sendable, Hashable {
    /// Bytes that say what the body is; often empty.
    public var version: [UInt8]
    /// The bytes.
    public var body: [UInt8]

    /// A record of these bytes.
    public init(version: [UInt8] = [], body: [UInt8]) {
        self.version = version
        self.body = body
    }
}

// Raw stores are `info`, `checkpoints` and those of one's own: metadata, not documents.
extension KeyStore {
    /// The bytes of a key in a raw store; nil if there are none, or no such store.
    public func getRaw(_ key: String, in snapshot: Snapshot) throws -> RawRecord? {
        try snapshot.wrapping(name) {
            let session = try snapshot.session()
            guard let tables = try session.storeTables(name) else { return nil }
            let statement = try tables.statement(.getAll, in: session) {
                RecordColumns.select($0, .all, "key=?")
            }
            defer { statement.reset() }
            try statement.bind(key, at: 1)
            guard try statement.next() else { return nil }
            return RawRecord(
                version: [UInt8](statement.bytes(at: 3)), body: statement.byteArray(at: 5) ?? [])
        }
    }

    /// Writes the bytes of a key in a raw store, which is made if there is none; nil removes them.
    ///
    /// Throws `.invalidParameter` for the store of a collection, whose records have a history, for
    /// a name that cannot be a store's, and for what the engine itself keeps in `info`.
    public func putRaw(
        _ record: RawRecord?, for key: String, in transaction: Transaction
    ) throws {
        try transaction.wrapping(name) {
            try requireOwnRecord(key)
            try Self.requireKey(key)
            if try transaction.writing().storeTables(name) == nil {
                if record == nil { return }
                try create(in: transaction)
            }
            let session = try transaction.writing()
            // What it holds may be known already.
            if name == .info { session.forgetInfo() }
            let tables = try tables(in: transaction)
            guard let record else {
                if try tables.remove(key, tombstones: false, in: session) {
                    transaction.note(.purged, key, 0, tables)
                }
                return
            }
            let statement = try tables.statement(.putRaw, in: session) {
                "INSERT OR REPLACE INTO \($0.name) (key, version, body) VALUES (?, ?, ?)"
            }
            defer { statement.reset() }
            try statement.bind(key, at: 1)
            if record.version.isEmpty {
                try statement.bindNull(at: 2)
            } else {
                try record.version.withUnsafeBytes { try statement.bind($0, at: 2) }
            }
            try record.body.withUnsafeBytes { try statement.bind($0, at: 3) }
            while try statement.next() {}
            transaction.note(.saved, key, 0, tables)
        }
    }

    private func requireOwnRecord(_ key: String) throws {
        guard !name.isCollection else {
            throw StoreError(
                .invalidParameter,
                "\(name.rawName) is the store of a collection: its records are written by put")
        }
        try requireNotOfEngine(key)
    }

    /// Without its own records the engine could not read the others.
    ///
    /// Throws `.invalidParameter` for one of them.
    func requireNotOfEngine(_ key: String) throws {
        guard name != .info || !InfoKey.all.contains(key) else {
            throw StoreError(
                .invalidParameter, "the record \(key) of the store info belongs to the engine")
        }
    }
}
