public import FleeceLite

/// A value in a query: of a result column, or of a parameter.
///
/// ```swift
/// let parameters: QueryParameters = ["least": 30, "name": "Ada", "isMember": true]
/// ```
/// Missing is the absence of a value, as of a property that a document does not have; null is a
/// value.
public enum QueryValue: Sendable {
    /// The absence of a value.
    case missing
    /// JSON's null.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer above the range of `Int64`.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// A string.
    case string(String)
    /// Binary data.
    case data([UInt8])
    /// An array.
    case array(FleeceArray)
    /// A dictionary.
    case dictionary(FleeceDictionary)
}

extension QueryValue {
    /// Creates the value of a document's value; an undefined one is missing.
    public init(_ value: FleeceValue) {
        switch value.kind {
        case .undefined: self = .missing
        case .null: self = .null
        case .bool: self = .boolean(value.bool ?? false)
        case .integer: self = value.int.map { .integer($0) } ?? .unsigned(value.uint ?? 0)
        case .double: self = .real(value.double ?? 0)
        case .string: self = .string(value.string ?? "")
        case .data: self = .data(value.data ?? [])
        case .array: self = value.array.map { .array($0) } ?? .missing
        case .dictionary: self = value.dictionary.map { .dictionary($0) } ?? .missing
        }
    }

    /// Encodes a value of any `Encodable` type, such as an array for `IN $list` or a date.
    ///
    /// - Throws: `EncodingError`.
    public init(encoding value: some Encodable) throws {
        self.init(try FleeceDocument(validating: FleeceRowEncoder().encode(value)).root)
    }

    /// Parses a value from JSON text.
    ///
    /// - Throws: `FleeceError` if the text is not valid JSON.
    public init(json: String) throws {
        // The root of a document is an object or an array: other values are wrapped in an array.
        let first = json.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self.init(try FleeceDocument(json: json).root)
            return
        }
        guard let array = try FleeceDocument(json: "[\(json)]").root.array, array.count == 1 else {
            throw FleeceError(.jsonError, "a JSON text is one value")
        }
        self.init(array[0])
    }
}

extension QueryValue {
    /// The value as JSON; `null` if it is missing.
    ///
    /// - Throws: `FleeceError` if the document is damaged.
    public func json() throws -> String {
        if isMissing { return "null" }
        var encoder = FleeceEncoder()
        try encoder.write(self)
        return try FleeceDocument(trusted: encoder.finish()).root.json()
    }
}

// Each accessor returns nil for a value of another kind.
extension QueryValue {
    /// Whether there is no value.
    public var isMissing: Bool { if case .missing = self { true } else { false } }

    /// Whether it is JSON's null.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean.
    public var bool: Bool? { if case .boolean(let bool) = self { bool } else { nil } }

    /// The integer; also a floating-point number with an integral value. Nil for integers above the
    /// range of `Int64`, which are ``unsigned(_:)``.
    public var int: Int64? {
        switch self {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number of any kind; a large integer is rounded.
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The binary data.
    public var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

    /// The array.
    public var array: FleeceArray? { if case .array(let array) = self { array } else { nil } }

    /// The dictionary.
    public var dictionary: FleeceDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// The property of a dictionary; missing if it does not exist.
    public subscript(key: String) -> QueryValue {
        dictionary?[key].map { QueryValue($0) } ?? .missing
    }

    /// The element of an array; missing if it does not exist.
    public subscript(index: Int) -> QueryValue {
        guard let array, index >= 0, index < array.count else { return .missing }
        return QueryValue(array[index])
    }
}

extension QueryValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// JSON's null.
    public init(nilLiteral: ()) { self = .null }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

/// Values are equal if they have the same kind and content; numbers of all kinds are compared by
/// their numeric value.
extension QueryValue: Hashable {
    /// Whether two values are equal.
    public static func == (one: QueryValue, other: QueryValue) -> Bool {
        switch (one, other) {
        case (.missing, .missing), (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.integer(let one), .real(let other)), (.real(let other), .integer(let one)):
            Int64(exactly: other) == one
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.data(let one), .data(let other)): one == other
        case (.array(let one), .array(let other)): one.elementsEqual(other)
        case (.dictionary(let one), .dictionary(let other)):
            one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
        default: false
        }
    }

    /// Hashes the value, so that equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .missing: hasher.combine(0)
        case .null: hasher.combine(1)
        case .boolean(let bool): hasher.combine(bool)
        case .integer, .real, .unsigned: hasher.combine(double)
        case .string(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .data(let bytes): hasher.combine(bytes)
        case .array(let array): for value in array { hasher.combine(value) }
        case .dictionary(let dictionary): hasher.combine(dictionary.count)
        }
    }
}
