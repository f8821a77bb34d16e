// Arithmetic and logic of key paths: `\.price * \.count`, `\.isMember && \.age > 30`.

/// The sum of a property and a constant.
///
/// ```swift
/// let query = from(voyages).where(\.days + 7 > \.mostDays).select(\.days + 1)
/// ```
/// A missing operand makes the result missing; null and strings that are not numbers count as 0.
/// This holds for the overloads below, too.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + right }
}

/// The sum of a constant and a property: `7 + \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left + $0[keyPath: right] }
}

/// The sum of a property and another property: `\.mostDays + \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + $0[keyPath: right] }
}

/// The sum of an expression and a constant: `(\.days + 1) + 7`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + right }
}

/// The sum of an expression and a property: `(\.days + 1) + \.mostDays`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + $0[keyPath: right] }
}

/// The sum of a property and an expression: `\.mostDays + (\.days + 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] + right.term($0) }
}

/// The sum of an expression and another expression: `(\.days + 1) + (\.mostDays - 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func + <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) + right.term($0) }
}

/// The difference of a property and a constant.
///
/// ```swift
/// let query = from(voyages).orderBy((\.mostDays - 1).descending).select(\.ship)
/// ```
/// Missing, null and other types are treated as for the sum, in all overloads.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - right }
}

/// The difference of a constant and a property: `7 - \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left - $0[keyPath: right] }
}

/// The difference of a property and another property: `\.mostDays - \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - $0[keyPath: right] }
}

/// The difference of an expression and a constant: `(\.days + 1) - 7`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - right }
}

/// The difference of an expression and a property: `(\.days + 1) - \.mostDays`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - $0[keyPath: right] }
}

/// The difference of a property and an expression: `\.mostDays - (\.days + 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] - right.term($0) }
}

/// The difference of an expression and another expression: `(\.days + 1) - (\.mostDays - 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func - <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) - right.term($0) }
}

/// The product of a property and a constant.
///
/// ```swift
/// let query = from(voyages).where(\.days * 24 > 1000)
/// ```
/// Missing, null and other types are treated as for the sum, in all overloads.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * right }
}

/// The product of a constant and a property: `7 * \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left * $0[keyPath: right] }
}

/// The product of a property and another property: `\.mostDays * \.days`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * $0[keyPath: right] }
}

/// The product of an expression and a constant: `(\.days + 1) * 7`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * right }
}

/// The product of an expression and a property: `(\.days + 1) * \.mostDays`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * $0[keyPath: right] }
}

/// The product of a property and an expression: `\.mostDays * (\.days + 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] * right.term($0) }
}

/// The product of an expression and another expression: `(\.days + 1) * (\.mostDays - 1)`.
///
/// Missing if an operand is; other types as for a property and a constant.
public func * <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) * right.term($0) }
}

/// The remainder of the division of a property by a constant.
///
/// ```swift
/// let query = from(voyages).where(\.days % 7 == 0)
/// ```
/// Both operands are truncated to integers. It is missing if the second one is 0.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % right }
}

/// The remainder of the division of a constant by a property: `7 % \.days`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left % $0[keyPath: right] }
}

/// The remainder of the division of a property by another property: `\.mostDays % \.days`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % $0[keyPath: right] }
}

/// The remainder of the division of an expression by a constant: `(\.days + 1) % 7`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % right }
}

/// The remainder of the division of an expression by a property: `(\.days + 1) % \.mostDays`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % $0[keyPath: right] }
}

/// The remainder of the division of a property by an expression: `\.mostDays % (\.days + 1)`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { $0[keyPath: left] % right.term($0) }
}

/// The remainder of the division of an expression by another expression: `(\.days + 1) %
/// (\.mostDays - 1)`.
///
/// Missing if an operand is, or the second one is 0; both are truncated to integers.
public func % <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Value> {
    QueryPathTerm { left.term($0) % right.term($0) }
}

