public import QueryEngine

/// A type that is encoded as a string and supports string operations in queries.
///
/// A type of a program that is encoded as a string can conform to it, so that its properties have
/// methods such as ``QueryTerm/hasPrefix(_:)``:
///
/// ```swift
/// extension Currency: QueryStringValue {}
/// ```
public protocol QueryStringValue {}

extension String: QueryStringValue {}
extension Optional: QueryStringValue where Wrapped: QueryStringValue {}
extension QueryValue: QueryStringValue {}

/// A type that is encoded as a number, whose terms have arithmetic and aggregates such as
/// `QueryTerm.sum`.
///
/// The numeric types of Swift conform to it. A type of a program can conform to it if it is encoded
/// as a plain number.
public protocol QueryNumberValue {}

extension Int: QueryNumberValue {}
extension Int8: QueryNumberValue {}
extension Int16: QueryNumberValue {}
extension Int32: QueryNumberValue {}
extension Int64: QueryNumberValue {}
extension UInt: QueryNumberValue {}
extension UInt8: QueryNumberValue {}
extension UInt16: QueryNumberValue {}
extension UInt32: QueryNumberValue {}
extension UInt64: QueryNumberValue {}
extension Float: QueryNumberValue {}
extension Double: QueryNumberValue {}
extension Optional: QueryNumberValue where Wrapped: QueryNumberValue {}
extension QueryValue: QueryNumberValue {}

/// A type that is encoded as an array, whose terms have elements and conditions such as
/// ``QueryTerm/any(_:)``.
///
/// `Array`, `ContiguousArray` and `Set` conform to it, and so do optionals of them.
public protocol QueryArrayValue<Element> {
    /// The type of the elements.
    associatedtype Element: Codable
}

extension Array: QueryArrayValue where Element: Codable {}
extension ContiguousArray: QueryArrayValue where Element: Codable {}
extension Set: QueryArrayValue where Element: Codable {}
extension Optional: QueryArrayValue where Wrapped: QueryArrayValue {
    /// The elements of the array, if there is one.
    public typealias Element = Wrapped.Element
}

/// A type that is encoded as a dictionary with arbitrary keys, whose terms have a value for each
/// key.
///
/// `Dictionary` with string keys conforms to it, and so do optionals of it. Types with fixed
/// properties need not: their key paths are used.
public protocol QueryDictionaryValue<Entry> {
    /// The type of the dictionary's values.
    associatedtype Entry: Codable
}

extension Dictionary: QueryDictionaryValue where Key == String, Value: Codable {
    /// The type of the dictionary's values.
    public typealias Entry = Value
}
extension Optional: QueryDictionaryValue where Wrapped: QueryDictionaryValue {
    /// The type of the dictionary's values, if there is one.
    public typealias Entry = Wrapped.Entry
}
