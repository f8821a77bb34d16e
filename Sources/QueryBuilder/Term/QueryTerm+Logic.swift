internal import QueryLanguage
internal import StoreFormat

/// Whether both conditions are true.
public func && (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.chained(.and, right)
}

/// Whether at least one of two conditions is true.
public func || (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.chained(.or, right)
}

/// Whether a condition is not true; missing if the condition is missing.
public prefix func ! (condition: QueryTerm<Bool>) -> QueryTerm<Bool> {
    condition.derived(.operation(.not, [condition.expression]))
}

extension QueryTerm {
    /// One value if a condition is true, else another.
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
