public import QueryEngine

/// A type that documents have as a text, and whose values can be asked what texts can be asked.
public protocol QueryStringValue {}

extension String: QueryStringValue {}
extension Optional: QueryStringValue where Wrapped: QueryStringValue {}
extension QueryValue: QueryStringValue {}

/// A type that documents have as a number.
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

/// A type that documents have as an array.
public protocol QueryArrayValue<Element> {
    /// What the array consists of.
    associatedtype Element: Codable
}

extension Array: QueryArrayValue where Element: Codable {}
extension ContiguousArray: QueryArrayValue where Element: Codable {}
extension Set: QueryArrayValue where Element: Codable {}
extension Optional: QueryArrayValue where Wrapped: QueryArrayValue {
    /// The elements of the array, if there is one.
    public typealias Element = Wrapped.Element
}

/// A type that documents have as a dictionary with keys of its own choice.
public protocol QueryDictionaryValue<Entry> {
    /// What the values of the dictionary are.
    associatedtype Entry: Codable
}

extension Dictionary: QueryDictionaryValue where Key == String, Value: Codable {
    /// The values of the dictionary.
    public typealias Entry = Value
}
extension Optional: QueryDictionaryValue where Wrapped: QueryDictionaryValue {
    /// The values of the dictionary, if there is one.
    public typealias Entry = Wrapped.Entry
}
