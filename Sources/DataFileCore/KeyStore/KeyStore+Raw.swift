internal import SQLCore
internal import StoreFormat

/// A record of a raw store: bytes with a key, without a sequence or history.
///
/// Raw stores hold metadata about a file, such as an application's settings or a replicator's
/// checkpoints. Their records are not documents: queries, indexes and replication do not see them.
/// What the bytes mean is up to the caller.
///
/// ```swift
/// let settings = KeyStore(KeyStoreName("settings"))
/// try file.write { transaction in
///     try settings.putRaw(RawRecord(body: Array("dark".utf8)), for: "theme", in: transaction)
/// }
/// let theme = try file.read { try settings.getRaw("theme", in: $0) }
/// show(theme.map { String(decoding: $0.body, as: UTF8.self) } ?? "light")
/// ```
///
/// See ``KeyStore/getRaw(_:in:)`` and ``KeyStore/putRaw(_:for:in:)``.
public struct RawRecord: Sendable, Hashable {
    /// Bytes that describe the body, such as a format or a checksum; often empty, which is stored
    /// as `NULL`.
    public var version: [UInt8]
    /// The content: any bytes. It is neither compressed nor, in a plaintext file, encrypted.
    public var body: [UInt8]

    /// Creates a record. It is stored by ``KeyStore/putRaw(_:for:in:)``.
    ///
    /// - Parameters:
    ///   - version: bytes that describe the body; empty by default.
    ///   - body: the content.
    public init(version: [UInt8] = [], body: [UInt8]) {
        self.version = version
        self.body = body
    }
}

// Raw stores hold metadata, not documents: `info`, `checkpoints` and those of applications.
extension KeyStore {
    /// Reads the record with a key in a raw store.
    ///
    /// Costs one lookup by key, and copies the bytes. A missing store is the same as a missing
    /// record, so that a reader need not know whether anything was ever written.
    ///
    /// ```swift
    /// let checkpoints = KeyStore(KeyStoreName("checkpoints"))
    /// let checkpoint = try file.read { try checkpoints.getRaw("server-1", in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key, compared by its bytes.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Returns: the record; nil if the record or the store is missing.
    public func getRaw(_ key: String, in snapshot: Snapshot) throws -> RawRecord? {
        try snapshot.wrapping(name) {
            let connection = try snapshot.connection()
            guard let tables = try connection.storeTables(name) else { return nil }
            let statement = try tables.statement(.getAll, in: connection) {
                RecordColumns.select($0, .all, "key=?")
            }
            defer { statement.reset() }
            try statement.bind(key, at: 1)
            guard try statement.next() else { return nil }
            return RawRecord(
                version: [UInt8](statement.bytes(at: 3)), body: statement.byteArray(at: 5) ?? [])
        }
    }

    /// Writes the record with a key in a raw store, or removes it.
    ///
    /// Replaces an existing record, whatever it contains: there is no expectation and no conflict.
    /// Creates the store if it does not exist.
    ///
    /// ```swift
    /// let checkpoints = KeyStore(KeyStoreName("checkpoints"))
    /// try file.write { transaction in
    ///     try checkpoints.putRaw(RawRecord(body: bytes), for: "server-1", in: transaction)
    ///     try checkpoints.putRaw(nil, for: "server-2", in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - record: the record; nil to remove it.
    ///   - key: the key: not empty, and without U+0000.
    ///   - transaction: the transaction to write in.
    /// - Throws: ``StoreError/Code/invalidParameter`` for the store of a collection, whose records
    ///   have a history; for an invalid name of a store or key; and for the engine's own records in
    ///   `info`.
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
            let connection = try transaction.writing()
            // Values of this store may have been cached.
            if name == .info { connection.noteWrittenInfo() }
            let tables = try tables(in: transaction)
            guard let record else {
                if try tables.remove(key, tombstones: false, in: connection) {
                    transaction.note(.purged, key, 0, tables)
                }
                return
            }
            let statement = try tables.statement(.putRaw, in: connection) {
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

    /// Protects the engine's own records, without which it could not read the others.
    ///
    /// Throws `.invalidParameter` for one of them.
    func requireNotOfEngine(_ key: String) throws {
        guard name != .info || !InfoKey.all.contains(key) else {
            throw StoreError(
                .invalidParameter, "the record \(key) of the store info belongs to the engine")
        }
    }
}
