internal import QueryLanguage

// Comparisons of terms with values and with each other. A missing value is neither equal nor
// different, less nor greater; `== nil` tests whether it is missing or null.

/// Whether a value equals a constant.
///
/// ```swift
/// let query = from(persons).where { $0.state == "NY" && $0.email == nil }
/// ```
/// The constant has the form that the collection's encoder writes, so dates, enumerations and whole
/// structures can be compared. A missing value makes the comparison missing, and null equals only
/// null. With `nil` it tests whether the value is missing or null, and is never missing. Values of
/// different types are not equal, except `true` and 1. An index on the value finds the documents.
public func == <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether a constant equals a value, such as `18 == $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func == <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.equal.exchanged, left)
}

/// Whether a value equals another one of the same type, such as `$0.name.first == $0.name.last`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func == <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether an optional value equals one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func == <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether a value equals an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func == <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.equal, right)
}

/// Whether a value exists and differs from a constant.
///
/// ```swift
/// let query = from(persons).where { $0.state != "NY" && $0.email != nil }
/// ```
/// A missing value makes the comparison missing, so documents without the property are not
/// selected; null differs from all other values. With `nil` it tests whether there is a value other
/// than null, and is never missing. No index serves it: it matches almost all documents.
public func != <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether a constant differs from a value, such as `18 != $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func != <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.notEqual.exchanged, left)
}

/// Whether a value differs from another one of the same type, such as `$0.name.first !=
/// $0.name.last`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func != <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether an optional value differs from one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func != <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether a value differs from an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func != <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.notEqual, right)
}

/// Whether a value is less than a constant.
///
/// ```swift
/// let query = from(persons).where { $0.age < 18 && $0.name.last < "M" }
/// ```
/// Strings are compared by their bytes, unless one is `ignoringCase` or `collated`. A missing value
/// makes the comparison missing, and so does `nil`. Values of different types have this order:
/// numbers and Booleans, strings, null, arrays and dictionaries. So a string is greater than any
/// number. Dates are compared as dates, whatever their form. An index on the value finds the
/// documents.
public func < <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether a constant is less than a value, such as `18 < $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func < <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.less.exchanged, left)
}

/// Whether a value is less than another one of the same type, such as `$0.days < $0.mostDays`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func < <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether an optional value is less than one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func < <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether a value is less than an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func < <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.less, right)
}

/// Whether a value is at most a constant; missing values and types as for `<`.
///
/// ```swift
/// let query = from(persons).where { $0.age <= 17 }
/// ```
public func <= <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether a constant is at most a value, such as `18 <= $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func <= <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.lessOrEqual.exchanged, left)
}

/// Whether a value is at most another one of the same type, such as `$0.days <= $0.mostDays`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func <= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether an optional value is at most one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func <= <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether a value is at most an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func <= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.lessOrEqual, right)
}

/// Whether a value is greater than a constant; missing values and types as for `<`.
///
/// ```swift
/// let day = Date(timeIntervalSince1970: 1_700_000_000)
/// let query = from(voyages).where { $0.departed > day }
/// ```
/// A string or null is greater than any number, so it matches `> 30`, too.
public func > <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether a constant is greater than a value, such as `18 > $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func > <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.greater.exchanged, left)
}

/// Whether a value is greater than another one of the same type, such as `$0.days > $0.mostDays`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func > <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether an optional value is greater than one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func > <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether a value is greater than an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func > <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.greater, right)
}

/// Whether a value is at least a constant; missing values and types as for `<`.
///
/// ```swift
/// let query = from(persons).where { $0.age >= 18 && $0.age >= parameter("least") }
/// ```
public func >= <Value>(left: QueryTerm<Value>, right: Value) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether a constant is at least a value, such as `18 >= $0.age`.
///
/// A missing value makes the comparison missing; nil, types and dates are compared as with the
/// constant on the right.
public func >= <Value>(left: Value, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    right.compare(QueryOperator.greaterOrEqual.exchanged, left)
}

/// Whether a value is at least another one of the same type, such as `$0.days >= $0.mostDays`.
///
/// It is missing if one of them is. The other one can be a ``parameter(_:as:)`` or a property of
/// another source.
public func >= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether an optional value is at least one that is not optional.
///
/// It is missing if one of them is, whatever their types in Swift.
public func >= <Value>(left: QueryTerm<Value?>, right: QueryTerm<Value>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}

/// Whether a value is at least an optional one.
///
/// It is missing if one of them is, whatever their types in Swift.
public func >= <Value>(left: QueryTerm<Value>, right: QueryTerm<Value?>) -> QueryTerm<Bool> {
    left.compare(.greaterOrEqual, right)
}
