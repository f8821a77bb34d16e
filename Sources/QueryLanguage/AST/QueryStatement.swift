package import FleeceLite

/// A statement, independent of the language it was written in.
///
/// Like `QueryExpression`, it represents the source text and does not depend on the tables of a
/// file.
package enum QueryStatement: Hashable, Sendable {
    case select(QuerySelect)
    case update(QueryUpdate)
    case delete(QueryDelete)
}

/// `WITH … SELECT … UNION … ORDER BY … LIMIT … OFFSET …`
package struct QuerySelect: Hashable, Sendable {
    /// The CTEs that `FROM` can name besides collections.
    package var with: [QueryCTE] = []
    package var body: QueryBody
    package var order: [QueryOrder] = []
    package var limit: QueryExpression?
    package var offset: QueryExpression?

    package init(
        with: [QueryCTE] = [], body: QueryBody, order: [QueryOrder] = [],
        limit: QueryExpression? = nil, offset: QueryExpression? = nil
    ) {
        self.with = with
        self.body = body
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

/// `name AS (SELECT …)`
package struct QueryCTE: Hashable, Sendable {
    package var name: String
    package var query: QuerySelect
    package var position = TextPosition()
}

/// The part of a query that produces its rows.
package indirect enum QueryBody: Hashable, Sendable {
    case block(QueryBlock)
    /// A parenthesized query with an order and limits of its own.
    case nested(QuerySelect)
    case compound(QuerySetOperator, isAll: Bool, QueryBody, QueryBody)
}

/// A set operator between two queries; with `ALL` it keeps duplicate rows.
package enum QuerySetOperator: String, CaseIterable, Hashable, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case except = "EXCEPT"
}

/// `SELECT … FROM … LET … WHERE … GROUP BY … HAVING …`
package struct QueryBlock: Hashable, Sendable {
    package var isDistinct = false
    /// The columns; if empty, the ID and the sequence of the documents.
    package var results: [QueryResult] = []
    /// The sources, of which the first one has no join; if empty, the default collection.
    package var sources: [QuerySource] = []
    /// Names for expressions (`LET`).
    package var bindings: [QueryBinding] = []
    package var condition: QueryExpression?
    package var groups: [QueryExpression] = []
    /// `HAVING`
    package var groupCondition: QueryExpression?
    package var position = TextPosition()

    package init(
        isDistinct: Bool = false, results: [QueryResult] = [], sources: [QuerySource] = [],
        bindings: [QueryBinding] = [], condition: QueryExpression? = nil,
        groups: [QueryExpression] = [], groupCondition: QueryExpression? = nil
    ) {
        self.isDistinct = isDistinct
        self.results = results
        self.sources = sources
        self.bindings = bindings
        self.condition = condition
        self.groups = groups
        self.groupCondition = groupCondition
    }
}

/// `expression AS alias`
package struct QueryResult: Hashable, Sendable {
    package var expression: QueryExpression
    package var alias: String?
    package var aliasPosition = TextPosition()

    package init(expression: QueryExpression, alias: String? = nil) {
        self.expression = expression
        self.alias = alias
    }
}

/// `name = expression` of `LET`.
package struct QueryBinding: Hashable, Sendable {
    package var name: String
    package var expression: QueryExpression
    package var position = TextPosition()
}

/// A source of a query: an item of `FROM`.
package struct QuerySource: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A collection or a CTE, by name.
        case collection(QueryCollectionName)
        /// The elements of an array.
        case unnest(QueryExpression)
        /// The rows of a subquery.
        case query(QuerySelect)
    }

    /// How the source is joined to the sources before it.
    package enum Join: String, CaseIterable, Hashable, Sendable {
        case inner = "INNER"
        case left = "LEFT OUTER"
        case cross = "CROSS"
    }

    package var kind: Kind
    package var alias: String?
    /// Nil for the first source.
    package var join: Join?
    /// `ON`
    package var condition: QueryExpression?
    package var position = TextPosition()

    package init(
        kind: Kind, alias: String? = nil, join: Join? = nil, condition: QueryExpression? = nil
    ) {
        self.kind = kind
        self.alias = alias
        self.join = join
        self.condition = condition
    }

    /// Its name in the query; nil for a subquery without an alias.
    package var name: String? {
        if let alias { return alias }
        guard case .collection(let name) = kind else { return nil }
        return name.collection
    }
}

/// The name of a collection as it is written: `_`, `people`, `hr.people`.
package struct QueryCollectionName: Hashable, Sendable {
    package var scope: String?
    package var collection: String

    package init(scope: String? = nil, collection: String) {
        self.scope = scope
        self.collection = collection
    }

    /// `people`, `hr.people`
    package var text: String { scope.map { "\($0).\(collection)" } ?? collection }
}

/// `expression DESC NULLS LAST`
package struct QueryOrder: Hashable, Sendable {
    package var expression: QueryExpression
    package var isDescending = false
    /// Whether missing values come last; nil for SQLite's default, which is first in ascending and
    /// last in descending order.
    package var missingIsLast: Bool?

    package init(
        expression: QueryExpression, isDescending: Bool = false, missingIsLast: Bool? = nil
    ) {
        self.expression = expression
        self.isDescending = isDescending
        self.missingIsLast = missingIsLast
    }
}

/// `UPDATE collection SET … UNSET … WHERE … LIMIT …`
package struct QueryUpdate: Hashable, Sendable {
    /// A collection.
    package var target: QuerySource
    package var assignments: [QueryAssignment] = []
    package var removals: [QueryRemoval] = []
    package var condition: QueryExpression?
    package var limit: QueryExpression?

    package init(
        target: QuerySource, assignments: [QueryAssignment] = [], removals: [QueryRemoval] = [],
        condition: QueryExpression? = nil, limit: QueryExpression? = nil
    ) {
        self.target = target
        self.assignments = assignments
        self.removals = removals
        self.condition = condition
        self.limit = limit
    }
}

/// `path = value`
package struct QueryAssignment: Hashable, Sendable {
    /// From the document, without the alias of the collection.
    package var path: PropertyPath
    package var value: QueryExpression
    package var position = TextPosition()

    package init(path: PropertyPath, value: QueryExpression) {
        self.path = path
        self.value = value
    }
}

/// A path of `UNSET`.
package struct QueryRemoval: Hashable, Sendable {
    /// From the document, without the alias of the collection.
    package var path: PropertyPath
    package var position = TextPosition()

    package init(path: PropertyPath) {
        self.path = path
    }
}

/// `DELETE FROM collection WHERE … LIMIT …`
package struct QueryDelete: Hashable, Sendable {
    /// A collection.
    package var target: QuerySource
    package var condition: QueryExpression?
    package var limit: QueryExpression?

    package init(
        target: QuerySource, condition: QueryExpression? = nil, limit: QueryExpression? = nil
    ) {
        self.target = target
        self.condition = condition
        self.limit = limit
    }
}
