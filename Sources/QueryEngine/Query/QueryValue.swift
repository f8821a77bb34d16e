public import FleeceLite

/// A value in a query: of a result column, or of a parameter.
///
/// ```swift
/// let parameters: QueryParameters = ["least": 30, "name": "Ada", "isMember": true]
/// let row = try query.rows(in: snapshot, parameters).next()
/// if let age = row?["age"].int { print(age) }
/// ```
/// An accessor such as ``int`` or ``string`` returns nil for a value of another kind; nothing is
/// converted, except between integers and floating-point numbers. Literals of Swift are values:
/// `nil` is null.
///
/// Missing is the absence of a value, as of a property that a document does not have; null is a
/// value. The two differ in conditions (`IS MISSING`, `IS NULL`) and in JSON, which omits missing
/// values:
///
/// ```swift
/// switch row["email"] {
/// case .missing: print("no email")
/// case .null: print("email is null")
/// case .string(let text): print(text)
/// default: print("email is not a string")
/// }
/// ```
/// Arrays and dictionaries are read in place from the encoded row, so they cost no decoding until
/// their elements are read. To convert a whole row, use ``ResultRow/decode(_:with:)``.
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
    ///
    /// ```swift
    /// let parameters: QueryParameters = ["email": QueryValue(value)]
    /// show(try query.rows(in: snapshot, parameters).all())
    /// ```
    /// - Parameter value: the value, whose document the new value keeps in memory if it is an array
    ///   or a dictionary.
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
    /// ```swift
    /// let query = try Query("SELECT name FROM people WHERE state IN $states AND born < $day")
    /// let rows = try query.rows(
    ///     in: snapshot,
    ///     ["states": QueryValue(encoding: ["NY", "CA"]), "day": QueryValue(encoding: Date())])
    /// ```
    /// The value has the form that a typed collection writes by default: a date is a string, so it
    /// compares with dates of documents that are written in the same way.
    ///
    /// - Parameter value: the value.
    /// - Throws: `EncodingError`.
    public init(encoding value: some Encodable) throws {
        self.init(try FleeceDocument(validating: FleeceRowEncoder().encode(value)).root)
    }

    /// Parses a value from JSON text, of any kind.
    ///
    /// ```swift
    /// let list = try QueryValue(json: #"["NY", "CA"]"#)
    /// let number = try QueryValue(json: "1.5")
    /// show(list, number)
    /// ```
    /// - Parameter json: the text of one value, with blanks around it or not.
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
    /// ```swift
    /// print(try row["likes"].json())  // ["chess","tea"]
    /// ```
    /// Data becomes a string in Base64.
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
    /// Whether there is no value: the property or column does not exist, or the result is
    /// undefined.
    ///
    /// It is false for null; `value.isMissing || value.isNull` tests for both.
    public var isMissing: Bool { if case .missing = self { true } else { false } }

    /// Whether it is JSON's null, which is a value.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean; nil for another kind, also for the numbers 0 and 1.
    public var bool: Bool? { if case .boolean(let bool) = self { bool } else { nil } }

    /// The integer; also a floating-point number with an integral value. Nil for integers above the
    /// range of `Int64`, which are ``unsigned(_:)``, and for other kinds.
    ///
    /// ```swift
    /// let age = Int(row["age"].int ?? 0)
    /// ```
    public var int: Int64? {
        switch self {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number of any kind; nil for other kinds. An integer beyond 2^53 is rounded.
    ///
    /// ```swift
    /// let total = try query.rows(in: snapshot).all().reduce(0) { $0 + ($1["age"].double ?? 0) }
    /// ```
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The string; nil for another kind. A date is a string in its encoded form.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The binary data; nil for another kind.
    public var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

    /// The array; nil for another kind.
    ///
    /// ```swift
    /// if let likes = row["likes"].array { print(likes.map { $0.string ?? "?" }) }
    /// ```
    public var array: FleeceArray? { if case .array(let array) = self { array } else { nil } }

    /// The dictionary; nil for another kind. A single property is read without it: `value["name"]`.
    public var dictionary: FleeceDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// The property of a dictionary; missing if it does not exist, or the value is not a
    /// dictionary.
    ///
    /// ```swift
    /// let city = row["address"]["city"].string ?? "?"
    /// ```
    /// - Parameter key: the name of one property; a path is not parsed.
    public subscript(key: String) -> QueryValue {
        dictionary?[key].map { QueryValue($0) } ?? .missing
    }

    /// The element of an array; missing if it does not exist, or the value is not an array.
    ///
    /// ```swift
    /// let favourite = row["likes"][0].string
    /// ```
    /// - Parameter index: the position, from 0; a negative one is missing, unlike in the query
    ///   language.
    public subscript(index: Int) -> QueryValue {
        guard let array, index >= 0, index < array.count else { return .missing }
        return QueryValue(array[index])
    }
}

extension QueryValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// JSON's null, by the literal `nil`; the missing value is `.missing`.
    public init(nilLiteral: ()) { self = .null }
    /// A Boolean, by a literal.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer, by a literal in the range of `Int64`.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A floating-point number, by a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A string, by a literal.
    public init(stringLiteral value: String) { self = .string(value) }
}

/// Values are equal if they have the same kind and content; integers and floating-point numbers are
/// compared by their numeric value, except integers above the range of `Int64`.
extension QueryValue: Hashable {
    /// Whether two values are equal: the same kind and content.
    ///
    /// An integer equals the floating-point number of the same value; `true` does not equal 1.
    /// Strings are equal if their bytes are, unlike in Swift. Arrays and dictionaries are compared
    /// by content.
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
    ///
    /// Of a dictionary only the number of its properties is hashed.
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
