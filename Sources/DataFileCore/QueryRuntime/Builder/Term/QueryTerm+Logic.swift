/// Whether both conditions are true.
public func && (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.with(right) { .operation(.and, [$0, $1]) }
}

/// Whether a condition is true, or another.
public func || (left: QueryTerm<Bool>, right: QueryTerm<Bool>) -> QueryTerm<Bool> {
    left.with(right) { .operation(.or, [$0, $1]) }
}

/// Whether a condition is not true; of one that is missing, nothing is known.
public prefix func ! (condition: QueryTerm<Bool>) -> QueryTerm<Bool> {
    condition.derived(.operation(.not, [condition.expression]))
}

extension QueryTerm {
    /// One value where a condition is true, else another.
    public static func when(
        _ condition: QueryTerm<Bool>, then value: Self, otherwise other: Self
    ) -> Self {
        value.derived(
            .cases(
                subject: nil,
                [QueryCase(condition: condition.expression, value: value.expression)],
                otherwise: other.expression),
            condition.problem ?? other.problem)
    }
}
