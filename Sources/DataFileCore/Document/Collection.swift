internal import FleeceLite

/// A collection of documents, by name.
///
/// ```swift
/// let people = Collection(.default)
/// let ada = try file.read { try people.get("ada", in: $0) }
/// ```
public struct Collection: Hashable, Sendable {
    /// The collection's name.
    public let name: CollectionName

    /// The store of its records.
    public let keyStore: KeyStore

    /// The collection of this name, whether or not it exists.
    public init(_ name: CollectionName) {
        self.name = name
        keyStore = KeyStore(name.keyStoreName)
    }

    /// Checks that the file has the collection.
    ///
    /// Throws `.notFound`.
    func requireExistence(in snapshot: Snapshot) throws {
        guard try keyStore.exists(in: snapshot) else {
            throw StoreError(
                .notFound, "\(try snapshot.session().path) has no collection \(name)")
        }
    }

    /// A document, also a deleted one; nil if there is none.
    ///
    /// Throws `.notFound` if there is no such collection, `.corruptData` or
    /// `.corruptRevisionData` if the document is damaged.
    public func get(_ id: String, in snapshot: Snapshot) throws -> Document? {
        try requireExistence(in: snapshot)
        return try keyStore.get(id, in: snapshot).map {
            try Document($0, sharedKeys: snapshot.sharedKeys)
        }
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
        var options = options
        options.content = .all
        let records = try records(options, in: snapshot)
        while let record = try records.next() {
            do {
                try body(.success(Document(record, sharedKeys: snapshot.sharedKeys)))
            } catch let error as StoreError
                where error.has(.corruptData)
                || error.has(.corruptRevisionData)
            {
                try body(.failure(error))
            }
        }
    }
}
