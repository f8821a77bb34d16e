public import DataFileCore
public import FleeceLite

/// A collection to replicate, and how.
///
/// ```swift
/// let orders = ReplicatedCollection(
///     DocumentCollection(try CollectionName("orders")), direction: .push,
///     pushFilter: { $0["state"]?.string == "done" })
/// ```
public struct ReplicatedCollection: Sendable {
    /// Which changes are transferred.
    public enum Direction: String, Sendable, CaseIterable {
        /// Those of the file.
        case push
        /// Those of the remote.
        case pull
        /// Both.
        case both
    }

    /// A test of revisions. If it throws, the document is rejected, and tested again by the next
    /// replication.
    public typealias Filter = @Sendable (ReplicatedRevision) throws -> Bool

    /// The collection; the remote has one of the same name.
    public var collection: DocumentCollection
    /// The direction; both by default.
    public var direction: Direction
    /// The IDs of the documents to replicate, compared by their bytes; nil (default) for all.
    public var documentIDs: [String]? { didSet { exactIDs = Self.exact(documentIDs) } }
    /// Whether a revision is pushed; nil (default) for all.
    ///
    /// A deletion is pushed without a test if the remote has the document.
    public var pushFilter: Filter?
    /// Whether a revision of the remote is accepted; nil (default) for all. Deletions of documents
    /// that the file has are accepted without a test.
    public var pullFilter: Filter?
    /// Identifies the filters: a replication with other ones begins again, since documents that
    /// were left out must be tested again. Closures cannot be compared, so change it with them.
    public var filterName: String
    /// How conflicts are resolved; the last writer wins by default.
    public var resolver: ConflictResolver

    /// Creates the settings of a collection.
    public init(
        _ collection: DocumentCollection, direction: Direction = .both,
        documentIDs: [String]? = nil, pushFilter: Filter? = nil, pullFilter: Filter? = nil,
        filterName: String = "", resolver: ConflictResolver = .lastWriterWins
    ) {
        self.collection = collection
        self.direction = direction
        self.documentIDs = documentIDs
        exactIDs = Self.exact(documentIDs)
        self.pushFilter = pushFilter
        self.pullFilter = pullFilter
        self.filterName = filterName
        self.resolver = resolver
    }

    /// The same as ``documentIDs``. Strings of Swift are equal if they are equivalent in Unicode.
    private(set) var exactIDs: Set<ExactString>?

    private static func exact(_ ids: [String]?) -> Set<ExactString>? {
        ids.map { Set($0.map { ExactString($0) }) }
    }

    /// Whether a document is one of ``documentIDs``.
    package func includes(_ id: String) -> Bool { exactIDs?.contains(ExactString(id)) ?? true }

    package var pushes: Bool { direction != .pull }
    package var pulls: Bool { direction != .push }
}

/// A revision that a filter tests.
public struct ReplicatedRevision: Sendable {
    /// The document's ID.
    public let id: String
    /// Whether the revision deletes the document.
    public let isDeleted: Bool
    /// Its properties; nil if there are none.
    public let properties: FleeceDictionary?

    /// The value of a property; nil if it is missing.
    public subscript(key: String) -> FleeceValue? { properties?[key] }
}
