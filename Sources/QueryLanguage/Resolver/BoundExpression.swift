package import FleeceLite
package import StoreFormat

/// An expression whose names are bound to the sources, variables and expressions they stand for.
///
/// An expression with a name is one object, shared by all uses of the name. The second stage of a
/// translation adds the types of its values.
package final class BoundExpression {
    package let form: Form
    package let facts: ExpressionFacts
    /// The sources whose rows it reads, those of subqueries excepted.
    package let sources: SourceUse
    /// The variables that it uses and that are not its own.
    package let freeVariables: [ResolvedVariable]
    /// The number of expressions in it.
    let size: Int
    /// The types that its values can have; nil until `QueryTyper` has determined them.
    var knownType: ValueType?

    init(_ form: Form) {
        self.form = form
        var summary = ExpressionSummary()
        summary.add(form)
        facts = summary.facts
        sources = summary.sources
        freeVariables = summary.freeVariables
        size = summary.size
    }
}

extension BoundExpression {
    package enum Form {
        case literal(QueryLiteral)
        case array([BoundExpression])
        case dictionary([BoundEntry])
        /// A property of a row of a source; an empty path is the whole row.
        case property(ResolvedSource, PropertyPath)
        /// The variable of an enclosing `ANY` or `EVERY`, or a property of it.
        case variable(ResolvedVariable, PropertyPath)
        case parameter(String)
        /// A property of the value of an expression.
        case nested(BoundExpression, PropertyPath)
        case metadata(MetaProperty, ResolvedSource)
        case operation(QueryOperator, [BoundExpression])
        /// A function of one row.
        indirect case function(QueryFunction, [BoundExpression])
        /// An aggregate or window function.
        indirect case call(BoundCall)
        indirect case subquery(BoundQuery)
        case collate(QueryCollation, BoundExpression)
        case cases(subject: BoundExpression?, [BoundCase], otherwise: BoundExpression?)
        indirect case quantified(BoundQuantifier)
        indirect case match(FullTextReference, words: BoundExpression)
        indirect case rank(FullTextReference)
        case prediction(model: BoundExpression, input: BoundExpression, property: PropertyPath?)
        case blob(ResolvedSource, PropertyPath)
    }
}

/// A key and its value in a dictionary constructor.
package struct BoundEntry {
    package let key: String
    package let value: BoundExpression
}

/// `WHEN condition THEN value`
package struct BoundCase {
    package let condition: BoundExpression
    package let value: BoundExpression
}

/// `ANY variable IN collection SATISFIES condition END`
package struct BoundQuantifier {
    package let kind: QueryQuantifier.Kind
    package let variable: ResolvedVariable
    package let collection: BoundExpression
    package let condition: BoundExpression
}

/// A call of an aggregate or window function.
package struct BoundCall {
    package let function: QueryFunction
    /// Empty for `COUNT(*)`.
    package let arguments: [BoundExpression]
    package let isDistinct: Bool
    /// `FILTER (WHERE condition)`
    package let filter: BoundExpression?
    /// `OVER (…)`
    package let window: BoundWindow?

    /// Whether it is `COUNT(*)`.
    package var countsRows: Bool { function.name == "count" && arguments.isEmpty }
}

/// `PARTITION BY … ORDER BY … ROWS BETWEEN … AND …`
package struct BoundWindow {
    package let partitions: [BoundExpression]
    package let order: [BoundOrder]
    package let frame: BoundFrame?
}

/// The rows around the current row that a window function reads.
package struct BoundFrame {
    /// One end of a frame.
    package enum Bound {
        case unboundedPreceding
        case preceding(BoundExpression)
        case currentRow
        case following(BoundExpression)
        case unboundedFollowing
    }

    package let unit: QueryFrame.Unit
    package let start: Bound
    /// Nil for the current row.
    package let end: Bound?
    package let exclusion: QueryFrame.Exclusion?
}

/// `expression DESC NULLS LAST`
package struct BoundOrder {
    package let expression: BoundExpression
    package let isDescending: Bool
    package let missingIsLast: Bool?
}
