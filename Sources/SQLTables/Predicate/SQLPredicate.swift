public import SQLCore

/// A condition on rows.
///
/// ```swift
/// let predicate = Player.score.greaterThan(.long(17)).and(Player.name.like(.text("A%")))
/// // ("SCORE" > 17 AND "NAME" LIKE 'A%')
/// let found = try database.query(Player.self).where(predicate).load()
/// ```
/// Most predicates are created by methods of ``SQLColumn`` and other ``SQLRepresentable`` types.
/// The static functions here take any operands. Conditions are combined with `and`, `or` and `not`;
/// parentheses are added as needed.
///
/// It is used in `where` of a query, as the condition of a join, in `count`, `exists`, `delete` and
/// other calls, in a partial index, and as a check. Values are bound as parameters. SQL that has no
/// function here is written as ``custom(_:bindings:)``.
public struct SQLPredicate: SQLRepresentable, Hashable {
    /// The SQL, with the values to bind.
    public let sqlExpression: SQLExpression
    /// Whether it can be an operand of AND, OR and NOT without parentheses.
    let isAtomic: Bool

    init(_ expression: SQLExpression, isAtomic: Bool = true) {
        sqlExpression = expression
        self.isAtomic = isAtomic
    }

    /// `lhs op rhs`: a comparison with any operator.
    ///
    /// ```swift
    /// let since = SQLPredicate.compare(Player.joined, .greaterThanOrEqual, SQLValue("2024-01-01"))
    /// let found = try database.fetchAll(Player.self, where: since)
    /// ```
    /// - Parameters:
    ///   - lhs: A column, a value or an expression.
    ///   - op: The operator.
    ///   - rhs: A column, a value or an expression.
    public static func compare(
        _ lhs: any SQLRepresentable, _ op: SQLComparison, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        SQLPredicate(
            lhs.sqlExpression + SQLExpression(" \(raw: op.rawValue) ") + rhs.sqlExpression)
    }

    /// Custom SQL, with a `?` for each binding. Numbered parameters such as `?2` count over the
    /// whole statement, so use them only in a condition that is used alone.
    ///
    /// ```swift
    /// let even = SQLPredicate.custom("\"SCORE\" % ? = 0", bindings: [.long(2)])
    /// let count = try database.count(Player.self, where: even)
    /// ```
    ///
    /// - Parameters:
    ///   - sql: The condition; quote the names of columns, and never insert values into it.
    ///   - bindings: A value for each `?` (default: none).
    public static func custom(_ sql: String, bindings: [SQLValue] = []) -> SQLPredicate {
        SQLPredicate(SQLExpression(sql, bindings: bindings), isAtomic: false)
    }

    /// An expression as a condition.
    ///
    /// ```swift
    /// let least = SQLValue(3)
    /// let long = SQLPredicate.custom("length(\(Player.name)) >= \(least)")
    /// ```
    /// - Parameter expression: Any SQL with a Boolean result; columns in it are qualified in a
    ///   join.
    public static func custom(_ expression: SQLExpression) -> SQLPredicate {
        SQLPredicate(expression, isAtomic: false)
    }

    /// `lhs = rhs`, or `lhs IS NULL` if `rhs` is the null value.
    ///
    /// ```swift
    /// let team: Int64? = nil
    /// let free = SQLPredicate.equals(Player.team, SQLValue(team))  // "TEAM" IS NULL
    /// ```
    public static func equals(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        isNullValue(rhs) ? isNull(lhs) : compare(lhs, .equals, rhs)
    }

    /// `lhs <> rhs`, or `lhs IS NOT NULL` if `rhs` is the null value.
    ///
    /// A row with null in the column does not match `<>`; add ``isNull(_:)`` with `or`, or compare
    /// with ``SQLComparison/isNot``.
    public static func notEquals(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate {
        isNullValue(rhs) ? isNotNull(lhs) : compare(lhs, .notEquals, rhs)
    }

    /// `lhs < rhs`: numbers are less than strings, and strings less than blobs.
    public static func lessThan(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .lessThan, rhs) }

