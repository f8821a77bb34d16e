public import SQLCore

/// A condition on rows.
///
/// ```swift
/// let predicate = Person.age.greaterThan(SQLValue(17)).and(Person.name.like(SQLValue("A%")))
/// // ("AGE" > 17 AND "NAME" LIKE 'A%')
/// ```
public struct SQLPredicate: SQLRepresentable, Hashable {
    /// Its SQL, with the values to bind.
    public let sqlExpression: SQLExpression
    /// Whether it may stand beside AND, OR and NOT without parentheses.
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

    /// SQL of your own, with a `?` for each binding. Numbered parameters such as `?2` count over
    /// the whole statement, so use them only in a condition that stands alone.
    public static func custom(_ sql: String, bindings: [SQLValue] = []) -> SQLPredicate {
        SQLPredicate(SQLExpression(sql, bindings: bindings), isAtomic: false)
    }

    /// An expression as a condition.
    public static func custom(_ expression: SQLExpression) -> SQLPredicate {
        SQLPredicate(expression, isAtomic: false)
    }

    /// `lhs = rhs`, or `lhs IS NULL` where `rhs` is the null value.
    public static func equals(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        isNullValue(rhs) ? isNull(lhs) : compare(lhs, .equals, rhs)
    }

    /// `lhs <> rhs`, or `lhs IS NOT NULL` where `rhs` is the null value.
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

    /// `lhs LIKE rhs`: `%` stands for any text, `_` for one character; ASCII letters match in
    /// either case.
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
