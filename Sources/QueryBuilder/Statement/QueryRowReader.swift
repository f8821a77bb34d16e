internal import FleeceLite
internal import QueryEngine

/// A document in the result of a query: the row of a ``SelectQuery`` without a selection.
///
/// ```swift
/// for person in try from(persons).where(\.age > 40).all(in: snapshot) {
///     print(person.id, person.value.name.last, person.age)
/// }
/// ```
/// The properties of the value are properties of the row too, such as `person.age`; only `id`,
/// `sequence` and `value` refer to the document itself.
///
/// It is a copy in memory. To change the document, get it from its collection in a transaction by
/// its ID, or use an ``UpdateQuery``.
@dynamicMemberLookup
public struct QueriedDocument<Value: Codable & Sendable>: Sendable {
    /// The document ID, unique in its collection.
    public let id: String
    /// The sequence of the document's last change, which grows with each change in the collection.
    public let sequence: Int64
    /// The decoded document.
    public let value: Value

    /// A property of the value.
    ///
    /// ```swift
    /// let person = try from(persons).where(\.state == "NY").first(in: snapshot)
    /// print(person?.name.last ?? "none")
    /// ```
    public subscript<Property>(dynamicMember keyPath: KeyPath<Value, Property>) -> Property {
        value[keyPath: keyPath]
    }
}

/// Converts the columns of a result to the selected row type.
struct QueryRowReader<Row>: Sendable {
    let read: @Sendable (_ column: (Int) -> QueryValue) throws -> Row

    /// One value for each column.
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
    /// Decodes the value as a type; a missing value is nil.
    func decoded<Value: Decodable>(
        _ type: Value.Type, _ coding: PropertyCoding
    ) throws -> Value {
        // Values that need no decoder.
        switch self {
        case _ where type == QueryValue.self: if let value = self as? Value { return value }
        case .string(let text): if let value = text as? Value { return value }
        case .integer(let number): if let value = Int(number) as? Value { return value }
        case .real(let number): if let value = number as? Value { return value }
        case .boolean(let bool): if let value = bool as? Value { return value }
        case .array(let array): return try coding.decoder.decode(type, from: array.value)
        case .dictionary(let dictionary):
            return try coding.decoder.decode(type, from: dictionary.value)
        default: break
        }
        var encoder = FleeceEncoder()
        try encoder.write(isMissing ? .null : self)
        return try coding.decoder.decode(
            type, from: FleeceDocument(trusted: encoder.finish()).root)
    }
}
