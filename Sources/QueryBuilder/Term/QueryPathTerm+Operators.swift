// Arithmetic and logic of key paths: `\.price * \.count`, `\.isMember && \.age > 30`.

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + right }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left + $0[keyPath: right] }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + $0[keyPath: right] }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + right }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + $0[keyPath: right] }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + right.term($0) }
}

/// The sum of two numbers.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + right.term($0) }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - right }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left - $0[keyPath: right] }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - $0[keyPath: right] }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - right }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - $0[keyPath: right] }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - right.term($0) }
}

/// The difference of two numbers.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - right.term($0) }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * right }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left * $0[keyPath: right] }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * $0[keyPath: right] }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * right }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * $0[keyPath: right] }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * right.term($0) }
}

/// The product of two numbers.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * right.term($0) }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % right }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left % $0[keyPath: right] }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % $0[keyPath: right] }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % right }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % $0[keyPath: right] }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % right.term($0) }
}

/// The remainder of a division.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % right.term($0) }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / right }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left / $0[keyPath: right] }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / $0[keyPath: right] }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / right }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / $0[keyPath: right] }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / right.term($0) }
}

/// The exact quotient of two numbers, also of integers; missing if the second is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / right.term($0) }
}

/// Whether both conditions are true.
public func && <Root>(
    left: QueryPath<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] && $0[keyPath: right] }
}

/// Whether both conditions are true.
public func && <Root>(
    left: QueryPath<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] && right.term($0) }
}

/// Whether both conditions are true.
public func && <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) && $0[keyPath: right] }
}

/// Whether both conditions are true.
public func && <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) && right.term($0) }
}

/// Whether at least one of two conditions is true.
public func || <Root>(
    left: QueryPath<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] || $0[keyPath: right] }
}

/// Whether at least one of two conditions is true.
public func || <Root>(
    left: QueryPath<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] || right.term($0) }
}

/// Whether at least one of two conditions is true.
public func || <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) || $0[keyPath: right] }
}

/// Whether at least one of two conditions is true.
public func || <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) || right.term($0) }
}

/// Whether a condition is not true; missing if the condition is missing.
public prefix func ! <Root>(condition: QueryPath<Root, Bool>) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { !$0[keyPath: condition] }
}

/// Whether a condition is not true; missing if the condition is missing.
public prefix func ! <Root>(condition: QueryPathTerm<Root, Bool>) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { !condition.term($0) }
}
