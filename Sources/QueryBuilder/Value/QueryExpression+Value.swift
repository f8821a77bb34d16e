internal import FleeceLite
internal import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A type with a value that stands for none, such as `Optional`.
protocol OptionalQueryValue {}

extension Optional: OptionalQueryValue {}

extension QueryExpression {
    /// The literal of an encoded value, which is never inserted into query text.
    init(_ value: FleeceValue) throws {
        switch value.kind {
        case .undefined: self = .literal(.missing)
        case .null: self = .literal(.null)
        case .bool: self = .literal(.boolean(value.bool ?? false))
        case .integer:
            self = .literal(value.int.map { .integer($0) } ?? .unsigned(value.uint ?? 0))
        case .double:
            let number = value.double ?? 0
            guard number.isFinite else {
                throw StoreError.invalidQuery("\(number) cannot be used in a query")
            }
            self = .literal(.real(number))
        case .string: self = .literal(.string(value.string ?? ""))
        case .data:
            throw StoreError.invalidQuery(
                "data cannot be a literal in a query; use a parameter: parameter(\"data\")")
        case .array: self = .array(try value.array?.map { try Self($0) } ?? [])
        case .dictionary: self = .dictionary(try Self.entries(value))
        }
    }

    private static func entries(_ value: FleeceValue) throws -> [QueryDictionaryEntry] {
        guard let dictionary = value.dictionary else { return [] }
        return try dictionary.map {
            QueryDictionaryEntry(key: $0.key, value: try QueryExpression($0.value))
        }.sortedByKey
    }

    /// The encoded form of a value in the documents of a source.
    init<Value: Encodable>(encoding value: Value, _ coding: PropertyCoding) throws {
        if let value = value as? QueryValue {
            var encoder = FleeceEncoder()
            try encoder.write(value)
            try self.init(FleeceDocument(trusted: encoder.finish()).root)
        } else {
            try self.init(coding.written(value))
        }
    }

    /// A property of the expression's value.
    func reading(_ path: [PropertyPath.Component]) -> QueryExpression {
        if path.isEmpty { return self }
        switch self {
        case .property(let start): return .property(PropertyPath(start.components + path))
        case .variable(let name, let start):
            return .variable(name, PropertyPath(start.components + path))
        case .nested(let value, let start):
            return .nested(value, PropertyPath(start.components + path))
        default: return .nested(self, PropertyPath(path))
        }
    }
}
