internal import FleeceLite
public import StoreFormat

/// A collection of documents, by name.
///
/// ```swift
/// let people = DocumentCollection(.default)
/// let ada = try file.read { try people.get("ada", in: $0) }
/// ```
/// It holds nothing but the name: reading and writing take a `Snapshot` or a `Transaction`.
public struct DocumentCollection: Hashable, Sendable {
    /// The collection's name.
    public let name: CollectionName

    /// The store of its records.
    public let keyStore: KeyStore

    /// The collection of this name, whether or not it exists.
    public init(_ name: CollectionName) {
        self.name = name
        keyStore = KeyStore(name.keyStoreName)
    }

    /// Whether the file has the collection.
    public func exists(in snapshot: Snapshot) throws -> Bool {
        try keyStore.exists(in: snapshot)
    }

    /// Makes the collection; nothing if the file has it already.
    public func create(in transaction: Transaction) throws {
        try keyStore.create(in: transaction)
    }

    /// Deletes the collection with its documents and their history, permanently that
    /// replication could pass on. Its blobs go with the next `compact()`.
    ///
    /// - Returns: whether there was such a collection.
    ///
    /// Throws `.invalidParameter` for the default collection, which every file has.
    @discardableResult
    public func delete(in transaction: Transaction) throws -> Bool {
        try keyStore.delete(in: transaction)
    }

    /// Checks that the file has the collection.
    ///
    /// Throws `.notFound`.
    package func requireExistence(in snapshot: Snapshot) throws {
        _ = try tables(in: snapshot)
    }

    /// The tables of its records.
    ///
    /// Throws `.notFound` if the file does not have the collection.
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
    /// A document; nil if there is none, or it is deleted.
    ///
    /// - Parameter includesDeleted: a deleted one comes, too, as the tombstone that it is.
    ///
    /// Throws `.notFound` if there is no such collection, `.corruptData` or
    /// `.corruptRevisionData` if the document is damaged.
    public func get(
        _ id: String, includesDeleted: Bool = false, in snapshot: Snapshot
    ) throws -> Document? {
        let tables = try tables(in: snapshot)
        let document = try keyStore.withRow(id, .all, of: tables, in: snapshot) { row, isTombstone in
            try Document.read(
                row, key: id, isTombstone: isTombstone, sharedKeys: snapshot.requireSharedKeys())
        }
        guard let document, includesDeleted || !document.isDeleted else { return nil }
        return document
    }

    /// How many documents are alive, and how many are tombstones.
    public func count(in snapshot: Snapshot) throws -> (live: Int, deleted: Int) {
        try requireExistence(in: snapshot)
        return try keyStore.count(in: snapshot)
    }

    /// The rows of the documents, which may be read without their bodies.
    public func records(
        _ options: RecordEnumerator.Options, in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try requireExistence(in: snapshot)
        return try keyStore.records(options, in: snapshot)
    }

    /// Walks through the documents; a damaged one comes as its error, and the walk goes on.
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
    /// Makes an index, and fills it with what the collection has; nothing if there is the same one.
    ///
    /// An index of the same name and another definition is created again. SQLite, and triggers of the
    /// collection's table, keep it current from then on.
    ///
    /// Costs a pass over all documents, in the transaction: nobody else writes meanwhile.
    ///
    /// - Parameter progress: called every now and then, on this thread, in the middle of a
    ///   statement: the transaction cannot be used in it. False ends the making with a
    ///   `CancellationError`, and nothing of it is left.
    /// - Returns: whether anything was made.
    ///
    /// Throws `.notFound` if there is no such collection; `.invalidQuery` for expressions that
    /// have no meaning in an index; `.invalidParameter` for a name that another index has, or that
    /// cannot be one.
    @discardableResult
    public func createIndex(
        _ spec: IndexSpec, in transaction: Transaction,
        progress: ((IndexProgress) -> Bool)? = nil
    ) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.createIndex(spec, in: transaction, progress: progress)
    }

    /// Deletes an index, with the tables that no other index uses.
    ///
    /// - Returns: whether the collection had such an index.
    @discardableResult
    public func deleteIndex(_ name: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.deleteIndex(name, in: transaction)
    }

    /// Makes an index again from the documents, for one that has been found wrong or that was
    /// written with another platform's collation.
    ///
    /// Throws `.notFound` if the collection has no such index, `.unsupported` for one of vectors
    /// or whose definition the file does not say, `CancellationError` if `progress` is false.
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
