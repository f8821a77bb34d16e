// Comparisons of key paths: `\.age > 30`, `\.age + 1 > \.limit`.

/// Whether a property equals a constant: `\.state == "NY"`.
///
/// It is missing if the property is missing, unless the constant is `nil`: `\.email == nil` tests
/// whether it is missing or null. The overloads below, and those of terms, compare in the same way.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right }
}

/// Whether a constant equals a property: `30 == \.days`.
public func == <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left == $0[keyPath: right] }
}

/// Whether a property equals another property: `\.days == \.mostDays`.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == $0[keyPath: right] }
}

/// Whether a property equals a term such as a parameter: `\.days == parameter("x")`.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right }
}

/// Whether an expression equals a constant: `\.days + 1 == 30`.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right }
}

/// Whether a constant equals an expression: `30 == \.days + 1`.
public func == <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left == right.term($0) }
}

/// Whether an expression equals a property: `\.days + 1 == \.mostDays`.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == $0[keyPath: right] }
}

/// Whether a property equals an expression: `\.mostDays == \.days + 1`.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right.term($0) }
}

/// Whether an expression equals another expression: `\.days + 1 == \.mostDays * 2`.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right.term($0) }
}

/// Whether an expression equals a term such as a parameter: `\.days + 1 == parameter("x")`.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right }
}

/// Whether a property exists and differs from a constant: `\.state != "NY"`.
///
/// A missing property is not different from anything; `\.email != nil` tests whether it has a value
/// other than null.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right }
}

/// Whether a constant differs from a property: `30 != \.days`.
public func != <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left != $0[keyPath: right] }
}

/// Whether a property differs from another property: `\.days != \.mostDays`.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != $0[keyPath: right] }
}

/// Whether a property differs from a term such as a parameter: `\.days != parameter("x")`.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right }
}

/// Whether an expression differs from a constant: `\.days + 1 != 30`.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right }
}

/// Whether a constant differs from an expression: `30 != \.days + 1`.
public func != <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left != right.term($0) }
}

/// Whether an expression differs from a property: `\.days + 1 != \.mostDays`.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != $0[keyPath: right] }
}

/// Whether a property differs from an expression: `\.mostDays != \.days + 1`.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right.term($0) }
}

/// Whether an expression differs from another expression: `\.days + 1 != \.mostDays * 2`.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right.term($0) }
}

/// Whether an expression differs from a term such as a parameter: `\.days + 1 != parameter("x")`.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right }
}

/// Whether a property is less than a constant: `\.days < 30`.
///
/// It is missing if the property is. Numbers are less than strings, and strings less than null,
/// arrays and dictionaries.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right }
}

/// Whether a constant is less than a property: `30 < \.days`.
public func < <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left < $0[keyPath: right] }
}

/// Whether a property is less than another property: `\.days < \.mostDays`.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < $0[keyPath: right] }
}

/// Whether a property is less than a term such as a parameter: `\.days < parameter("x")`.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right }
}

/// Whether an expression is less than a constant: `\.days + 1 < 30`.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right }
}

/// Whether a constant is less than an expression: `30 < \.days + 1`.
public func < <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left < right.term($0) }
}

/// Whether an expression is less than a property: `\.days + 1 < \.mostDays`.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < $0[keyPath: right] }
}

/// Whether a property is less than an expression: `\.mostDays < \.days + 1`.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right.term($0) }
}

/// Whether an expression is less than another expression: `\.days + 1 < \.mostDays * 2`.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right.term($0) }
}

/// Whether an expression is less than a term such as a parameter: `\.days + 1 < parameter("x")`.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right }
}

/// Whether a property is at most a constant: `\.days <= 30`. Missing values and types as for `<`.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right }
}

/// Whether a constant is at most a property: `30 <= \.days`.
public func <= <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left <= $0[keyPath: right] }
}

/// Whether a property is at most another property: `\.days <= \.mostDays`.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= $0[keyPath: right] }
}

/// Whether a property is at most a term such as a parameter: `\.days <= parameter("x")`.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right }
}

/// Whether an expression is at most a constant: `\.days + 1 <= 30`.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right }
}

/// Whether a constant is at most an expression: `30 <= \.days + 1`.
public func <= <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left <= right.term($0) }
}

/// Whether an expression is at most a property: `\.days + 1 <= \.mostDays`.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= $0[keyPath: right] }
}

/// Whether a property is at most an expression: `\.mostDays <= \.days + 1`.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right.term($0) }
}

/// Whether an expression is at most another expression: `\.days + 1 <= \.mostDays * 2`.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right.term($0) }
}

/// Whether an expression is at most a term such as a parameter: `\.days + 1 <= parameter("x")`.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right }
}

/// Whether a property is greater than a constant: `\.days > 30`. Missing values and types as for
/// `<`.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right }
}

/// Whether a constant is greater than a property: `30 > \.days`.
public func > <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left > $0[keyPath: right] }
}

/// Whether a property is greater than another property: `\.days > \.mostDays`.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > $0[keyPath: right] }
}

/// Whether a property is greater than a term such as a parameter: `\.days > parameter("x")`.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right }
}

/// Whether an expression is greater than a constant: `\.days + 1 > 30`.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right }
}

/// Whether a constant is greater than an expression: `30 > \.days + 1`.
public func > <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left > right.term($0) }
}

/// Whether an expression is greater than a property: `\.days + 1 > \.mostDays`.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > $0[keyPath: right] }
}

/// Whether a property is greater than an expression: `\.mostDays > \.days + 1`.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right.term($0) }
}

/// Whether an expression is greater than another expression: `\.days + 1 > \.mostDays * 2`.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right.term($0) }
}

/// Whether an expression is greater than a term such as a parameter: `\.days + 1 > parameter("x")`.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right }
}

/// Whether a property is at least a constant: `\.days >= 30`. Missing values and types as for `<`.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right }
}

/// Whether a constant is at least a property: `30 >= \.days`.
public func >= <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left >= $0[keyPath: right] }
}

/// Whether a property is at least another property: `\.days >= \.mostDays`.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= $0[keyPath: right] }
}

/// Whether a property is at least a term such as a parameter: `\.days >= parameter("x")`.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right }
}

/// Whether an expression is at least a constant: `\.days + 1 >= 30`.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right }
}

/// Whether a constant is at least an expression: `30 >= \.days + 1`.
public func >= <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left >= right.term($0) }
}

/// Whether an expression is at least a property: `\.days + 1 >= \.mostDays`.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= $0[keyPath: right] }
}

/// Whether a property is at least an expression: `\.mostDays >= \.days + 1`.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right.term($0) }
}

/// Whether an expression is at least another expression: `\.days + 1 >= \.mostDays * 2`.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right.term($0) }
}

/// Whether an expression is at least a term such as a parameter: `\.days + 1 >= parameter("x")`.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right }
}
