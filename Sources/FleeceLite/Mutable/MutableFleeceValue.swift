/// A mutable value in memory, as opposed to a value in a document.
///
/// ```swift
/// var person: MutableFleeceValue = ["name": "Ada", "tags": ["math", "music"]]
/// person["address"]["city"] = "London"
/// person["tags"][0] = nil
/// person["tags"]?.array?.append("poetry")
/// let city = person["address"]["city"]?.string
/// ```
///
/// It is an enumeration, so that values can be created and matched by case. Literals create it as
/// well, except `nil`, which removes a value where one is set; JSON's null is the case ``null``.
/// Variables are wrapped by its initializers.
///
/// A value that was taken from a document is ``value(_:)``, a ``FleeceValue``, until it is changed.
/// The accessors hide the difference:
///
/// ```swift
/// func shout(_ value: inout MutableFleeceValue) {
///     if let text = value.string { value = .string(text.uppercased()) }
/// }
/// var first = MutableFleeceValue.value(fleeceDictionary["name"] ?? fleece.root)
/// shout(&first)
/// ```
///
/// Copies are independent of each other, and cost nothing until one is changed. Changes through
/// subscripts, paths, ``array`` and ``dictionary`` are made in place.
///
/// Values are equal if they have the same meaning, in memory or in a document: 1, 1.0 and an
/// unsigned 1 are.
///
/// See also ``MutableFleeceDictionary``, ``MutableFleeceArray`` and <doc:MutableValues>.
public enum MutableFleeceValue: Sendable {
    /// JSON's null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case int(Int64)
    /// An integer that is written as unsigned.
    case uint(UInt64)
    /// A single-precision number.
    case float(Float)
    /// A number.
    case double(Double)
    /// A string.
    case string(String)
    /// Bytes, which JSON does not have.
    case data([UInt8])
    /// An array that can be changed.
    case array(MutableFleeceArray)
    /// A dictionary that can be changed.
    case dictionary(MutableFleeceDictionary)
    /// An unchanged value of a document.
    case value(FleeceValue)
}

extension MutableFleeceValue {
    /// The kind of the value, whether it is in memory or in a document.
    public var kind: FleeceValue.Kind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int, .uint: .integer
        case .float, .double: .double
        case .string: .string
        case .data: .data
        case .array: .array
        case .dictionary: .dictionary
        case .value(let value): value.kind
        }
    }

    /// Whether the value is `null`. A missing value is nil instead.
    public var isNull: Bool { kind == .null }

    /// The value of a Boolean; nil for any other kind.
    public var bool: Bool? {
        switch self {
        case .bool(let bool): bool
        case .value(let value): value.bool
        default: nil
        }
    }

    /// The value of an integer within the range of `Int64`; nil for any other value.
    ///
    /// A floating-point number is not an integer, even if it is whole.
    public var int: Int64? {
        switch self {
        case .int(let number): number
        case .uint(let number): Int64(exactly: number)
        case .value(let value): value.int
        default: nil
        }
    }

    /// The value of an integer that is not negative; nil for any other value.
    public var uint: UInt64? {
        switch self {
        case .int(let number): UInt64(exactly: number)
        case .uint(let number): number
        case .value(let value): value.uint
        default: nil
        }
    }

    /// The value of any number, rounded if it is a large integer; nil for any other kind.
    public var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .value(let value): value.double
        default: nil
        }
    }

    /// The value of a string; nil for any other kind. A document's string is copied by each call.
    public var string: String? {
        switch self {
        case .string(let text): text
        case .value(let value): value.string
        default: nil
        }
    }

    /// The bytes of data; nil for any other kind. A document's data is copied by each call.
    public var data: [UInt8]? {
        switch self {
        case .data(let bytes): bytes
        case .value(let value): value.data
        default: nil
        }
    }

    /// The array, which can be modified in place; nil for any other kind. Setting nil leaves
    /// `null`.
    ///
    /// ```swift
    /// var person: MutableFleeceValue = ["tags": ["math"]]
    /// person["tags"]?.array?.append("music")
    /// ```
    public var array: MutableFleeceArray? {
        get {
            switch self {
            case .array(let array): array
            case .value(let value): value.array.map { MutableFleeceArray($0) }
            default: nil
            }
        }
        _modify {
            var array = array
            // There must be a single owner, or the change would copy it.
            if array != nil { self = .null }
            defer { if let array { self = .array(array) } }
            yield &array
        }
    }

    /// The dictionary, which can be modified in place; nil for any other kind. Setting nil leaves
    /// `null`.
    ///
    /// ```swift
    /// var person: MutableFleeceValue = ["address": ["city": "London"]]
    /// person["address"]?.dictionary?.removeAll()
    /// ```
    public var dictionary: MutableFleeceDictionary? {
        get {
            switch self {
            case .dictionary(let dictionary): dictionary
            case .value(let value): value.dictionary.map { MutableFleeceDictionary($0) }
            default: nil
            }
        }
        _modify {
            var dictionary = dictionary
            if dictionary != nil { self = .null }
            defer { if let dictionary { self = .dictionary(dictionary) } }
            yield &dictionary
        }
    }
}