    /// `lhs <= rhs`
    public static func lessThanOrEqual(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .lessThanOrEqual, rhs) }

    /// `lhs > rhs`: blobs are greater than strings, and strings greater than numbers.
    public static func greaterThan(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .greaterThan, rhs) }

    /// `lhs >= rhs`
    public static func greaterThanOrEqual(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .greaterThanOrEqual, rhs) }

    /// `lhs LIKE rhs`: `%` matches any string, `_` any character; ASCII letters match in either
    /// case.
    ///
    /// A pattern that starts with `%` reads all rows. To match text that can contain `%` or `_`,
    /// use ``custom(_:bindings:)`` with `ESCAPE`.
    public static func like(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .like, rhs) }

    /// `lhs NOT LIKE rhs`. A row with null in the column does not match.
    public static func notLike(
        _ lhs: any SQLRepresentable, _ rhs: any SQLRepresentable
    ) -> SQLPredicate { compare(lhs, .notLike, rhs) }

    /// `operand IS NULL`. An index on the column is used for it, too.
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
    ///
    /// ```swift
    /// let filters: [SQLPredicate] = [Player.team.isNotNull(), Player.score.greaterThan(.long(5))]
    /// let found = try database.fetchAll(Player.self, where: .and(filters))
    /// ```
    public static func and(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " AND ", empty: "1")
    }

    /// The disjunction of predicates, in parentheses if there are several; false for none.
    ///
    /// ```swift
    /// let prefixes = ["A", "B"]
    /// let found = try database.fetchAll(
    ///     Player.self, where: .or(prefixes.map { Player.name.like(.text($0 + "%")) }))
    /// ```
    public static func or(_ predicates: [SQLPredicate]) -> SQLPredicate {
        joined(predicates, " OR ", empty: "0")
    }

    /// The negation of a predicate. It is null, and matches nothing, where the predicate is null.
    public static func not(_ predicate: SQLPredicate) -> SQLPredicate {
        SQLPredicate("NOT (" + predicate.sqlExpression + ")")
    }

    /// The conjunction of both predicates.
    ///
    /// ```swift
    /// let predicate = Player.team.isNull().and(Player.score.greaterThan(.long(9)))
    /// ```
    public func and(_ other: SQLPredicate) -> SQLPredicate { .and([self, other]) }

    /// The disjunction of both predicates.
    ///
    /// ```swift
    /// let predicate = Player.team.isNull().or(Player.team.equals(.long(3)))
    /// ```
    public func or(_ other: SQLPredicate) -> SQLPredicate { .or([self, other]) }

    /// The negation of the predicate. It is null, and matches nothing, where the predicate is null.
    ///
    /// ```swift
    /// let predicate = Player.name.like(.text("A%")).not()
    /// ```
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
    ///
    /// - Parameters:
    ///   - operand: A column, a value or an expression.
    ///   - min: The lower bound; if it exceeds `max`, nothing matches.
    ///   - max: The upper bound.
    public static func between(
        _ operand: any SQLRepresentable, min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate {
        range(operand, " BETWEEN ", min, max)
    }

    /// `operand NOT BETWEEN min AND max`: outside both bounds. A row with null does not match.
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
    ///
    /// Without choices, it is always false. Each choice is a parameter, of which a statement can
    /// have 32,766; use a join or a subquery for more.
    ///
    /// ```swift
    /// let teams = SQLPredicate.in(Player.team, [SQLValue(1), SQLValue(2)])
    /// let seasons = SQLPredicate.in(
    ///     SQLTuple(Season.player, Season.year),
    ///     [SQLTuple(SQLValue(1), SQLValue(2023)), SQLTuple(SQLValue(1), SQLValue(2024))])
    /// ```
    /// - Parameters:
    ///   - operand: A column, a tuple or an expression.
    ///   - choices: The values, or tuples of as many elements.
    public static func `in`(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        let list = SQLExpression.joined(choices.map(\.sqlExpression), ", ")
        let isTuple = operand is SQLTuple && !choices.isEmpty
        return SQLPredicate(
            operand.sqlExpression + (isTuple ? " IN (VALUES " : " IN (") + list + ")")
    }

    /// `operand NOT IN (…)`; always true without choices. A row with null in the column does not
    /// match, and nothing matches if a choice is null.
    public static func notIn(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        .not(.in(operand, choices))
    }
}
