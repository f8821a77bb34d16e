public import SQLCore

extension SQLRepresentable {
    /// `self op other`: a comparison with any operator; see ``SQLPredicate/compare(_:_:_:)``.
    ///
    /// ```swift
    /// let same = Player.name.compare(.glob, SQLValue("A*"))
    /// ```
    public func compare(_ op: SQLComparison, _ other: any SQLRepresentable) -> SQLPredicate {
        .compare(self, op, other)
    }

    /// `self = other`, or `IS NULL` for the null value.
    ///
    /// ```swift
    /// let pairs = try database.query(Team.self)
    ///     .join(Player.self, on: Team.id.equals(Player.team)).load()
    /// ```
    public func equals(_ other: any SQLRepresentable) -> SQLPredicate { .equals(self, other) }
    /// `self <> other`, or `IS NOT NULL` for the null value. A row in which an operand is null does
    /// not match.
    public func notEquals(_ other: any SQLRepresentable) -> SQLPredicate {
        .notEquals(self, other)
    }
    /// `self < other`
    public func lessThan(_ other: any SQLRepresentable) -> SQLPredicate { .lessThan(self, other) }
    /// `self <= other`
    public func lessThanOrEqual(_ other: any SQLRepresentable) -> SQLPredicate {
        .lessThanOrEqual(self, other)
    }
    /// `self > other`
    public func greaterThan(_ other: any SQLRepresentable) -> SQLPredicate {
        .greaterThan(self, other)
    }
    /// `self >= other`
    public func greaterThanOrEqual(_ other: any SQLRepresentable) -> SQLPredicate {
        .greaterThanOrEqual(self, other)
    }
    /// `self LIKE other`
    public func like(_ other: any SQLRepresentable) -> SQLPredicate { .like(self, other) }
    /// `self NOT LIKE other`
    public func notLike(_ other: any SQLRepresentable) -> SQLPredicate { .notLike(self, other) }
    /// `self IS NULL`; the opposite is ``isNotNull()``.
    public func isNull() -> SQLPredicate { .isNull(self) }
    /// `self IS NOT NULL`; the opposite is ``isNull()``.
    public func isNotNull() -> SQLPredicate { .isNotNull(self) }
    /// `self BETWEEN min AND max`, both bounds included. The bounds can be columns or expressions.
    public func between(
        min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate { .between(self, min: min, max: max) }
    /// `self NOT BETWEEN min AND max`
    public func notBetween(
        min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate { .notBetween(self, min: min, max: max) }
    /// `self IN (…)`; always false without choices.
    ///
    /// ```swift
    /// let some = Player.team.in([SQLValue(1), SQLExpression("(SELECT max(ID) FROM TEAM)")])
    /// ```
    public func `in`(_ choices: [any SQLRepresentable]) -> SQLPredicate { .in(self, choices) }
    /// `self NOT IN (…)`; always true without choices. A row with null does not match.
    public func notIn(_ choices: [any SQLRepresentable]) -> SQLPredicate { .notIn(self, choices) }
}

/// The comparisons with plain values, so that `.long(1)` and `.null` can be written.
extension SQLRepresentable {
    /// `self = value`, or `IS NULL` for the null value.
    ///
    /// ```swift
    /// let ada = try database.fetchAll(Player.self, where: Player.name.equals(.text("Ada")))
    /// ```
    public func equals(_ value: SQLValue) -> SQLPredicate { .equals(self, value) }
    /// `self <> value`, or `IS NOT NULL` for the null value. A row with null does not match.
    public func notEquals(_ value: SQLValue) -> SQLPredicate { .notEquals(self, value) }
    /// `self < value`. A row with null does not match.
    ///
    /// ```swift
    /// let beginners = Player.score.lessThan(.long(3))
    /// ```
    public func lessThan(_ value: SQLValue) -> SQLPredicate { .lessThan(self, value) }
    /// `self <= value`
    public func lessThanOrEqual(_ value: SQLValue) -> SQLPredicate {
        .lessThanOrEqual(self, value)
    }
    /// `self > value`. A row with null does not match.
    ///
    /// ```swift
    /// let recent = Player.joined.greaterThan(SQLValue(Date.now - 86_400, as: .text))
    /// ```
    public func greaterThan(_ value: SQLValue) -> SQLPredicate { .greaterThan(self, value) }
    /// `self >= value`
    public func greaterThanOrEqual(_ value: SQLValue) -> SQLPredicate {
        .greaterThanOrEqual(self, value)
    }
    /// `self LIKE value`: `%` matches any string, `_` any character; ASCII letters match in either
    /// case.
    ///
    /// ```swift
    /// let found = try database.count(Player.self, where: Player.name.like(.text("%ada%")))
    /// ```
    public func like(_ value: SQLValue) -> SQLPredicate { .like(self, value) }
    /// `self BETWEEN min AND max`, both bounds included.
    ///
    /// ```swift
    /// let middle = Player.score.between(min: .long(10), max: .long(20))
    /// ```
    public func between(min: SQLValue, max: SQLValue) -> SQLPredicate {
        .between(self, min: min, max: max)
    }
    /// `self IN (…)`; always false without values.
    ///
    /// ```swift
    /// let ids: [Int64] = [1, 2, 3]
    /// let some = try database.fetchAll(Player.self, where: Player.id.in(ids.map { .long($0) }))
    /// ```
    public func `in`(_ values: [SQLValue]) -> SQLPredicate { .in(self, values) }
}
