public import QueryEngine

/// A type that is encoded as a string and supports string operations in queries.
public protocol QueryStringValue {}

extension String: QueryStringValue {}
extension Optional: QueryStringValue where Wrapped: QueryStringValue {}
extension QueryValue: QueryStringValue {}

/// A type that is encoded as a number.
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

/// A type that is encoded as an array.
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

/// A type that is encoded as a dictionary with arbitrary keys.
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
