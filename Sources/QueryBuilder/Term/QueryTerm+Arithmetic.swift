internal import QueryLanguage

// Arithmetic; a missing operand makes the result missing.

/// The sum of two numbers.
public func + <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.add, [$0, $1]) }
}

/// The sum of two numbers.
public func + <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.add, [$0, $1]) }
}

/// The sum of two numbers.
public func + <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.add, [$0, $1]) }
}

/// The difference of two numbers.
public func - <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.subtract, [$0, $1]) }
}

/// The difference of two numbers.
public func - <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.subtract, [$0, $1]) }
}

/// The difference of two numbers.
public func - <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.subtract, [$0, $1]) }
}

/// The product of two numbers.
public func * <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.multiply, [$0, $1]) }
}

/// The product of two numbers.
public func * <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.multiply, [$0, $1]) }
}

/// The product of two numbers.
public func * <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.multiply, [$0, $1]) }
}

/// The remainder of a division.
public func % <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Value> {
    left.with(QueryTerm(right, left.coding)) { .operation(.modulo, [$0, $1]) }
}

/// The remainder of a division.
public func % <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    QueryTerm(left, right.coding).with(right) { .operation(.modulo, [$0, $1]) }
}

/// The remainder of a division.
public func % <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.modulo, [$0, $1]) }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: Value
) -> QueryTerm<Double?> {
    left.with(QueryTerm(right, left.coding)) { .operation(.divide, [$0, $1]) }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Value: QueryNumberValue>(
    left: Value, right: QueryTerm<Value>
) -> QueryTerm<Double?> {
    QueryTerm(left, right.coding).with(right) { .operation(.divide, [$0, $1]) }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Value: QueryNumberValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Double?> {
    left.with(right) { .operation(.divide, [$0, $1]) }
}

/// The negated number.
public prefix func - <Value: QueryNumberValue>(number: QueryTerm<Value>) -> QueryTerm<Value> {
    number.derived(.operation(.subtract, [number.expression]))
}

/// The concatenation of two strings.
public func + <Value: QueryStringValue>(
    left: QueryTerm<Value>, right: QueryTerm<Value>
) -> QueryTerm<Value> {
    left.with(right) { .operation(.concatenate, [$0, $1]) }
}

/// The concatenation of two strings.
public func + <Value: QueryStringValue>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Value> {
    left + QueryTerm(right, left.coding)
}

/// The concatenation of two strings.
public func + <Value: QueryStringValue>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Value> {
    QueryTerm(left, right.coding) + right
}

/// The first value, or the second if the first is missing or null.
public func ?? <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Value> {
    left.with(right) { .function("ifmissingornull", [$0, $1]) }
}

/// The value of a term, or a default if it is missing or null.
public func ?? <Value>(left: QueryTerm<Value?>, right: Value) -> QueryTerm<Value> {
    left ?? QueryTerm<Value>(right, left.coding)
}
