/// What the translator asks of the file that a query is for.
protocol QueryCatalog: AnyObject {
    /// The table of a collection, as it is named in a query.
    ///
    /// Throws `.notFound`, `.invalidQuery` for a name that cannot be one.
    func table(_ name: QueryCollectionName) throws -> QueryTable
    /// The default collection's.
    func defaultTable() throws -> QueryTable
}

/// A collection that a query is asked of, and what can help to answer.
final class QueryTable {
    let store: KeyStoreName
    /// Its live records, as SQL names the table.
    let live: String
    /// Its tombstones, if they have a table.
    let dead: String?
    /// Whether rows of the first table may be tombstones.
    let mayHaveLiveTombstones: Bool
    /// Columns that old files lack.
    let hasExpiration: Bool
    let indexes: QueryIndexes

    init(
        store: KeyStoreName, live: String, dead: String?, mayHaveLiveTombstones: Bool,
        hasExpiration: Bool, indexes: QueryIndexes
    ) {
        self.store = store
        self.live = live
        self.dead = dead
        self.mayHaveLiveTombstones = mayHaveLiveTombstones
        self.hasExpiration = hasExpiration
        self.indexes = indexes
    }
}

/// The indexes of a collection, by what a query says when it can use them.
struct QueryIndexes {
    /// The SQL texts of everything that stands in value indexes, without an alias: SQLite answers
    /// such an expression from the index, where marks of types are lost.
    var expressions: Set<String> = [] {
        didSet { longest = expressions.map(\.utf8.count).max() ?? 0 }
    }
    /// How long the longest of them is.
    private(set) var longest = 0
    /// Whether there are value indexes of which it is not known what they are of: they may have
    /// any property.
    var hasOthers = false
    /// The same of the first expression of indexes that hold all documents.
    var leading: Set<String> = []
    /// The names of indexes that hold all documents, by the SQL text of their first expression.
    var names: [String: String] = [:]
    /// The tables of array indexes that hold all elements, by the path of the array.
    var arrays: [String: ElementTable] = [:]
    /// The tables of words, by the name of their index.
    var words: [String: WordTable] = [:]
    /// The tables of predictions, by the SQL text of the prediction.
    var predictions: [String: String] = [:]
    /// The tables of vectors, by the SQL text of what is indexed.
    var vectors: [String: VectorTable] = [:]

    /// The table of a full-text index.
    struct WordTable {
        /// As SQL names it.
        let sqlName: String
    }

    /// The table of a vector index.
    struct VectorTable {
        /// As SQL names it.
        let sqlName: String
        /// How it measures distances, by LiteCore's name.
        let metric: String
    }

    /// The table of an array's elements.
    struct ElementTable {
        /// As SQL names it.
        let sqlName: String
        /// The path of the array, from the document or from the element that has it.
        let path: String
        /// What a plan calls it.
        let title: String
        /// The SQL texts of everything that stands in indexes of the elements.
        var expressions: Set<String> = []
        /// The same of the first expression of each index.
        var leading: Set<String> = []
        /// The tables of arrays in the elements, by their path there.
        var inner: [String: ElementTable] = [:]
    }

    /// Whether there is an index of the elements of an array themselves, or of properties of them.
    func hasArrayIndex(_ path: String) -> Bool { arrays[path]?.leading.isEmpty == false }

    var isEmpty: Bool { expressions.isEmpty && !hasOthers }
}
