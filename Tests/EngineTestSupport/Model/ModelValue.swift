internal import FleeceLite
package import QueryEngine
internal import QueryLanguage

/// A string compared by its bytes: for Swift an é of one code point and one of two are equal.
package struct ModelString: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
    package let utf8: [UInt8]

    init(_ text: String) { utf8 = Array(text.utf8) }
    package init(stringLiteral text: String) { self.init(text) }

    package var string: String { String(decoding: utf8, as: UTF8.self) }

    package static func < (one: ModelString, other: ModelString) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// A value in memory, for the reference evaluator.
package indirect enum ModelValue: Hashable, Sendable {
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case text(ModelString)
    case data([UInt8])
    case array([ModelValue])
    case object([ModelString: ModelValue])

    package static func text(_ text: String) -> ModelValue { .text(ModelString(text)) }
}

// Properties of all values.
extension ModelValue {
    init(_ value: FleeceValue) { self.init(QueryValue(value)) }

    package init(_ value: QueryValue) {
        switch value {
        case .missing: self = .missing
        case .null: self = .null
        case .boolean(let bool): self = .boolean(bool)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .unsigned(number)
        case .real(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        case .array(let array): self = .array(array.map { ModelValue($0) })
        case .dictionary(let dictionary):
            self = .object(
                Dictionary(
                    dictionary.map { (ModelString($0.key), ModelValue($0.value)) },
                    uniquingKeysWith: { $1 }))
        }
    }

    init(_ literal: QueryLiteral) {
        switch literal {
        case .missing: self = .missing
        case .null: self = .null
        case .boolean(let bool): self = .boolean(bool)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .unsigned(number)
        case .real(let number): self = .real(number)
        case .string(let text): self = .text(text)
        }
    }
}

extension ModelValue {
    package var isMissing: Bool { self == .missing }

    /// Whether it is neither MISSING nor null.
    var isValued: Bool { self != .missing && self != .null }

    var string: String? { if case .text(let text) = self { text.string } else { nil } }

    var elements: [ModelValue]? { if case .array(let values) = self { values } else { nil } }

    var isCollection: Bool {
        switch self {
        case .array, .object, .data: true
        default: false
        }
    }

    /// The same for all equal values: a floating-point number without a fraction is an integer.
    package var canonical: ModelValue {
        switch self {
        case .real(let number): Int64(exactly: number).map { .integer($0) } ?? self
        case .array(let values): .array(values.map(\.canonical))
        case .object(let members): .object(members.mapValues(\.canonical))
        default: self
        }
    }

    /// The value of a number.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The value of a path.
    func at(_ path: ArraySlice<PropertyPath.Component>) -> ModelValue {
        path.reduce(self) { value, step in
            switch (step, value) {
            case (.key(let key), .object(let members)): return members[ModelString(key)] ?? .missing
            case (.index(let index), .array(let values)):
                let position = index < 0 ? values.count + index : index
                return values.indices.contains(position) ? values[position] : .missing
            default: return .missing
            }
        }
    }

    /// An array, or a dictionary's values in the order of its keys; any other value except MISSING
    /// is the only item.
    var items: [ModelValue] {
        switch self {
        case .missing: []
        case .array(let values): values
        case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
        default: [self]
        }
    }

    /// An array or dictionary as Fleece, which determines its order.
    var fleece: [UInt8] {
        var encoder = FleeceEncoder()
        guard (try? write(to: &encoder)) != nil else { return [] }
        return (try? encoder.finish()) ?? []
    }

    private func write(to encoder: inout FleeceEncoder) throws {
        switch self {
        case .missing, .null: encoder.writeNull()
        case .boolean(let bool): encoder.writeBool(bool)
        case .integer(let number): encoder.writeInt(number)
        case .unsigned(let number): encoder.writeUInt(number)
        case .real(let number): try encoder.writeDouble(number)
        case .text(let text): encoder.writeString(text.string)
        case .data(let bytes): encoder.writeData(bytes)
        case .array(let values):
            encoder.beginArray()
            for value in values { try value.write(to: &encoder) }
            try encoder.endArray()
        case .object(let members):
            encoder.beginDictionary()
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                try encoder.writeKey(key.string)
                try value.write(to: &encoder)
            }
            try encoder.endDictionary()
        }
    }
}

extension ModelValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "MISSING"
        case .data(let bytes): "data\(bytes)"
        default: json(isSigned: false)
        }
    }

    /// JSON with sorted keys and without whitespace. If `isSigned`, an integer beyond `Int64` is
    /// written as the negative one with the same bits, as in SQL.
    func json(isSigned: Bool) -> String {
        switch self {
        case .missing, .null, .data: "null"
        case .boolean(let bool): "\(bool)"
        case .integer(let number): "\(number)"
        case .unsigned(let number): isSigned ? "\(Int64(bitPattern: number))" : "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): Self.quoted(text)
        case .array(let values):
            "[" + values.map { $0.json(isSigned: isSigned) }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }
                .map { Self.quoted($0.key) + ":" + $0.value.json(isSigned: isSigned) }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: ModelString) -> String {
        var json = "\""
        for scalar in text.string.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\t": json += "\\t"
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
