internal import FleeceLite
public import StoreFormat

/// A collection of documents, by name.
///
/// A file has a default collection, and others that a program creates. The value only contains the
/// name: reading takes a ``Snapshot``, writing a ``Transaction``, so one value can be used with
/// several files, and stored in a constant:
///
/// ```swift
/// let people = try DocumentCollection(CollectionName("app.people"))
/// try file.write { transaction in
///     try people.create(in: transaction)
///     _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"name": "Ada"}"#) }
/// }
/// let ada = try file.read { try people.get("ada", in: $0) }
/// ```
///
/// To change a document, save a copy of what was read. If another writer has changed it since, the
/// result is a conflict, not a lost update:
///
/// ```swift
/// if var ada = try file.read({ try people.get("ada", in: $0) })?.mutableCopy() {
///     ada["age"] = 37
///     if case .conflict(let theirs) = try file.write({ try people.save(&ada, in: $0) }) {
///         show("someone else has saved", theirs?["age"]?.int ?? 0)
///     }
/// }
/// ```
///
/// Everything that belongs together goes into one transaction, also of several collections:
///
/// ```swift
/// try file.write { transaction in
///     _ = try people.delete("ada", in: transaction)
///     try orders.collection.forEach(in: transaction) { order in
///         guard try order.get()["customer"]?.string == "ada" else { return }
///         _ = try orders.collection.delete(order.get().id, in: transaction)
///     }
/// }
/// ```
///
/// A missing collection is an error when it is used: ``StoreError/Code/notFound``, which
/// ``create(in:)`` prevents. Documents that match a condition are found by a query, which is fast
/// with an index; see ``createIndex(_:in:progress:)``. For documents that are values of a `Codable`
/// type use ``TypedCollection``; for bytes without revisions a raw ``KeyStore``.
///
/// **Cost.** Getting or saving a document is one lookup by key. Enumerating reads the rows one by
/// one, in little memory. **Concurrency.** The value is `Sendable`; calls are as concurrent as
/// their snapshots and transactions.
public struct DocumentCollection: Hashable, Sendable {
    /// The collection's name.
    public let name: CollectionName

    /// The store of its records, for what a collection does not do: expiration, sequences, and
    /// observing changes.
    ///
    /// ```swift
    /// let tomorrow = Int64((Date().timeIntervalSince1970 + 86_400) * 1000)
    /// try file.write { try people.keyStore.setExpiration(tomorrow, of: "ada", in: $0) }
    /// ```
    public let keyStore: KeyStore

    /// Creates a reference to the collection of this name, which need not exist.
    ///
    /// ```swift
    /// let everyone = DocumentCollection(.default)
    /// let admins = try DocumentCollection(CollectionName("app.admins"))
    /// ```
    ///
    /// Costs nothing, and touches no file.
    public init(_ name: CollectionName) {
        self.name = name
        keyStore = KeyStore(name.keyStoreName)
    }

    /// Whether the collection exists in the file. The default collection always does.
    ///
    /// ```swift
    /// let isNew = try file.read { try !people.exists(in: $0) }
    /// ```
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from.
    public func exists(in snapshot: Snapshot) throws -> Bool {
        try keyStore.exists(in: snapshot)
    }

    /// Creates the collection, unless it exists.
    ///
    /// ```swift
    /// try file.write { try people.create(in: $0) }
    /// ```
    ///
    /// Calling it before each use is cheap. A ``CollectionMigrator`` creates collections once,
    /// together with their indexes.
    ///
    /// - Parameter transaction: the transaction to write in. If it is rolled back, the collection
    ///   does not exist.
    /// - Throws: ``StoreError/Code/invalidParameter`` if the schema contains other objects with the
    ///   names of its tables.
    public func create(in transaction: Transaction) throws {
        try keyStore.create(in: transaction)
    }

    /// Deletes the collection with its documents, indexes and history permanently, leaving no
    /// tombstones to replicate. The next `DataFile.compact` removes its blobs and returns its
    /// pages.
    ///
    /// ```swift
    /// let existed = try file.write { try people.delete(in: $0) }
    /// ```
    ///
    /// - Parameter transaction: the transaction to write in; a rollback restores everything.
    /// - Returns: whether the collection existed.
    /// - Throws: ``StoreError/Code/invalidParameter`` for the default collection, which every file
    ///   has.
    @discardableResult
    public func delete(in transaction: Transaction) throws -> Bool {
        try keyStore.delete(in: transaction)
    }

