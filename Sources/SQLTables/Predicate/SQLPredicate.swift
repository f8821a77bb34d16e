public import SQLCore

/// A condition on rows.
///
/// ```swift
/// let predicate = Person.age.greaterThan(SQLValue(17)).and(Person.name.like(SQLValue("A%")))
/// // ("AGE" > 17 AND "NAME" LIKE 'A%')
/// ```
public struct SQLPredicate: SQLRepresentable, Hashable {
    /// The SQL, with the values to bind.
    public let sqlExpression: SQLExpression
    /// Whether it can be an operand of AND, OR and NOT without parentheses.
    let isAtomic: Bool

    init(_ expression: SQLExpression, isAtomic: Bool = true) {
        sqlExpression = expression
        self.isAtomic = isAtomic
    }

    /// `lhs op rhs`
    public static func compare(
        _ lhs: any SQLRepresentable, _ op: SQLComparison, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        SQLPredicate(
            lhs.sqlExpression + SQLExpression(" \(raw: op.rawValue) ") + rhs.sqlExpression)
    }

    /// Custom SQL, with a `?` for each binding. Numbered parameters such as `?2` count over the
    /// whole statement, so use them only in a condition that is used alone.
    public static func custom(_ sql: String, bindings: [SQLValue] = []) -> SQLPredicate {
        SQLPredicate(SQLExpression(sql, bindings: bindings), isAtomic: false)
    }

    /// An expression as a condition.
    public static func custom(_ expression: SQLExpression) -> SQLPredicate {
        SQLPredicate(expression, isAtomic: false)
    }

    /// `lhs = rhs`, or `lhs IS NULL` if `rhs` is the null value.
    public static func equals(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        isNullValue(rhs) ? isNull(lhs) : compare(lhs, .equals, rhs)
    }

    /// `lhs <> rhs`, or `lhs IS NOT NULL` if `rhs` is the null value.
    public static func notEquals(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        isNullValue(rhs) ? isNotNull(lhs) : compare(lhs, .notEquals, rhs)
    }

    /// `lhs < rhs`
    public static func lessThan(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .lessThan, rhs) }

    /// `lhs <= rhs`
    public static func lessThanOrEqual(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .lessThanOrEqual, rhs) }

    /// `lhs > rhs`
    public static func greaterThan(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .greaterThan, rhs) }

    /// `lhs >= rhs`
    public static func greaterThanOrEqual(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .greaterThanOrEqual, rhs) }

    /// `lhs LIKE rhs`: `%` matches any string, `_` any character; ASCII
    /// letters match in either case.
    public static func like(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .like, rhs) }

    /// `lhs NOT LIKE rhs`
    public static func notLike(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .notLike, rhs) }

    /// `operand IS NULL`
    public static func isNull(_ operand: any SQLRepresentable) -> SQLPredicate {
        SQLPredicate(operand.sqlExpression + " IS NULL")
    }

    /// `operand IS NOT NULL`
    public static func isNotNull(_ operand: any SQLRepresentable) -> SQLPredicate {
        SQLPredicate(operand.sqlExpression + " IS NOT NULL")
    }
}

private func isNullValue(_ operand: any SQLRepresentable) -> Bool {
    (operand as? SQLValue)?.isNull ?? false
}

extension SQLPredicate {
    /// The conjunction of predicates, in parentheses if there are several; true for none.
    public static func and(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " AND ", empty: "1")
    }

    /// The disjunction of predicates, in parentheses if there are several; false for none.
    public static func or(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " OR ", empty: "0")
    }

    /// The negation of a predicate.
    public static func not(_ predicate: SQLPredicate) -> SQLPredicate {
        SQLPredicate("NOT (" + predicate.sqlExpression + ")")
    }

    /// The conjunction of both predicates.
    public func and(_ other: SQLPredicate) -> SQLPredicate { .and([self, other]) }

    /// The disjunction of both predicates.
    public func or(_ other: SQLPredicate) -> SQLPredicate { .or([self, other]) }

    /// The negation of the predicate.
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

extension SQLPredicate {
    /// `operand BETWEEN min AND max`, both bounds included.
    public static func between(
        _ operand: any SQLRepresentable, min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate {
        range(operand, " BETWEEN ", min, max)
    }

    /// `operand NOT BETWEEN min AND max`
    public static func notBetween(
        _ operand: any SQLRepresentable, min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate {
        range(operand, " NOT BETWEEN ", min, max)
    }

    private static func range(
        _ operand: any SQLRepresentable, _ verb: SQLExpression, _ min: any SQLRepresentable,
        _ max: any SQLRepresentable
    ) -> SQLPredicate {
        let bounds = min.sqlExpression + " AND " + max.sqlExpression
        return SQLPredicate(operand.sqlExpression + verb + bounds)
    }

    /// `operand IN (…)`; for a tuple, `operand IN (VALUES (…), (…))`.
    /// Without choices, always false.
    public static func `in`(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        let list = SQLExpression.joined(choices.map(\.sqlExpression), ", ")
        let isTuple = operand is SQLTuple && !choices.isEmpty
        return SQLPredicate(
            operand.sqlExpression + (isTuple ? " IN (VALUES " : " IN (") + list + ")")
    }

    /// `operand NOT IN (…)`
    public static func notIn(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        .not(.in(operand, choices))
    }
}