/// The exact quotient of a property and a constant.
///
/// ```swift
/// let query = from(voyages).where(\.days / 7 > 2.5).select(\.ship)
/// ```
/// It is a floating-point number also for integers. It is null, which is greater than all numbers,
/// if the second operand is 0, and missing if an operand is.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / right }
}

/// The exact quotient of a constant and a property: `7 / \.days`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left / $0[keyPath: right] }
}

/// The exact quotient of a property and another property: `\.mostDays / \.days`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / $0[keyPath: right] }
}

/// The exact quotient of an expression and a constant: `(\.days + 1) / 7`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / right }
}

/// The exact quotient of an expression and a property: `(\.days + 1) / \.mostDays`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / $0[keyPath: right] }
}

/// The exact quotient of a property and an expression: `\.mostDays / (\.days + 1)`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { $0[keyPath: left] / right.term($0) }
}

/// The exact quotient of an expression and another expression: `(\.days + 1) / (\.mostDays - 1)`.
///
/// Missing if an operand is, and null if the second one is 0.
public func / <Root, Value: QueryNumberValue>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Double?> {
    QueryPathTerm { left.term($0) / right.term($0) }
}

/// Whether both conditions are true, of two properties.
///
/// ```swift
/// let query = from(voyages).where(\.isOver && \.isPaid).select(\.ship)
/// ```
/// False if one of them is false, and otherwise missing if one is missing. Null counts as false.
public func && <Root>(
    left: QueryPath<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] && $0[keyPath: right] }
}

/// Whether both conditions are true, of a property and an expression: `\.isOver && \.days > 7`.
///
/// False if one of them is false, and otherwise missing if one is missing.
public func && <Root>(
    left: QueryPath<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] && right.term($0) }
}

/// Whether both conditions are true, of an expression and a property: `\.days > 7 && \.isOver`.
///
/// False if one of them is false, and otherwise missing if one is missing.
public func && <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) && $0[keyPath: right] }
}

/// Whether both conditions are true, of two expressions: `\.days > 7 && \.days < 30`.
///
/// False if one of them is false, and otherwise missing if one is missing.
public func && <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) && right.term($0) }
}

/// Whether at least one of two conditions is true, of two properties.
///
/// ```swift
/// let query = from(voyages).where(\.isOver || \.isPaid).select(\.ship)
/// ```
/// True if one of them is true, and otherwise missing if one is missing. Null counts as false.
public func || <Root>(
    left: QueryPath<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] || $0[keyPath: right] }
}

/// Whether at least one of two conditions is true, of a property and an expression: `\.isOver ||
/// \.days > 7`.
///
/// True if one of them is true, and otherwise missing if one is missing.
public func || <Root>(
    left: QueryPath<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] || right.term($0) }
}

/// Whether at least one of two conditions is true, of an expression and a property: `\.days > 7 ||
/// \.isOver`.
///
/// True if one of them is true, and otherwise missing if one is missing.
public func || <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPath<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) || $0[keyPath: right] }
}

/// Whether at least one of two conditions is true, of two expressions: `\.days > 7 || \.days < 30`.
///
/// True if one of them is true, and otherwise missing if one is missing.
public func || <Root>(
    left: QueryPathTerm<Root, Bool>, right: QueryPathTerm<Root, Bool>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) || right.term($0) }
}

/// Whether a Boolean property is not true; missing if the property is missing.
///
/// ```swift
/// let query = from(voyages).where(!\.isOver && !\.stops.isEmpty).select(\.ship)
/// ```
/// Null counts as not true.
public prefix func ! <Root>(condition: QueryPath<Root, Bool>) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { !$0[keyPath: condition] }
}

/// Whether a condition is not true; missing if the condition is missing.
///
/// ```swift
/// let query = from(voyages).where(!(\.days > 7 || \.isOver)).select(\.ship)
/// ```
/// Documents for which the condition is missing are not selected, with or without `!`.
public prefix func ! <Root>(condition: QueryPathTerm<Root, Bool>) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { !condition.term($0) }
}
