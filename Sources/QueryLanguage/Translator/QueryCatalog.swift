package import StoreFormat

/// What the translator asks of the file that a query is for.
package protocol QueryCatalog: AnyObject {
    /// The table of a collection, as it is named in a query.
    ///
    /// Throws `.notFound`, `.invalidQuery` for a name that cannot be one.
    func table(_ name: QueryCollectionName) throws -> QueryTable
    /// The default collection's.
    func defaultTable() throws -> QueryTable
}

/// A collection that a query is asked of, and what can help to answer.
package final class QueryTable {
    package let store: KeyStoreName
    /// Its live records, as SQL names the table.
    let live: String
    /// Its tombstones, if they have a table.
    let tombstones: String?
    /// Whether rows of the first table may be tombstones.
    package let mayHaveLiveTombstones: Bool
    /// Columns that old files lack.
    let hasExpiration: Bool
    package let indexes: QueryIndexes

    package init(
        store: KeyStoreName, live: String, tombstones: String?, mayHaveLiveTombstones: Bool,
        hasExpiration: Bool, indexes: QueryIndexes
    ) {
        self.store = store
        self.live = live
        self.tombstones = tombstones
        self.mayHaveLiveTombstones = mayHaveLiveTombstones
        self.hasExpiration = hasExpiration
        self.indexes = indexes
    }
}

/// The indexes of a collection, by what a query says when it can use them.
package struct QueryIndexes {
    /// The SQL texts of everything that stands in value indexes, without an alias: SQLite answers
    /// such an expression from the index, where marks of types are lost.
    package var expressions: Set<String> = [] {
        didSet { longest = expressions.map(\.utf8.count).max() ?? 0 }
    }
    /// How long the longest of them is.
    private(set) var longest = 0
    /// Whether there are value indexes of which it is not known what they are of: they may have
    /// any property.
    package var hasOthers = false
    /// The same of the first expression of indexes that hold all documents.
    package var leading: Set<String> = []
    /// The names of indexes that hold all documents, by the SQL text of their first expression.
    package var names: [String: String] = [:]
    /// The tables of array indexes that hold all elements, by the path of the array.
    package var arrays: [String: ElementTable] = [:]
    /// The full-text tables, by the name of their index.
    package var words: [String: FullTextSource] = [:]
    /// The tables of predictions, by the SQL text of the prediction.
    package var predictions: [String: String] = [:]
    /// The tables of vectors, by the SQL text of what is indexed.
    package var vectors: [String: VectorTable] = [:]

    package init(
        longest: Int = 0, hasOthers: Bool = false, leading: Set<String> = [],
        names: [String: String] = [:], arrays: [String: ElementTable] = [:],
        words: [String: FullTextSource] = [:], predictions: [String: String] = [:],
        vectors: [String: VectorTable] = [:]
    ) {
        self.longest = longest
        self.hasOthers = hasOthers
        self.leading = leading
        self.names = names
        self.arrays = arrays
        self.words = words
        self.predictions = predictions
        self.vectors = vectors
    }

    /// The table of a full-text index.
    package struct FullTextSource {
        /// As SQL names it.
        package let sqlName: String

        package init(sqlName: String) {
            self.sqlName = sqlName
        }
    }

    /// The table of a vector index.
    package struct VectorTable {
        /// As SQL names it.
        package let sqlName: String
        /// How it measures distances, by LiteCore's name.
        package let metric: String

        package init(sqlName: String, metric: String) {
            self.sqlName = sqlName
            self.metric = metric
        }
    }

    /// The table of an array's elements.
    package struct ElementTable {
        /// As SQL names it.
        package let sqlName: String
        /// The path of the array, from the document or from the element that has it.
        package let path: String
        /// What a plan calls it.
        package let title: String
        /// The SQL texts of everything that stands in indexes of the elements.
        package var expressions: Set<String> = []
        /// The same of the first expression of each index.
        package var leading: Set<String> = []
        /// The tables of arrays in the elements, by their path there.
        package var inner: [String: ElementTable] = [:]

        package init(
            sqlName: String, path: String, title: String, expressions: Set<String> = [],
            leading: Set<String> = [], inner: [String: ElementTable] = [:]
        ) {
            self.sqlName = sqlName
            self.path = path
            self.title = title
            self.expressions = expressions
            self.leading = leading
            self.inner = inner
        }
    }

    /// Whether there is an index of the elements of an array themselves, or of properties of them.
    package func hasArrayIndex(_ path: String) -> Bool { arrays[path]?.leading.isEmpty == false }

    var isEmpty: Bool { expressions.isEmpty && !hasOthers }
}
