public import StoreFormat

/// What a file has registered of an index.
public struct IndexInfo: Sendable {
    /// What an index is for.
    public enum Kind: Int, Sendable {
        /// Expressions of a document.
        case value = 0
        /// The words of text.
        case fullText = 1
        /// The elements of an array.
        case array = 2
        /// The results of a model.
        case predictive = 3
        /// Vectors that are near one another.
        case vector = 4
    }

    /// The name, unique in the file.
    public let name: String
    /// What it is for; nil for a number that is unknown.
    public let kind: Kind?
    /// The KeyStore that it indexes.
    public let keyStore: KeyStoreName
    /// What is indexed; nil in files of before 2.5, which do not say.
    public let expressions: IndexExpressions?
    /// What is true of the documents in it, in the language of the expressions; nil for all.
    public let condition: String?
    /// The path of the array whose elements it is of.
    public let arrayPath: String?
    /// Why it may be wrong; nil if nothing speaks for that.
    public let staleness: Staleness?

    /// Why an index may be wrong.
    public enum Staleness: Sendable {
        /// It is of a kind that this version cannot keep, and lags behind the documents as soon
        /// as this version has written any: make it again with the program that made it.
        case foreign
        /// Its texts may stand in the order of another platform, or of another version of it:
        /// `DocumentCollection.rebuildIndex`, or `DataFile.reindex` for all.
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
    /// From the table `indexes`, which files of before 2.5 lack: what those have is seen by their
    /// schema. Throws `.wrongFormat` if that table is another one.
    public func indexes() throws -> [IndexInfo] {
        let orders = try collationVersions()
        return try IndexRegistry(session()).rows().map { row in
            IndexInfo(row, hasOtherCollationVersion: try hasOtherCollationVersion(row, orders))
        }
    }
}
