public import SQLCore

extension SQLRepresentable {
    /// `self op other`
    public func compare(_ op: SQLComparison, _ other: any SQLRepresentable) -> SQLPredicate {
        .compare(self, op, other)
    }

    /// `self = other`, or `IS NULL` for the null value.
    public func equals(_ other: any SQLRepresentable) -> SQLPredicate { .equals(self, other) }
    /// `self <> other`, or `IS NOT NULL` for the null value.
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
    /// `self IS NULL`
    public func isNull() -> SQLPredicate { .isNull(self) }
    /// `self IS NOT NULL`
    public func isNotNull() -> SQLPredicate { .isNotNull(self) }
    /// `self BETWEEN min AND max`, both bounds included.
    public func between(
        min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate { .between(self, min: min, max: max) }
    /// `self NOT BETWEEN min AND max`
    public func notBetween(
        min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate { .notBetween(self, min: min, max: max) }
    /// `self IN (…)`
    public func `in`(_ choices: [any SQLRepresentable]) -> SQLPredicate { .in(self, choices) }
    /// `self NOT IN (…)`
    public func notIn(_ choices: [any SQLRepresentable]) -> SQLPredicate { .notIn(self, choices) }
}

/// The comparisons with plain values, so that `.long(1)` and `.null` can be written.
extension SQLRepresentable {
    /// `self = value`, or `IS NULL`.
    public func equals(_ value: SQLValue) -> SQLPredicate { .equals(self, value) }
    /// `self <> value`, or `IS NOT NULL`.
    public func notEquals(_ value: SQLValue) -> SQLPredicate { .notEquals(self, value) }
    /// `self < value`
    public func lessThan(_ value: SQLValue) -> SQLPredicate { .lessThan(self, value) }
    /// `self <= value`
    public func lessThanOrEqual(_ value: SQLValue) -> SQLPredicate {
        .lessThanOrEqual(self, value)
    }
    /// `self > value`
    public func greaterThan(_ value: SQLValue) -> SQLPredicate { .greaterThan(self, value) }
    /// `self >= value`
    public func greaterThanOrEqual(_ value: SQLValue) -> SQLPredicate {
        .greaterThanOrEqual(self, value)
    }
    /// `self LIKE value`
    public func like(_ value: SQLValue) -> SQLPredicate { .like(self, value) }
    /// `self BETWEEN min AND max`, both bounds included.
    public func between(min: SQLValue, max: SQLValue) -> SQLPredicate {
        .between(self, min: min, max: max)
    }
    /// `self IN (…)`
    public func `in`(_ values: [SQLValue]) -> SQLPredicate { .in(self, values) }
}
