public import StoreFormat

/// The description of an index in the file's registry.
public struct IndexInfo: Sendable {
    /// The kind of an index.
    public enum Kind: Int, Sendable {
        /// Indexes the values of expressions.
        case value = 0
        /// Indexes the words of strings.
        case fullText = 1
        /// Indexes the elements of an array.
        case array = 2
        /// Indexes the results of a model.
        case predictive = 3
        /// Finds nearby vectors.
        case vector = 4
    }

    /// The name, unique in the file.
    public let name: String
    /// The kind; nil if the file has an unknown number.
    public let kind: Kind?
    /// The KeyStore that is indexed.
    public let keyStore: KeyStoreName
    /// The indexed expressions; nil in files from before Couchbase Lite 2.5, which do not record
    /// them.
    public let expressions: IndexExpressions?
    /// The condition of a partial index, in the language of the expressions; nil if all documents
    /// are in the index.
    public let condition: String?
    /// For an array index, the path of the array.
    public let arrayPath: String?
    /// Why the index may be incorrect; nil if no reason is known.
    public let staleness: Staleness?

    /// The reason why an index may be incorrect.
    public enum Staleness: Sendable {
        /// This version cannot maintain an index of this kind. It becomes outdated as soon as this
        /// version writes documents. Recreate it with the program that created it.
        case foreign
        /// It may have been built with another version of its collation. Rebuild it with
        /// `DocumentCollection.rebuildIndex`, or all indexes with `DataFile.reindex`.
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
        let isForeign = row.kind == .vector || row.kind == nil
        staleness = isForeign ? .foreign : hasOtherCollationVersion ? .collationChanged : nil
    }
}

extension Snapshot {
    /// The file's indexes, sorted by KeyStore and name.
    ///
    /// They are read from the table `indexes`. Files from before Couchbase Lite 2.5 lack it; their
    /// indexes are found through the schema.
    ///
    /// - Throws: `.wrongFormat` if the table `indexes` has another layout.
    public func indexes() throws -> [IndexInfo] {
        let versions = try collationVersions()
        return try IndexRegistry(session()).rows().map { row in
            IndexInfo(row, hasOtherCollationVersion: try hasOtherCollationVersion(row, versions))
        }
    }
}
