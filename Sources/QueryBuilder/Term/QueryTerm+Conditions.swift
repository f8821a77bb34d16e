internal import QueryLanguage
internal import StoreFormat

// Conditions on a value. In a key path a subscript stands for the method of its label:
// `\.name.last[like: "B%"]`.
extension QueryTerm {
    /// Whether there is no value; `null` is a value.
    public var isMissing: QueryTerm<Bool> { isLiteral(.missing) }

    /// Whether there is a value, including `null`.
    public var isNotMissing: QueryTerm<Bool> {
        derived(.operation(.isNot, [expression, .literal(.missing)]))
    }

    /// Whether it is JSON's `null`; false if it is missing.
    public var isNull: QueryTerm<Bool> { isLiteral(.null) }

    /// Whether there is a value other than `null`.
    public var isValued: QueryTerm<Bool> { derived(.operation(.isValued, [expression])) }

    /// Whether it is missing or `null`.
    public var isNotValued: QueryTerm<Bool> {
        derived(.operation(.not, [.operation(.isValued, [expression])]))
    }

    private func isLiteral(_ literal: QueryLiteral) -> QueryTerm<Bool> {
        derived(.operation(.is, [expression, .literal(literal)]))
    }

    /// Whether it equals one of some values.
    public func `in`(_ values: some Sequence<Value>) -> QueryTerm<Bool> {
        let terms = values.map { QueryTerm($0, coding) }
        return compared(
            .in, [.array(terms.map(\.expression))], terms.lazy.compactMap(\.problem).first)
    }

    /// Whether it equals one of the elements of an array.
    public func `in`(_ array: QueryTerm<[Value]>) -> QueryTerm<Bool> {
        compared(.in, [array.expression], array.problem, height: array.height)
    }

    /// Whether it equals one of some values.
    public subscript(in values: [Value]) -> QueryTerm<Bool> where Value: Hashable {
        self.in(values)
    }

    /// Whether it is in a range.
    public func between<Bound: Comparable>(
        _ range: ClosedRange<Bound>
    ) -> QueryTerm<Bool> where Value == Bound? {
        between(range.lowerBound, range.upperBound)
    }

    /// The condition on both values.
    func compared(
        _ operation: QueryOperator, _ others: [QueryExpression], _ problem: StoreError? = nil,
        height: Int = 0
    ) -> QueryTerm<Bool> {
        // A collation applies to the comparison, not to a single string.
        guard case .collate(let collation, let value) = expression else {
            return derived(.operation(operation, [expression] + others), problem, height: height)
        }
        return derived(
            .collate(collation, .operation(operation, [value] + others)), problem, height: height)
    }
}

extension QueryTerm where Value: Comparable {
    /// Whether it is in a range.
    public func between(_ range: ClosedRange<Value>) -> QueryTerm<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

extension QueryTerm where Value: Comparable & Hashable {
    /// Whether it is in a range.
    public subscript(between range: ClosedRange<Value>) -> QueryTerm<Bool> {
        between(range.lowerBound, range.upperBound)
    }
}

// MARK: Order

/// An order of rows: a term, or a term with a direction.
public protocol QueryOrderable: Sendable {
    /// The order.
    var ordering: QueryOrdering { get }
}

/// An order of rows.
public struct QueryOrdering: QueryOrderable {
    var order: QueryOrder
    let problem: StoreError?

    /// The order itself.
    public var ordering: QueryOrdering { self }

    /// The same order, with missing values first.
    public var missingFirst: QueryOrdering { with(missingIsLast: false) }

    /// The same order, with missing values last.
    public var missingLast: QueryOrdering { with(missingIsLast: true) }

    private func with(missingIsLast: Bool) -> QueryOrdering {
        var changed = self
        changed.order.missingIsLast = missingIsLast
        return changed
    }
}

extension QueryTerm: QueryOrderable {
    /// Ascending order.
    public var ordering: QueryOrdering { ascending }

    /// Ascending order.
    public var ascending: QueryOrdering { ordered(isDescending: false) }

    /// Descending order.
    public var descending: QueryOrdering { ordered(isDescending: true) }

    private func ordered(isDescending: Bool) -> QueryOrdering {
        QueryOrdering(
            order: QueryOrder(expression: orderedExpression, isDescending: isDescending),
            problem: problem)
    }
}
