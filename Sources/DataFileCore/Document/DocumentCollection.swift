internal import FleeceLite
public import StoreFormat

/// A collection of documents, by name.
///
/// ```swift
/// let people = DocumentCollection(.default)
/// let ada = try file.read { try people.get("ada", in: $0) }
/// ```
/// It only contains the name: reading and writing take a ``Snapshot`` or a ``Transaction``, so one
/// value can be used with several files. A missing collection is an error when it is used; see
/// ``create(in:)``. For documents that are values of a Codable type use ``TypedCollection``.
public struct DocumentCollection: Hashable, Sendable {
    /// The collection's name.
    public let name: CollectionName

    /// The store of its records.
    public let keyStore: KeyStore

    /// Creates a reference to the collection of this name, which need not exist.
    public init(_ name: CollectionName) {
        self.name = name
        keyStore = KeyStore(name.keyStoreName)
    }

    /// Whether the collection exists in the file.
    public func exists(in snapshot: Snapshot) throws -> Bool {
        try keyStore.exists(in: snapshot)
    }

    /// Creates the collection, unless it exists.
    public func create(in transaction: Transaction) throws {
        try keyStore.create(in: transaction)
    }

    /// Deletes the collection with its documents and their history permanently, leaving no
    /// tombstones to replicate. The next `compact()` removes its blobs.
    ///
    /// - Returns: whether the collection existed.
    ///
    /// Throws `.invalidParameter` for the default collection, which every file has.
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
        let session = try snapshot.session()
        guard
            let tables = try snapshot.wrapping(
                keyStore.name, { try session.storeTables(keyStore.name) })
        else { throw notFound(session) }
        return tables
    }

    private func notFound(_ session: Session) -> StoreError {
        StoreError(.notFound, "\(session.path) has no collection \(name)")
    }
}

extension DocumentCollection {
    /// Reads a document; nil if it does not exist or is deleted.
    ///
    /// Costs one lookup by key, and copies the body. The document is independent of the snapshot.
    ///
    /// - Parameters:
    ///   - id: the document's id.
    ///   - includesDeleted: whether to return the tombstone of a deleted document.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Throws: `.notFound` if the collection does not exist; `.corruptData` or
    ///   `.corruptRevisionData`, with the id, if the document is damaged.
    public func get(
        _ id: String, includesDeleted: Bool = false, in snapshot: Snapshot
    ) throws -> Document? {
        let tables = try tables(in: snapshot)
        let document = try keyStore.withRow(id, .all, of: tables, in: snapshot) {
            row, isTombstone in
            try Document.read(
                row, key: id, isTombstone: isTombstone, sharedKeys: snapshot.requireSharedKeys())
        }
        guard let document, includesDeleted || !document.isDeleted else { return nil }
        return document
    }

    /// Counts the live documents and the tombstones.
    ///
    /// - Throws: `.notFound` if the collection does not exist.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        try requireExistence(in: snapshot)
        return try keyStore.count(in: snapshot)
    }

    /// Enumerates the rows of the documents, optionally without their bodies.
    ///
    /// - Parameters:
    ///   - options: the order, the range, the content to read, and whether to include tombstones.
    ///   - snapshot: the snapshot or transaction to read from, and to use the enumerator in.
    /// - Throws: `.notFound` if the collection does not exist.
    public func records(
        _ options: RecordEnumerator.Options, in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try requireExistence(in: snapshot)
        return try keyStore.records(options, in: snapshot)
    }

    /// Calls `body` with each document; a damaged one is passed as an error, and enumeration
    /// continues.
    ///
    /// - Parameters:
    ///   - options: the order, the range, and whether to include tombstones. Bodies are always
    ///     read; for keys and metadata alone use ``records(_:in:)``, which is faster.
    ///   - snapshot: the snapshot or transaction to read from.
    ///   - body: an error that it throws ends the enumeration.
    /// - Throws: what `body` throws; `.notFound` if the collection does not exist; an error if the
    ///   file's shared keys are damaged.
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
    /// An index of the same name with another definition is replaced. Afterwards SQLite and
    /// triggers on the collection's table keep it up to date.
    ///
    /// Reads all documents within the transaction, which blocks other writers meanwhile.
    ///
    /// - Parameter progress: called periodically on this thread while a statement runs, so it must
    ///   not use the transaction. Returning false ends the operation with `CancellationError`, and
    ///   nothing of the index is left.
    /// - Returns: whether an index was created.
    ///
    /// Throws `.notFound` if the collection does not exist; `.invalidQuery` for expressions that
    /// cannot be indexed; `.invalidParameter` for an invalid name, or one that another index has.
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
    /// - Returns: whether the index existed.
    @discardableResult
    public func deleteIndex(_ name: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.deleteIndex(name, in: transaction)
    }

    /// Rebuilds an index from the documents, for example because it was found to be wrong or was
    /// written with another platform's collation.
    ///
    /// Throws `.notFound` if the index does not exist, `.unsupported` for a vector index or one
    /// without a stored definition, `CancellationError` if `progress` returns false.
    public func rebuildIndex(
        _ name: String, in transaction: Transaction, progress: ((IndexProgress) -> Bool)? = nil
    ) throws {
        try requireExistence(in: transaction)
        try keyStore.rebuildIndex(name, in: transaction, progress: progress)
    }

    /// The collection's indexes, sorted by name.
    public func indexes(in snapshot: Snapshot) throws -> [IndexInfo] {
        try requireExistence(in: snapshot)
        return try snapshot.indexes().filter { $0.keyStore == keyStore.name }
    }
}
