public import StoreFormat
public import VectorIndex

/// The description of an index in the file's registry.
///
/// ``Snapshot/indexes()`` lists the indexes of a file, ``DocumentCollection/indexes(in:)`` those of
/// a collection, whichever program has created them:
///
/// ```swift
/// for index in try file.read({ try people.indexes(in: $0) }) {
///     show(index.name, index.kind.map { "\($0)" } ?? "unknown", index.expressions?.text ?? "")
/// }
/// ```
///
/// It describes what is registered, and does not check that the index is complete:
/// `DataFile.integrityCheck` compares value indexes with the documents, `DataFile.verify` of the
/// product StoreTools all kinds. To define an index, use ``IndexSpec``.
public struct IndexInfo: Sendable {
    /// The kind of an index. The raw values are those in the file.
    public enum Kind: Int, Sendable {
        /// Indexes the values of expressions.
        case value = 0
        /// Indexes the words of strings.
        case fullText = 1
        /// Indexes the elements of an array.
        case array = 2
        /// Indexes the results of a model.
        case predictive = 3
        /// Finds the nearest vectors. One of Couchbase's vector search extension, which only that
        /// can maintain, has no ``IndexInfo/vectorOptions``; see
        /// ``IndexInfo/Staleness-swift.enum/foreign``.
        case vector = 4
    }

    /// The name, unique in the file.
    public let name: String
    /// The kind; nil if the file has an unknown number.
    public let kind: Kind?
    /// The KeyStore that is indexed. `CollectionName(index.keyStore)` is the collection.
    public let keyStore: KeyStoreName
    /// The indexed expressions; nil in files from before Couchbase Lite 2.5, which do not record
    /// them.
    public let expressions: IndexExpressions?
    /// The condition of a partial index, in the language of the expressions; nil if all documents
    /// are in the index.
    public let condition: String?
    /// For an array index, the path of the array, such as `contacts[].phones`; nil for other kinds.
    public let arrayPath: String?
    /// The options of a vector index; nil for other kinds, and for one of another program.
    public let vectorOptions: VectorIndexOptions?
    /// The tables of a vector index: of changed documents, of copies of the vectors, of cells, and
    /// of their entries. Empty for other kinds.
    package let vectorTables: [String]
    /// Why the index may be incorrect; nil if no reason is known.
    public let staleness: Staleness?

    /// The reason why an index may be incorrect.
    ///
    /// ```swift
    /// let indexes = try file.read { try $0.indexes() }
    /// if indexes.contains(where: { $0.staleness == .collationChanged }) { try file.reindex() }
    /// for index in indexes where index.staleness == .foreign {
    ///     show("\(index.name) is out of date after this program has written")
    /// }
    /// ```
    public enum Staleness: Sendable {
        /// This version cannot maintain an index of this kind. It becomes outdated as soon as this
        /// version writes documents. Recreate it with the program that created it.
        case foreign
        /// It may have been built with another version of its collation. Queries with that
        /// collation do not use it until it is rebuilt, by
        /// ``DocumentCollection/rebuildIndex(_:in:progress:)``, or with all others by
        /// `DataFile.reindex`.
        case collationChanged
    }
}

extension IndexInfo {
    init(_ row: IndexRow, hasOtherCollationVersion: Bool) {
        name = row.name
        kind = row.kind
        keyStore = row.store
        expressions = row.expressions
        condition = row.condition
        arrayPath = row.arrayPath
        vectorOptions = row.vectorOptions
        vectorTables =
            row.vectorOptions == nil ? [] : row.table.map { VectorTables(base: $0).names } ?? []
        let isForeign = row.kind == nil || row.kind == .vector && row.vectorOptions == nil
        staleness = isForeign ? .foreign : hasOtherCollationVersion ? .collationChanged : nil
    }
}

extension Snapshot {
    /// The file's indexes, sorted by KeyStore and name.
    ///
    /// ```swift
    /// let indexes = try file.read { try $0.indexes() }
    /// let fullText = indexes.filter { $0.kind == .fullText }.map(\.name)
    /// ```
    ///
    /// They are read from the table `indexes`. Files from before Couchbase Lite 2.5 lack it; their
    /// indexes are found through the schema. The indexes that stores create for themselves, such as
    /// that on sequences, are not listed.
    ///
    /// - Throws: ``StoreError/Code/wrongFormat`` if the table `indexes` has another layout.
    public func indexes() throws -> [IndexInfo] {
        let versions = try collationVersions()
        return try IndexRegistry(connection()).rows().map { row in
            IndexInfo(row, hasOtherCollationVersion: try hasOtherCollationVersion(row, versions))
        }
    }
}
