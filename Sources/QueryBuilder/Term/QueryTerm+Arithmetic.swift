internal import QueryLanguage

// Arithmetic; a missing operand makes the result missing.

/// The sum of a number and a constant.
///
/// ```swift
/// let query = from(voyages).select { ($0.ship, $0.days + 1) }
/// ```
/// A missing operand makes the sum missing; null and strings that are not numbers count as 0,
/// Booleans as 0 and 1. A sum of integers beyond 64 bits is a floating-point number. Both operands
/// have the same type in Swift; use ``QueryTerm/as(_:)`` for others.
public func + <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.add, [$0, $1]) }
}

/// The sum of a constant and a number, such as `1 + $0.days`.
///
/// Missing, null and other types are treated as with the constant on the right.
public func + <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.add, [$0, $1]) }
}

/// The sum of two numbers, such as `$0.days + $0.mostDays`.
///
/// Missing, null and other types are treated as with a constant on the right.
public func + <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.add, [$0, $1]) }
}

/// The difference of a number and a constant.
///
/// ```swift
/// let query = from(voyages).where { $0.mostDays - 1 > $0.days }
/// ```
/// Missing, null and other types are treated as for the sum of numbers.
public func - <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.subtract, [$0, $1]) }
}

/// The difference of a constant and a number, such as `100 - $0.days`.
///
/// Missing, null and other types are treated as with the constant on the right.
public func - <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.subtract, [$0, $1]) }
}

/// The difference of two numbers, such as `$0.mostDays - $0.days`.
///
/// Missing, null and other types are treated as with a constant on the right.
public func - <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.subtract, [$0, $1]) }
}

/// The product of a number and a constant.
///
/// ```swift
/// let query = from(voyages).select { ($0.ship, $0.days * 24) }
/// ```
/// Missing, null and other types are treated as for the sum of numbers.
public func * <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.multiply, [$0, $1]) }
}

/// The product of a constant and a number, such as `24 * $0.days`.
///
/// Missing, null and other types are treated as with the constant on the right.
public func * <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.multiply, [$0, $1]) }
}

/// The product of two numbers, such as `$0.days * $0.mostDays`.
///
/// Missing, null and other types are treated as with a constant on the right.
public func * <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.multiply, [$0, $1]) }
}

/// The remainder of the division of a number by a constant.
///
/// ```swift
/// let query = from(voyages).where { $0.days % 7 == 0 }
/// ```
/// Both operands are truncated to integers, and the remainder has the sign of the first one. It is
/// missing if an operand is missing or the second one is 0.
public func % <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.modulo, [$0, $1]) }
}

/// The remainder of the division of a constant by a number, such as `365 % $0.days`.
///
/// Missing, null and other types are treated as with the constant on the right.
public func % <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.modulo, [$0, $1]) }
}

/// The remainder of the division of two numbers, such as `$0.mostDays % $0.days`.
///
/// Missing, null and other types are treated as with a constant on the right.
public func % <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.modulo, [$0, $1]) }
}

/// The exact quotient of a number and a constant, also of integers.
///
/// ```swift
/// let query = from(voyages).select { ($0.ship, $0.days / 7) }  // (String, Double?)
/// ```
/// It is missing if an operand is missing, and null, thus nil in rows, if the second one is 0. Null
/// is greater than all numbers, so exclude 0 in a condition such as `$0.a / $0.b > 5`. For the
/// integral quotient call `idiv`.
public func / <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Double?> {
    left.with(QueryTerm(right, left.coding)) { .operation(.divide, [$0, $1]) }
}

/// The exact quotient of a constant and a number, also of integers, such as `365 / $0.days`.
///
/// Missing, null and other types are treated as with the constant on the right.
public func / <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Double?> {
    QueryTerm(left, right.coding).with(right) { .operation(.divide, [$0, $1]) }
}

/// The exact quotient of two numbers, also of integers, such as `$0.budget /
/// $0.days.as(Double.self)`.
///
/// Missing, null and other types are treated as with a constant on the right.
public func / <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Double?> {
    left.with(right) { .operation(.divide, [$0, $1]) }
}

/// The negated number; missing for a missing one.
///
/// ```swift
/// let query = from(voyages).orderBy { (-$0.days).ascending }
/// ```
public prefix func - <Value: QueryNumberValue>(number: QueryTerm<Value>) -> QueryTerm<Value> {
    number.derived(.operation(.subtract, [number.expression]))
}

/// The concatenation of two strings.
///
/// ```swift
/// let names = from(persons).select { $0.name.first + " " + $0.name.last }
/// ```
/// A missing string makes the result missing, while null becomes the text `null`; use `??` for a
/// default.
public func + <Value: QueryStringValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.concatenate, [$0, $1]) }
}

/// The concatenation of a string and a constant; missing if the string is.
///
/// ```swift
/// let names = from(persons).select { $0.name.last + "," }
/// ```
public func + <Value: QueryStringValue>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Value> {
    left + QueryTerm(right, left.coding)
}

/// The concatenation of a constant and a string; missing if the string is.
///
/// ```swift
/// let names = from(persons).select { "Dr. " + $0.name.last }
/// ```
public func + <Value: QueryStringValue>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Value> {
    QueryTerm(left, right.coding) + right
}

/// The first value, or the second if the first is missing or null.
///
/// ```swift
/// let query = from(persons).select { $0.email ?? $0.name.last }  // String
/// ```
/// The second one may be missing too, which is a `DecodingError` in a row whose type is not
/// optional.
public func ?? <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Value> {
    left.with(right) { .function("ifmissingornull", [$0, $1]) }
}

/// The value of a term, or a default if it is missing or null.
///
/// ```swift
/// let query = from(persons).select { $0.email ?? "none" }.orderBy { $0.email ?? "" }
/// ```
/// The result is not optional, so it can be compared and selected without nil. An index on the
/// property does not serve a comparison with the result.
public func ?? <Value>(left: QueryTerm<Value?>, right: Value) -> QueryTerm<Value> {
    left ?? QueryTerm<Value>(right, left.coding)
}
