internal import FleeceLite

/// A query whose names are bound; see `BoundExpression`.
package struct BoundQuery<Value> {
    /// The CTEs that the query defines, each of which can read the earlier ones.
    package let with: [BoundCTE<Value>]
    package let body: BoundBody<Value>
    package let columnNames: [String]
}

/// `name AS (SELECT …)`
package struct BoundCTE<Value> {
    /// Its name in SQL.
    package let sqlName: String
    package let query: BoundQuery<Value>
}

/// The part of a query that produces its rows.
package indirect enum BoundBody<Value> {
    case block(BoundBlock<Value>)
    /// A parenthesized query.
    case nested(BoundQuery<Value>)
    case compound(BoundCompound<Value>)
}

/// The rows of set operators, with their order and limits.
package struct BoundCompound<Value> {
    /// The number of the block that its order belongs to.
    package let block: Int
    package let rows: BoundRows<Value>
    package let tail: BoundTail<Value>
}

/// The operands of set operators.
package indirect enum BoundRows<Value> {
    case block(BoundBlock<Value>)
    case nested(BoundQuery<Value>)
    case compound(QuerySetOperator, isAll: Bool, BoundRows<Value>, BoundRows<Value>)
}

/// The end of a query: `ORDER BY … LIMIT … OFFSET …`
package struct BoundTail<Value> {
    package let order: [BoundOrder<Value>]
    package let limit: Value?
    package let offset: Value?
}

/// `SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`
package struct BoundBlock<Value> {
    /// The number of the block in its statement, by which sources refer to it.
    package let number: Int
    package let isDistinct: Bool
    package let results: [BoundResult<Value>]
    package let columnNames: [String]
    package let sources: [BoundSource<Value>]
    package let condition: Value?
    package let groups: [Value]
    /// `HAVING`
    package let groupCondition: Value?
    package let tail: BoundTail<Value>
}

/// `expression AS alias`
package struct BoundResult<Value> {
    package let expression: Value
    package let alias: String?
}

/// An item of `FROM`, with the content of the source.
package struct BoundSource<Value> {
    /// What the rows of a source are.
    package enum Content {
        /// The documents of a collection.
        case documents
        /// The elements of an array, which belongs to a source before it.
        case elements(Value)
        /// The rows of a subquery.
        case query(BoundQuery<Value>)
        /// The rows of a CTE, by its name in SQL.
        case cte(String)
    }

    package let source: ResolvedSource
    package let content: Content
    /// Nil for the first source.
    package let join: QuerySource.Join?
    /// `ON`
    package let condition: Value?
}
