internal import FleeceLite

/// A statement of the query languages, whatever language it was written in.
///
/// Like `QueryExpression` it says what was written, and nothing of the tables it is asked of.
enum QueryStatement: Hashable, Sendable {
    case select(QuerySelect)
    case update(QueryUpdate)
    case delete(QueryDelete)
}

/// `WITH … SELECT … UNION … ORDER BY … LIMIT … OFFSET …`
struct QuerySelect: Hashable, Sendable {
    /// What the names in `FROM` may stand for besides collections.
    var with: [QueryCommonTable] = []
    var body: QueryBody
    var order: [QueryOrder] = []
    var limit: QueryExpression?
    var offset: QueryExpression?
}

/// `name AS (SELECT …)`
struct QueryCommonTable: Hashable, Sendable {
    var name: String
    var query: QuerySelect
}

/// What gives the rows of a query.
indirect enum QueryBody: Hashable, Sendable {
    case block(QueryBlock)
    /// A query in parentheses, with an order and limits of its own.
    case nested(QuerySelect)
    case compound(QuerySetOperator, isAll: Bool, QueryBody, QueryBody)
}

/// An operator between two queries; with `ALL` equal rows stay several rows.
enum QuerySetOperator: String, CaseIterable, Hashable, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case except = "EXCEPT"
}

/// `SELECT … FROM … LET … WHERE … GROUP BY … HAVING …`
struct QueryBlock: Hashable, Sendable {
    var isDistinct = false
    /// The columns; without any, the ID and the sequence of the documents.
    var results: [QueryResult] = []
    /// The first one has no join. Without any, the documents of the default collection are asked.
    var sources: [QuerySource] = []
    /// Names for expressions.
    var bindings: [QueryBinding] = []
    var condition: QueryExpression?
    var groups: [QueryExpression] = []
    /// `HAVING`
    var groupCondition: QueryExpression?
}

/// `expression AS alias`
struct QueryResult: Hashable, Sendable {
    var expression: QueryExpression
    var alias: String?
}

/// `name = expression` behind `LET`.
struct QueryBinding: Hashable, Sendable {
    var name: String
    var expression: QueryExpression
}

/// What a query is asked of: an item of `FROM`.
struct QuerySource: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A collection or a common table, by name.
        case collection(QueryCollectionName)
        /// The elements of an array.
        case unnest(QueryExpression)
        /// The rows of another query.
        case query(QuerySelect)
    }

    /// How it is joined to the sources before it.
    enum Join: String, CaseIterable, Hashable, Sendable {
        case inner = "INNER"
        case left = "LEFT OUTER"
        case cross = "CROSS"
    }

    var kind: Kind
    var alias: String?
    /// Nil for the first source.
    var join: Join?
    /// `ON`
    var condition: QueryExpression?

    /// What it is called in the query; nil for a query without an alias.
    var name: String? {
        if let alias { return alias }
        guard case .collection(let name) = kind else { return nil }
        return name.collection
    }
}

/// The name of a collection as it is written: `_`, `people`, `hr.people`.
struct QueryCollectionName: Hashable, Sendable {
    var scope: String?
    var collection: String

    /// `people`, `hr.people`
    var text: String { scope.map { "\($0).\(collection)" } ?? collection }
}

/// `expression DESC NULLS LAST`
struct QueryOrder: Hashable, Sendable {
    var expression: QueryExpression
    var isDescending = false
    /// Whether what is missing comes last; nil for SQLite's choice, which is first in ascending and
    /// last in descending order.
    var missingIsLast: Bool?
}

/// `UPDATE collection SET … UNSET … WHERE … LIMIT …`
struct QueryUpdate: Hashable, Sendable {
    /// A collection.
    var target: QuerySource
    var assignments: [QueryAssignment] = []
    var removals: [PropertyPath] = []
    var condition: QueryExpression?
    var limit: QueryExpression?
}

/// `path = value`
struct QueryAssignment: Hashable, Sendable {
    /// From the document, without the alias of the collection.
    var path: PropertyPath
    var value: QueryExpression
}

/// `DELETE FROM collection WHERE … LIMIT …`
struct QueryDelete: Hashable, Sendable {
    /// A collection.
    var target: QuerySource
    var condition: QueryExpression?
    var limit: QueryExpression?
}
