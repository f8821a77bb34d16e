internal import FleeceLite
public import QueryEngine

extension QueryValue: Codable {
    /// Encodes the value; a missing value is encoded as null.
    ///
    /// A type with a property of this type can therefore contain any JSON value.
    /// ``QueryValue/json()`` is the shorter way to text.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let array):
            var container = encoder.unkeyedContainer()
            for element in array { try container.encode(QueryValue(element)) }
        case .dictionary(let dictionary):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in dictionary {
                try container.encode(QueryValue(value), forKey: Key(key))
            }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .boolean(let bool): try container.encode(bool)
            case .integer(let number): try container.encode(number)
            case .unsigned(let number): try container.encode(number)
            case .real(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .data(let bytes): try container.encode(bytes)
            default: try container.encodeNil()
            }
        }
    }

    /// Decodes a value of any kind.
    ///
    /// ```swift
    /// struct Event: Codable { var kind: String, details: QueryValue }
    /// let events = try query.rows(in: snapshot).all().map { try $0.decode(Event.self) }
    /// print(events.first?.details["size"].int ?? 0)
    /// ```
    /// A dictionary, an array, null, a Boolean, a number or a string is accepted.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var values: [String: QueryValue] = [:]
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(QueryValue.self, forKey: key)
            }
            try self.init(encoding: values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [QueryValue] = []
            while !container.isAtEnd { values.append(try container.decode(QueryValue.self)) }
            try self.init(encoding: values)
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> Self {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .boolean(bool) }
        if let number = try? container.decode(Int64.self) { return .integer(number) }
        if let number = try? container.decode(UInt64.self) { return .unsigned(number) }
        if let number = try? container.decode(Double.self) { return .real(number) }
        return .string(try container.decode(String.self))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
