extension SQLPredicate {
    /// All of them, in parentheses when there are several; true for none.
    public static func and(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " AND ", empty: "1")
    }

    /// Any of them, in parentheses when there are several; false for none.
    public static func or(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " OR ", empty: "0")
    }

    /// `NOT` of it.
    public static func not(_ predicate: SQLPredicate) -> SQLPredicate {
        SQLPredicate("NOT (" + predicate.sqlExpression + ")")
    }

    /// Both.
    public func and(_ other: SQLPredicate) -> SQLPredicate { .and([self, other]) }

    /// Either.
    public func or(_ other: SQLPredicate) -> SQLPredicate { .or([self, other]) }

    /// The opposite.
    public func not() -> SQLPredicate { .not(self) }

    private static func joined(
        _ predicates: [SQLPredicate], _ separator: String, empty: String
    ) -> SQLPredicate {
        guard let first = predicates.first else { return SQLPredicate(SQLExpression(empty)) }
        if predicates.count == 1 { return first }
        let operands = predicates.map(\.operand)
        return SQLPredicate("(" + SQLExpression.joined(operands, separator) + ")")
    }

    private var operand: SQLExpression {
        isAtomic ? sqlExpression : "(" + sqlExpression + ")"
    }
}
