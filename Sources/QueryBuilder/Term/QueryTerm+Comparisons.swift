internal import QueryLanguage

// Comparisons of terms with values and with each other. A missing value is neither equal nor
// different, less nor greater; `== nil` tests whether it is missing or null.

/// Whether two values are equal.
public func == <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether two values are equal.
public func == <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.equal.exchanged, left)
}

/// Whether two values are equal.
public func == <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether two values are equal.
public func == <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether two values are equal.
public func == <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether both values exist and differ.
public func != <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether both values exist and differ.
public func != <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.notEqual.exchanged, left)
}

/// Whether both values exist and differ.
public func != <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether both values exist and differ.
public func != <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether both values exist and differ.
public func != <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether the first value is less.
public func < <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether the first value is less.
public func < <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.less.exchanged, left)
}

/// Whether the first value is less.
public func < <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether the first value is less.
public func < <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether the first value is less.
public func < <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether the first value is less or equal.
public func <= <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether the first value is less or equal.
public func <= <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.lessOrEqual.exchanged, left)
}

/// Whether the first value is less or equal.
public func <= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether the first value is less or equal.
public func <= <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether the first value is less or equal.
public func <= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether the first value is greater.
public func > <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether the first value is greater.
public func > <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.greater.exchanged, left)
}

/// Whether the first value is greater.
public func > <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether the first value is greater.
public func > <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether the first value is greater.
public func > <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether the first value is greater or equal.
public func >= <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether the first value is greater or equal.
public func >= <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.greaterOrEqual.exchanged, left)
}

/// Whether the first value is greater or equal.
public func >= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether the first value is greater or equal.
public func >= <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether the first value is greater or equal.
public func >= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}
