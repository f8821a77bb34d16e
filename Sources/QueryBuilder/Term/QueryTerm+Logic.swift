internal import QueryLanguage
internal import StoreFormat

/// Whether both conditions are true.
///
/// ```swift
/// let query = from(persons).where { $0.age > 30 && $0.state == "NY" }
/// ```
/// It is false if one of them is false, and otherwise missing if one is missing. Null and strings
/// that are not numbers count as false. An index can serve one of the conditions, or several if it
/// has the properties of both.
public func && (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.chained(.and, right)
}

/// Whether at least one of two conditions is true.
///
/// ```swift
/// let query = from(persons).where { $0.age > 80 || $0.state == "NY" }
/// ```
/// It is true if one of them is true, and otherwise missing if one is missing. Indexes serve it
/// only if each of the conditions has one.
public func || (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.chained(.or, right)
}

/// Whether a condition is not true; missing if the condition is missing.
///
/// ```swift
/// let query = from(persons).where { !($0.age > 30 || $0.likes.isEmpty) }
/// ```
/// So neither `$0.age > 30` nor `!($0.age > 30)` selects documents without the property; add `||
/// $0.age.isMissing` for those. Null counts as not true.
public prefix func ! (condition: QueryTerm<Bool>) -> QueryTerm<Bool> {
    condition.derived(.operation(.not, [condition.expression]))
}

extension QueryTerm {
    /// One value if a condition is true, else another.
    ///
    /// ```swift
    /// let query = from(persons).select { person in
    ///     QueryTerm.when(person.age < 18, then: QueryTerm("child"), otherwise: QueryTerm("adult"))
    /// }
    /// ```
    /// A missing condition counts as not true. For several cases, the other value can be a `when`
    /// itself.
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - value: the value if the condition is true.
    ///   - other: the value if it is false or missing.
    public static func when(
        _ condition: QueryTerm<Bool>, then value: Self, otherwise other: Self
    ) -> Self {
        value.derived(
            .cases(
                subject: nil,
                [QueryCase(condition: condition.expression, value: value.expression)],
                otherwise: other.expression),
            condition.problem ?? other.problem, height: max(condition.height, other.height))
    }
}

extension QueryTerm<Bool> {
    fileprivate func chained(_ known: QueryOperator, _ other: Self) -> Self {
        let isHigher = !expression.isLongChain(known)
        return QueryTerm(
            .chain(known, expression, other.expression), coding, problem ?? other.problem,
            height: max(isHigher ? height + 1 : height, other.height + 1))
    }
}

extension QueryExpression {
    /// The maximum height of an expression tree, in levels.
    static let greatestHeight = 400

    /// Appends a condition to a chain: the tree has the form that SQL++ parses, and its height does
    /// not grow with the length of the chain, as in a loop.
    static func chain(
        _ known: QueryOperator, _ first: QueryExpression?, _ last: QueryExpression
    ) -> QueryExpression {
        guard let first else { return last }
        guard case .operation(known, let operands) = first, first.isLongChain(known) else {
            return .operation(known, [first, last])
        }
        return .operation(known, operands + [last])
    }

    fileprivate func isLongChain(_ known: QueryOperator) -> Bool {
        guard case .operation(known, let operands) = self, operands.count <= Self.longChain
        else { return false }
        var (rest, height) = (operands[0], 1)
        while height < Self.longChain, case .operation(known, let operands) = rest {
            (rest, height) = (operands[0], height + 1)
        }
        return height == Self.longChain
    }

    private static let longChain = 200
}

extension StoreError {
    static let tooHighQuery = StoreError.invalidQuery(
        "an expression of a query is nested more than \(QueryExpression.greatestHeight) deep")
}
