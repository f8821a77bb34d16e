package import StoreFormat

/// The translator's view of the file that a query is translated for.
package protocol QueryCatalog: AnyObject {
    /// The table of a collection with this name.
    ///
    /// - Throws: `.notFound`, or `.invalidQuery` for an invalid collection name.
    func table(_ name: QueryCollectionName) throws -> QueryTable
    /// The table of the default collection.
    func defaultTable() throws -> QueryTable
}

/// The table of a queried collection, and its indexes.
package final class QueryTable {
    package let store: KeyStoreName
    /// The SQL name of the table of live documents.
    let live: String
    /// The SQL name of the tombstone table, if there is one.
    let tombstones: String?
    /// Whether the table of live documents may contain tombstones.
    package let mayHaveLiveTombstones: Bool
    /// Columns that older files lack.
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

/// The indexes of a collection, by the query expressions that can use them.
package struct QueryIndexes {
    /// The SQL texts of all expressions in value indexes, without an alias. SQLite takes the value
    /// of such an expression from the index, where subtypes are lost.
    package private(set) var expressions: Set<String> = []
    /// The length of the longest of them.
    private(set) var longest = 0
    /// Whether some of them are not properties.
    private(set) var hasComposites = false
    /// The paths of those that are properties, each with its SQL text.
    private var properties: [String: String] = [:]
    /// The names of their indexes, by the SQL text of the expression.
    private(set) var owners: [String: String] = [:]
    /// Whether there are value indexes with unknown expressions: they may contain any property.
    package var hasOthers = false
    /// The first expressions of the indexes that contain all documents.
    package var leading: Set<String> = []
    /// The names of the indexes that contain all documents, by the SQL text of their first
    /// expression.
    package var names: [String: String] = [:]
    /// The tables of array indexes that contain all elements, by the path of the array.
    package var arrays: [String: ElementTable] = [:]
    /// The full-text tables, by the name of their index.
    package var words: [String: FullTextSource] = [:]
    /// The tables of predictive indexes, by the SQL text of the prediction.
    package var predictions: [String: String] = [:]
    /// The tables of vector indexes, by the SQL text of the indexed expression, the first choice
    /// first.
    package var vectors: [String: [VectorTable]] = [:]

    package init(
        hasOthers: Bool = false, leading: Set<String> = [],
        names: [String: String] = [:], arrays: [String: ElementTable] = [:],
        words: [String: FullTextSource] = [:], predictions: [String: String] = [:],
        vectors: [String: [VectorTable]] = [:]
    ) {
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
        /// The distance metric, by LiteCore's name.
        package let metric: String
        /// The name of an index of this project; nil for one of the vector search extension.
        package let ownName: String?
        /// Whether it has only documents that meet a condition.
        package let isPartial: Bool

        package init(
            sqlName: String, metric: String, ownName: String? = nil, isPartial: Bool = false
        ) {
            self.sqlName = sqlName
            self.metric = metric
            self.ownName = ownName
            self.isPartial = isPartial
        }

        /// Those of all documents come first, then partial ones, then those of the extension.
        package var priority: Int { ownName == nil ? 2 : isPartial ? 1 : 0 }
    }

    /// The table of an array index.
    package struct ElementTable {
        /// As SQL names it.
        package let sqlName: String
        /// The path of the array, from the document or from the containing element.
        package let path: String
        /// Its name in a query plan.
        package let title: String
        /// The SQL texts of all expressions in indexes on the elements.
        package var expressions: Set<String> = []
        /// The first expressions of these indexes.
        package var leading: Set<String> = []
        /// The tables of arrays within the elements, by their path in the element.
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

    /// The name of an index that contains a property, or may contain it; nil if there is none.
    func index(of path: String) -> String? {
        if let text = properties[path] { return owners[text] ?? text }
        return hasOthers ? "of another program" : nil
    }

    /// Adds an expression of a value index, by its SQL text.
    package mutating func add(_ text: String, of index: String) {
        guard expressions.insert(text).inserted else { return }
        owners[text] = index
        longest = max(longest, text.utf8.count)
        if let path = Self.path(of: text) {
            properties[path] = text
        } else {
            hasComposites = true
        }
    }

    /// The path in the text of a property; nil for other expressions.
    private static func path(of text: String) -> String? {
        let (start, end) = ("fl_value(body, '".utf8, "')".utf8)
        let bytes = Array(text.utf8)
        guard bytes.starts(with: start), bytes.count > start.count + end.count,
            bytes.suffix(end.count).elementsEqual(end)
        else { return nil }
        var path: [UInt8] = []
        var isSecond = false
        for byte in bytes[start.count..<(bytes.count - end.count)] {
            let isQuote = byte == UInt8(ascii: "'")
            // A quote that is not doubled ends the text of the path.
            if isSecond, !isQuote { return nil }
            isSecond = isQuote && !isSecond
            if !isSecond { path.append(byte) }
        }
        return isSecond ? nil : String(decoding: path, as: UTF8.self)
    }

    /// Whether there is an index on the elements of an array or on properties of the elements.
    package func hasArrayIndex(_ path: String) -> Bool { arrays[path]?.leading.isEmpty == false }

    var isEmpty: Bool { expressions.isEmpty && !hasOthers }
}
