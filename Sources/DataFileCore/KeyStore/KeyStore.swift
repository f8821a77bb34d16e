internal import SQLCore
public import StoreFormat

/// A named table of records in a data file, with a second table for tombstones.
///
/// A store is the layer below a ``DocumentCollection``: its records are bytes with a key, a
/// sequence and flags, and it neither decodes bodies nor creates revisions. Each collection has one
/// store (``DocumentCollection/keyStore``); raw stores, such as ``KeyStoreName/info`` and those of
/// applications, hold metadata. Use a store to enumerate records without decoding them, to follow
/// changes by sequence, to set expirations, and for an application's own metadata. To read and save
/// documents, use the collection.
///
/// The value contains only the name, so that it costs nothing to create and can be used with
/// several files and on any thread. Reading takes a ``Snapshot``, writing a ``Transaction``.
///
/// ```swift
/// let store = KeyStore(.default)
/// let (live, deleted) = try file.read { try store.count(in: $0) }
/// show("\(live) documents, \(deleted) tombstones")
/// ```
///
/// The sequence is a number that each change of the store increments. A reader that remembers the
/// last one that it has processed finds all later changes:
///
/// ```swift
/// func process(since sequence: Int64) throws -> Int64 {
///     try file.read { snapshot in
///         let last = try people.keyStore.lastSequence(in: snapshot)
///         var options = RecordEnumerator.Options()
///         options.sequences = (sequence + 1)...max(last, sequence + 1)
///         options.includesDeleted = true
///         options.content = .metadata
///         try people.keyStore.records(options, in: snapshot).forEachRow { row in
///             show(row.key, row.flags.contains(.deleted))
///             return true
///         }
///         return last
///     }
/// }
/// ```
///
/// Except for ``exists(in:)``, ``create(in:)``, ``delete(in:)`` and the functions for raw records,
/// all functions throw ``StoreError/Code/notFound`` if the file does not have the store. All throw
/// ``StoreError/Code/notInTransaction`` after the end of the snapshot or transaction, and
/// ``StoreError/Code/corruptData`` or ``StoreError/Code/inputOutput`` if SQLite cannot read or
/// write the file.
///
/// See ``RecordEnumerator``, ``RecordUpdate``, and ``DataFile/changes(of:since:)`` to observe a
/// store.
public struct KeyStore: Hashable, Sendable {
    /// The store's name. It determines the names of its tables, and whether it belongs to a
    /// collection; see ``KeyStoreName/isCollection``.
    public let name: KeyStoreName

    /// Creates a reference to the store with this name, whether or not it exists.
    ///
    /// ```swift
    /// let documents = KeyStore(.default)
    /// let employees = KeyStore(try CollectionName("hr.employees").keyStoreName)
    /// let settings = KeyStore(KeyStoreName("settings"))
    /// ```
    ///
    /// - Parameter name: the name, which is checked only by ``create(in:)``. That of a collection
    ///   begins with a dot, except for the default collection; any other name is that of a raw
    ///   store.
    public init(_ name: KeyStoreName) {
        self.name = name
    }

    /// Whether the store exists in the file.
    ///
    /// The schema is read once per connection and schema change, so that repeated calls cost a
    /// lookup in memory.
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from; in a transaction, a store
    ///   that it has created exists.
    public func exists(in snapshot: Snapshot) throws -> Bool {
        try snapshot.wrapping(name) {
            try snapshot.connection().storeTables(name) != nil
        }
    }

    /// The store's tables.
    ///
    /// Throws `.notFound` if the file does not have this store.
    @inline(__always)
    package func tables(in snapshot: Snapshot) throws -> StoreTables {
        let connection = try snapshot.connection()
        guard let tables = try connection.storeTables(name) else { throw notFound(connection) }
        return tables
    }

    private func notFound(_ connection: Connection) -> StoreError {
        StoreError(.notFound, "\(connection.path) has no store named \(name.rawName)")
    }
}

extension KeyStore {
    /// The sequence of the store's latest change, live or deleted; 0 if nothing was ever written,
    /// and in raw stores.
    ///
    /// Files of other programs may have an outdated value in `kvmeta`, so this also reads the
    /// highest sequence of the rows: once per open file, through the index on sequences if it
    /// exists, otherwise by scanning the store.
    ///
    /// ```swift
    /// let position = try file.read { try people.keyStore.lastSequence(in: $0) }
    /// let later = try file.changes(of: people.keyStore, since: position)
    /// ```
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from; a transaction includes its
    ///   own changes.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func lastSequence(in snapshot: Snapshot) throws -> Int64 {
        try snapshot.wrapping(name) {
            try snapshot.lastSequence(tables(in: snapshot))
        }
    }

    /// The number of records and tombstones that have been purged from the store, explicitly or
    /// because they expired.
    ///
    /// A purge leaves nothing that an enumeration by sequence could find. If the number has changed
    /// since a reader's last visit, records have disappeared, and the reader has to compare all
    /// keys with its own copy.
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from; a transaction includes its
    ///   own purges.
    /// - Returns: the number since the file was created; only later purges in a file that was
    ///   created before Couchbase Lite 2.7, which did not count them.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func purgeCount(in snapshot: Snapshot) throws -> Int64 {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let stored = try tables.rows.storedPurges ?? readPurges(snapshot.connection())
            tables.rows.storedPurges = stored
            return tables.rows.purges.added(to: stored)
        }
    }

    private func readPurges(_ connection: Connection) throws -> Int64 {
        // Files from before Couchbase Lite 2.7 do not count purges.
        guard try connection.context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == true else {
            return 0
        }
        return try connection.first(SchemaSQL.purgeCount) {
            try $0.bind(name.rawName, at: 1)
            try $0.bind(name.tombstoneStoreName, at: 2)
        } row: {
            $0.long(at: 0)
        } ?? 0
    }
}