    /// Checks that the collection exists in the file.
    ///
    /// Throws `.notFound`.
    package func requireExistence(in snapshot: Snapshot) throws {
        _ = try tables(in: snapshot)
    }

    /// The tables of its records.
    ///
    /// Throws `.notFound` if the collection does not exist.
    @inline(__always)
    package func tables(in snapshot: Snapshot) throws -> StoreTables {
        let connection = try snapshot.connection()
        guard
            let tables = try snapshot.wrapping(
                keyStore.name, { try connection.storeTables(keyStore.name) })
        else { throw notFound(connection) }
        return tables
    }

    private func notFound(_ connection: Connection) -> StoreError {
        StoreError(.notFound, "\(connection.path) has no collection \(name)")
    }
}

extension DocumentCollection {
    /// Reads a document; nil if it does not exist or is deleted.
    ///
    /// ```swift
    /// let (ada, tombstone) = try file.read { snapshot in
    ///     (
    ///         try people.get("ada", in: snapshot),
    ///         try people.get("charles", includesDeleted: true, in: snapshot)
    ///     )
    /// }
    /// ```
    ///
    /// Costs one lookup by key, or two for a tombstone, and copies the body. The document is
    /// independent of the snapshot. For the sequence or the flags alone, `KeyStore.get` with the
    /// content `.metadata` does not read the body.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - includesDeleted: whether to return the tombstone of a deleted document; false by
    ///     default.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist;
    ///   ``StoreError/Code/corruptData`` or ``StoreError/Code/corruptRevisionData``, with the ID,
    ///   if the document is damaged.
    public func get(
        _ id: String, includesDeleted: Bool = false, in snapshot: Snapshot
    ) throws -> Document? {
        let document = try snapshot.wrapping(keyStore.name) {
            try tables(in: snapshot).withRow(id, .all, in: snapshot.connection()) {
                row, isTombstone in
                try Document.read(
                    row, key: id, isTombstone: isTombstone,
                    sharedKeys: snapshot.requireSharedKeys())
            }
        }
        guard let document, includesDeleted || !document.isDeleted else { return nil }
        return document
    }

    /// Counts the live documents and the tombstones.
    ///
    /// ```swift
    /// let (live, deleted) = try file.read { try people.count(in: $0) }
    /// ```
    ///
    /// Reads the smallest index that has all rows, not their bodies: about 30 ms for a million
    /// documents.
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        try requireExistence(in: snapshot)
        return try keyStore.count(in: snapshot)
    }

    /// Enumerates the rows of the documents, optionally without their bodies.
    ///
    /// ```swift
    /// let changed = try file.read { snapshot in
    ///     var options = RecordEnumerator.Options()
    ///     options.order = .sequence
    ///     options.content = .metadata
    ///     var ids: [String] = []
    ///     let records = try people.records(options, in: snapshot)
    ///     while let record = try records.next() { ids.append(record.key) }
    ///     return ids
    /// }
    /// ```
    ///
    /// Faster than ``forEach(_:in:_:)``, since it does not decode revisions, and can be stopped and
    /// continued.
    ///
    /// - Parameters:
    ///   - options: the order, the range, the content to read, and whether to include tombstones.
    ///   - snapshot: the snapshot or transaction to read from, and to use the enumerator in.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist.
    public func records(
        _ options: RecordEnumerator.Options, in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try requireExistence(in: snapshot)
        return try keyStore.records(options, in: snapshot)
    }

    /// Calls `body` with each document; a damaged one is passed as an error, and enumeration
    /// continues.
    ///
    /// ```swift
    /// try file.read { snapshot in
    ///     try people.forEach(in: snapshot) { result in
    ///         switch result {
    ///         case .success(let document): show(document.id, document["name"]?.string ?? "")
    ///         case .failure(let error): show("damaged", error.message)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Reads one row at a time, by key unless the options specify another order. Documents that are
    /// saved or deleted by `body` in the same transaction may or may not be visited. To select by
    /// contents, use a query.
    ///
    /// - Parameters:
    ///   - options: the order, the range, and whether to include tombstones; all live documents by
    ///     default. Bodies are always read; for keys and metadata alone use ``records(_:in:)``.
    ///   - snapshot: the snapshot or transaction to read from.
    ///   - body: an error that it throws ends the enumeration.
    /// - Throws: what `body` throws; ``StoreError/Code/notFound`` if the collection does not exist;
    ///   an error if the file's shared keys are damaged.
    public func forEach(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot,
        _ body: (Result<Document, StoreError>) throws -> Void
    ) throws {
        _ = try snapshot.requireSharedKeys()
        var options = options
        options.content = .all
        try records(options, in: snapshot).forEachRow { row in
            try body(Self.result(of: row, snapshot))
            return true
        }
    }

    private static func result(
        of row: borrowing RecordRow, _ snapshot: Snapshot
    ) throws -> Result<Document, StoreError> {
        do {
            return .success(try Document(row, sharedKeys: snapshot.sharedKeys))
        } catch let error as StoreError
            where error.has(.corruptData) || error.has(.corruptRevisionData)
        {
            return .failure(error)
        }
    }
}

