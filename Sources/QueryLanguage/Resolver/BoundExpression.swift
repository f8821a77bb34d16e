package import FleeceLite
package import StoreFormat

/// An expression whose names are bound to the sources, variables and expressions they stand for.
///
/// The stages of a translation differ in what they know of a value: its parts are
/// `ResolvedExpression`s after names have been resolved, and `TypedExpression`s after that.
package enum BoundExpression<Value> {
    case literal(QueryLiteral)
    case array([Value])
    case dictionary([BoundEntry<Value>])
    /// A property of a row of a source; an empty path is the whole row.
    case property(ResolvedSource, PropertyPath)
    /// The variable of an enclosing `ANY` or `EVERY`, or a property of it.
    case variable(ResolvedVariable, PropertyPath)
    case parameter(String)
    /// A property of the value of an expression.
    case nested(Value, PropertyPath)
    case metadata(MetaProperty, ResolvedSource)
    case operation(QueryOperator, [Value])
    /// A function of one row.
    indirect case function(QueryFunction, [Value])
    /// An aggregate or window function.
    indirect case call(BoundCall<Value>)
    indirect case subquery(BoundQuery<Value>)
    case collate(QueryCollation, Value)
    case cases(subject: Value?, [BoundCase<Value>], otherwise: Value?)
    indirect case quantified(BoundQuantifier<Value>)
    indirect case match(FullTextReference, words: Value)
    indirect case rank(FullTextReference)
    case prediction(model: Value, input: Value, property: PropertyPath?)
    case blob(ResolvedSource, PropertyPath)
}

/// A key and its value in a dictionary constructor.
package struct BoundEntry<Value> {
    package let key: String
    package let value: Value
}

/// `WHEN condition THEN value`
package struct BoundCase<Value> {
    package let condition: Value
    package let value: Value
}

/// `ANY variable IN collection SATISFIES condition END`
package struct BoundQuantifier<Value> {
    package let kind: QueryQuantifier.Kind
    package let variable: ResolvedVariable
    package let collection: Value
    package let condition: Value
}

/// A call of an aggregate or window function.
package struct BoundCall<Value> {
    package let function: QueryFunction
    /// Empty for `COUNT(*)`.
    package let arguments: [Value]
    package let isDistinct: Bool
    /// `FILTER (WHERE condition)`
    package let filter: Value?
    /// `OVER (…)`
    package let window: BoundWindow<Value>?

    /// Whether it is `COUNT(*)`.
    package var countsRows: Bool { function.name == "count" && arguments.isEmpty }
}

/// `PARTITION BY … ORDER BY … ROWS BETWEEN … AND …`
package struct BoundWindow<Value> {
    package let partitions: [Value]
    package let order: [BoundOrder<Value>]
    package let frame: BoundFrame<Value>?
}

/// The rows around the current row that a window function reads.
package struct BoundFrame<Value> {
    /// One end of a frame.
    package enum Bound {
        case unboundedPreceding
        case preceding(Value)
        case currentRow
        case following(Value)
        case unboundedFollowing
    }

    package let unit: QueryFrame.Unit
    package let start: Bound
    /// Nil for the current row.
    package let end: Bound?
    package let exclusion: QueryFrame.Exclusion?
}

/// `expression DESC NULLS LAST`
package struct BoundOrder<Value> {
    package let expression: Value
    package let isDescending: Bool
    package let missingIsLast: Bool?
}
