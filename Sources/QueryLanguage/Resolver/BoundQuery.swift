internal import FleeceLite

/// A statement whose names are bound: the result of the first stage of its translation.
package struct ResolvedQuery {
    package let query: BoundQuery
    /// The parameters that it uses.
    package let parameters: Set<String>
    /// The collections that it reads.
    package let tables: [QueryTable]
}

/// A query whose names are bound; see `BoundExpression`.
package struct BoundQuery {
    /// The CTEs that the query defines, each of which can read the earlier ones.
    package let with: [BoundCTE]
    package let body: BoundBody
    package let columnNames: [String]
}

/// `name AS (SELECT …)`
package struct BoundCTE {
    /// Its name in SQL.
    package let sqlName: String
    package let query: BoundQuery
}

/// The part of a query that produces its rows.
package indirect enum BoundBody {
    case block(BoundBlock)
    /// A parenthesized query.
    case nested(BoundQuery)
    case compound(BoundCompound)
}

/// The rows of set operators, with their order and limits.
package struct BoundCompound {
    /// The number of the block that its order belongs to.
    package let block: Int
    package let rows: BoundRows
    package let tail: BoundTail
}

/// The operands of set operators.
package indirect enum BoundRows {
    case block(BoundBlock)
    case nested(BoundQuery)
    case compound(QuerySetOperator, isAll: Bool, BoundRows, BoundRows)
}

/// The end of a query: `ORDER BY … LIMIT … OFFSET …`
package struct BoundTail {
    package let order: [BoundOrder]
    package let limit: BoundExpression?
    package let offset: BoundExpression?
}

/// `SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`
package struct BoundBlock {
    /// The number of the block in its statement, by which sources refer to it.
    package let number: Int
    package let isDistinct: Bool
    package let results: [BoundResult]
    package let columnNames: [String]
    package let sources: [BoundSource]
    package let condition: BoundExpression?
    package let groups: [BoundExpression]
    /// `HAVING`
    package let groupCondition: BoundExpression?
    package let tail: BoundTail
}

/// `expression AS alias`
package struct BoundResult {
    package let expression: BoundExpression
    package let alias: String?
}

/// An item of `FROM`, with the content of the source.
package struct BoundSource {
    /// What the rows of a source are.
    package enum Content {
        /// The documents of a collection.
        case documents
        /// The elements of an array, which belongs to a source before it.
        case elements(BoundExpression)
        /// The rows of a subquery.
        case query(BoundQuery)
        /// The rows of a CTE, by its name in SQL.
        case cte(String)
    }

    package let source: ResolvedSource
    package let content: Content
    /// Nil for the first source.
    package let join: QuerySource.Join?
    /// `ON`
    package let condition: BoundExpression?
}