extension DocumentCollection {
    /// Creates an index and fills it from the collection's documents; does nothing if the same
    /// index exists.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     try people.createIndex(.value("byAge", on: "age"), in: transaction)
    /// }
    /// ```
    ///
    /// An index of the same name with another definition is replaced. Afterwards SQLite and
    /// triggers on the collection's table keep it up to date. Queries use it by themselves.
    ///
    /// Reads all documents within the transaction, which blocks other writers meanwhile: about a
    /// microsecond for each with a value index.
    ///
    /// - Parameters:
    ///   - spec: the name, the kind and the expressions of the index.
    ///   - transaction: the transaction to write in.
    ///   - progress: called periodically on this thread while a statement runs, so it must not use
    ///     the transaction. Returning false ends the operation with `CancellationError`, and
    ///     nothing of the index is left. Nil by default.
    /// - Returns: whether an index was created.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist;
    ///   ``StoreError/Code/invalidQuery`` for expressions that cannot be indexed;
    ///   ``StoreError/Code/invalidParameter`` for an invalid name, or one that another index has.
    @discardableResult
    public func createIndex(
        _ spec: IndexSpec, in transaction: Transaction,
        progress: ((IndexProgress) -> Bool)? = nil
    ) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.createIndex(spec, in: transaction, progress: progress)
    }

    /// Deletes an index, with its tables unless another index uses them.
    ///
    /// ```swift
    /// try file.write { try people.deleteIndex("byAge", in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name that it was created with.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether the index existed.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist.
    @discardableResult
    public func deleteIndex(_ name: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.deleteIndex(name, in: transaction)
    }

    /// Rebuilds an index from the documents, for example because it was found to be wrong or was
    /// written with another platform's collation.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     for index in try people.indexes(in: transaction) where index.staleness != nil {
    ///         try people.rebuildIndex(index.name, in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// Costs as much as creating it, and blocks other writers meanwhile. `DataFile.reindex`
    /// rebuilds all indexes of the file.
    ///
    /// - Throws: ``StoreError/Code/notFound`` if the index does not exist;
    ///   ``StoreError/Code/unsupported`` for a vector index or one without a stored definition;
    ///   `CancellationError` if `progress` returns false.
    public func rebuildIndex(
        _ name: String, in transaction: Transaction, progress: ((IndexProgress) -> Bool)? = nil
    ) throws {
        try requireExistence(in: transaction)
        try keyStore.rebuildIndex(name, in: transaction, progress: progress)
    }

    /// The collection's indexes, sorted by name.
    ///
    /// - Parameter snapshot: the snapshot or transaction to read from.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist.
    public func indexes(in snapshot: Snapshot) throws -> [IndexInfo] {
        try requireExistence(in: snapshot)
        return try snapshot.indexes().filter { $0.keyStore == keyStore.name }
    }
}
