internal import FleeceLite

/// A document that a query found.
@dynamicMemberLookup
public struct QueriedDocument<Value: Codable & Sendable>: Sendable {
    /// The ID.
    public let id: String
    /// The number of the document's last change.
    public let sequence: Int64
    /// What it holds.
    public let value: Value

    /// A property of the value.
    public subscript<Property>(dynamicMember keyPath: KeyPath<Value, Property>) -> Property {
        value[keyPath: keyPath]
    }
}

/// What makes the row that was asked for of the columns of a result.
struct QueryRowReader<Row>: Sendable {
    let read: @Sendable (_ column: (Int) -> QueryValue) throws -> Row

    /// A column each.
    static func columns<each Value: Codable & Sendable>(
        _ codings: [PropertyCoding]
    ) -> QueryRowReader<(repeat each Value)> {
        QueryRowReader<(repeat each Value)> { column in
            var index = -1
            func next<Element: Decodable>(_ type: Element.Type) throws -> Element {
                index += 1
                return try column(index).decoded(type, codings[index])
            }
            return (repeat try next((each Value).self))
        }
    }

    /// The ID, the sequence and the document.
    static func document<Value>(
        _ coding: PropertyCoding
    ) -> QueryRowReader<QueriedDocument<Value>> {
        QueryRowReader<QueriedDocument<Value>> { column in
            try QueriedDocument(
                id: column(0).decoded(String.self, coding),
                sequence: column(1).decoded(Int64.self, coding),
                value: column(2).decoded(Value.self, coding))
        }
    }
}

extension QueryValue {
    /// The value as one of a type; one that is missing is nil.
    func decoded<Value: Decodable>(
        _ type: Value.Type, _ coding: PropertyCoding
    ) throws -> Value {
        // What needs no decoder.
        switch self {
        case _ where type == QueryValue.self: if let value = self as? Value { return value }
        case .string(let text): if let value = text as? Value { return value }
        case .integer(let number): if let value = Int(number) as? Value { return value }
        case .real(let number): if let value = number as? Value { return value }
        case .boolean(let truth): if let value = truth as? Value { return value }
        default: break
        }
        var encoder = FleeceEncoder()
        try encoder.writeAnyValue(self)
        return try coding.decoder.decode(
            type, from: FleeceDocument(trusted: encoder.finish()).root)
    }
}

extension FleeceEncoder {
    /// Writes a value of a query; a missing one as null.
    fileprivate mutating func writeAnyValue(_ value: QueryValue) throws {
        switch value {
        case .missing, .null: writeNull()
        case .boolean(let truth): writeBool(truth)
        case .integer(let number): writeInt(number)
        case .unsigned(let number): writeUInt(number)
        case .real(let number): try writeDouble(number)
        case .string(let text): writeString(text)
        case .data(let bytes): writeData(bytes)
        case .array(let array):
            beginArray()
            for element in array { try writeAnyValue(QueryValue(element)) }
            try endArray()
        case .dictionary(let dictionary):
            beginDictionary()
            for (key, element) in dictionary {
                try writeKey(key)
                try writeAnyValue(QueryValue(element))
            }
            try endDictionary()
        }
    }
}
