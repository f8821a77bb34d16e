// Comparisons of key paths: `\.age > 30`, `\.age + 1 > \.limit`.

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left == $0[keyPath: right] }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == $0[keyPath: right] }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left == right.term($0) }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == $0[keyPath: right] }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] == right.term($0) }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right.term($0) }
}

/// Whether two values are equal.
public func == <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) == right }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left != $0[keyPath: right] }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != $0[keyPath: right] }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left != right.term($0) }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != $0[keyPath: right] }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] != right.term($0) }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right.term($0) }
}

/// Whether both values exist and differ.
public func != <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) != right }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left < $0[keyPath: right] }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < $0[keyPath: right] }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left < right.term($0) }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < $0[keyPath: right] }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] < right.term($0) }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right.term($0) }
}

/// Whether the first value is less.
public func < <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) < right }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left <= $0[keyPath: right] }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= $0[keyPath: right] }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left <= right.term($0) }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= $0[keyPath: right] }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] <= right.term($0) }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right.term($0) }
}

/// Whether the first value is less or equal.
public func <= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) <= right }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left > $0[keyPath: right] }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > $0[keyPath: right] }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left > right.term($0) }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > $0[keyPath: right] }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] > right.term($0) }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right.term($0) }
}

/// Whether the first value is greater.
public func > <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) > right }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: Value, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left >= $0[keyPath: right] }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= $0[keyPath: right] }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: Value
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: Value, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left >= right.term($0) }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPath<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= $0[keyPath: right] }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPath<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { $0[keyPath: left] >= right.term($0) }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryPathTerm<Root, Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right.term($0) }
}

/// Whether the first value is greater or equal.
public func >= <Root, Value>(
    left: QueryPathTerm<Root, Value>, right: QueryTerm<Value>
) -> QueryPathTerm<Root, Bool> {
    QueryPathTerm { left.term($0) >= right }
}