extension KeyStore {
    /// Creates the store, with a tombstone table if it belongs to a collection. Does nothing if it
    /// exists.
    ///
    /// ```swift
    /// let settings = KeyStore(KeyStoreName("settings"))
    /// try file.write { try settings.create(in: $0) }
    /// ```
    ///
    /// - Parameter transaction: the transaction to write in. If it is rolled back, the store does
    ///   not exist.
    /// - Throws: ``StoreError/Code/invalidParameter`` if the name is empty, contains a colon, a
    ///   backslash or U+0000, or looks like that of a tombstone table, or if other objects of the
    ///   schema have the names of its tables.
    public func create(in transaction: Transaction) throws {
        try transaction.wrapping(name) {
            let connection = try transaction.writing()
            guard try connection.storeTables(name) == nil else { return }
            try StoreSchema.create(name, in: connection.context)
        }
    }
}

extension Snapshot {
    /// Whether the live table of the default collection may still contain tombstones.
    func hasUnmovedTombstones() throws -> Bool {
        try KeyStore(.default).exists(in: self)
            && KeyStore(.default).tables(in: self).mayHaveLiveTombstones(in: self)
    }
}

extension Transaction {
    /// Moves tombstones of the default collection from the live table to the tombstone table.
    ///
    /// Files from before Couchbase Lite 3.1 store them in the live table, which makes counting and
    /// enumerating slower. Maintenance moves them in small steps, unless
    /// ``DataFileOptions/maintenance`` is off; then call this repeatedly, each time in a
    /// transaction of its own, so that other writers wait for one step only:
    ///
    /// ```swift
    /// while try !file.write({ try $0.moveTombstones(rows: 1000) }) {
    ///     Thread.sleep(forTimeInterval: 0.01)
    /// }
    /// ```
    ///
    /// Sequences, revisions and expirations do not change, and observers are not notified.
    ///
    /// - Parameter rows: the maximum number of rows to examine in this call.
    /// - Returns: whether all tombstones have been moved; true at once in files of newer versions.
    public func moveTombstones(rows: Int = 10_000) throws -> Bool {
        let connection = try writing()
        guard try hasUnmovedTombstones() else { return true }
        let tables = try KeyStore(.default).tables(in: self)
        defer {
            tables.rows.hasTombstones = nil
            tables.rows.mayHaveLiveTombstones = nil
        }
        return try TombstoneMigration.step(in: connection.context, rows: rows)
    }
}

extension KeyStore {
    /// Adds flags to a record and increments its subsequence.
    ///
    /// The record keeps its sequence, so it is not a change that a reader by sequence finds;
    /// observers receive it as ``RecordChange/Kind-swift.enum/metadata``. Flags that the record has
    /// already are not removed.
    ///
    /// ```swift
    /// let isMarked = try file.write { transaction in
    ///     guard let record = try store.get(id, content: .metadata, in: transaction) else {
    ///         return false
    ///     }
    ///     return try store.setFlags(.synced, of: id, sequence: record.sequence, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - flags: the flags to add.
    ///   - key: the record's key.
    ///   - sequence: the sequence that the record must have, so that a change that was made since
    ///     it was read is not marked.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether a record with this key and sequence exists.
    /// - Throws: ``StoreError/Code/invalidParameter`` for `.deleted`: use ``put(_:in:)`` to delete
    ///   a record.
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
            let connection = try transaction.writing()
            let tables = try tables(in: transaction)
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                let statement = try tables.statement(
                    .setFlags, tombstones: isTombstone, in: connection
                ) {
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
                if connection.context.changes > 0 {
                    transaction.note(.metadata, key, sequence, tables)
                    return true
                }
            }
            return false
        }
    }
}

extension KeyStore {
    /// Moves a live record to another store, where it gets a new sequence.
    ///
    /// Version, body, flags and expiration move with it. In the old store the move counts as a
    /// purge, so no tombstone remains there. The move is one savepoint: if it throws, both stores
    /// are as before.
    ///
    /// ```swift
    /// let archive = DocumentCollection(try CollectionName("archive"))
    /// let result = try file.write { transaction in
    ///     try archive.create(in: transaction)
    ///     return try people.keyStore.move(id, to: archive.keyStore, in: transaction)
    /// }
    /// if case .saved(let sequence, _) = result { show("archived as change \(sequence)") }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the record's key.
    ///   - target: the other store, which must exist.
    ///   - newKey: the key in the other store; nil to keep the key.
    ///   - expectation: the required state of the record; nil for any state.
    ///   - transaction: the transaction to write in.
    /// - Returns: the new sequence; ``PutResult/conflict`` if the state is not as expected, or if
    ///   the other store has a record or tombstone with the key; nil if the record does not exist
    ///   or is a tombstone.
    /// - Throws: ``StoreError/Code/notFound`` if one of the stores does not exist;
    ///   ``StoreError/Code/invalidParameter`` for a move within a store.
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
        // All of it or nothing, even if the caller catches an error and continues.
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
