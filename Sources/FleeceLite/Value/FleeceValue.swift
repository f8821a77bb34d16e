/// A value in a Fleece document.
///
/// ```swift
/// let name = document.root["name"]?["last"]?.string
/// ```
public struct FleeceValue: @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` retains its bytes, which never change.
    /// The document that retains its bytes.
    package let document: FleeceDocument
    let raw: RawValue

    /// The kinds of values.
    public enum Kind: Sendable {
        /// A value that JSON does not have, or bytes that are not a value.
        case undefined
        /// JSON's scalars; a number is an integer by its stored form, not by its value.
        case null, bool, integer, double, string
        /// Bytes, which JSON does not have.
        case data
        /// Collections.
        case array, dictionary
    }

    /// The kind of the value; `undefined` also for bytes that are not a value.
    public var kind: Kind { raw.kind }
}

extension RawValue {
    var kind: FleeceValue.Kind {
        switch tag {
        case FleeceTag.shortInteger, FleeceTag.integer: .integer
        case FleeceTag.float: .double
        case FleeceTag.special: specialKind
        case FleeceTag.string: .string
        case FleeceTag.data: .data
        case FleeceTag.array: .array
        case FleeceTag.dictionary: .dictionary
        default: .undefined
        }
    }

    private var specialKind: FleeceValue.Kind {
        guard has(2) else { return .undefined }
        switch byte(0) {
        case FleeceSpecial.true, FleeceSpecial.false: return .bool
        case FleeceSpecial.undefined: return .undefined
        default: return .null
        }
    }

    var bool: Bool? { kind == .bool ? byte(0) == FleeceSpecial.true : nil }

    /// The value of an integer within the range of `Int64`.
    var int: Int64? {
        guard let integer, !integer.isUnsigned || integer.bits >= 0 else { return nil }
        return integer.bits
    }

    /// The value of a string; invalid UTF-8 is replaced.
    var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }

    /// The value of any number, rounded if it is a large integer.
    var double: Double? {
        if let number = floatingPoint { return number.value }
        guard let integer else { return nil }
        return integer.isUnsigned
            ? Double(UInt64(bitPattern: integer.bits)) : Double(integer.bits)
    }
}

extension FleeceValue {
    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The value of a Boolean; nil for any other kind.
    public var bool: Bool? { raw.bool }

    /// The value of an integer within the range of `Int64`; nil for any other value.
    ///
    /// A floating-point number is not an integer, even if it is whole: use ``asInt`` to convert any
    /// value.
    public var int: Int64? { raw.int }

    /// The value of an integer that is not negative; nil for any other value.
    ///
    /// Use ``asUInt`` to convert any value.
    public var uint: UInt64? {
        guard let integer = raw.integer, integer.isUnsigned || integer.bits >= 0 else {
            return nil
        }
        return UInt64(bitPattern: integer.bits)
    }

    /// The value of any number; nil for any other kind.
    ///
    /// An integer of more than 53 bits is rounded to the nearest double.
    public var double: Double? { raw.double }

    /// The value of a string; nil for any other kind.
    ///
    /// Each call creates a new `String`. Invalid UTF-8, which only unvalidated documents can
    /// contain, is replaced with U+FFFD. Use ``text`` to convert other scalars to text.
    public var string: String? { raw.text }

    /// A copy of the bytes of data; nil for any other kind.
    ///
    /// Data that was converted from JSON is a Base64 string instead, since JSON has no data.
    public var data: [UInt8]? {
        raw.bytes(tag: FleeceTag.data).map { [UInt8]($0) }
    }

    /// The array; nil for any other kind.
    public var array: FleeceArray? {
        raw.array.map { FleeceArray(document: document, raw: $0) }
    }

    /// The dictionary; nil for any other kind.
    public var dictionary: FleeceDictionary? {
        raw.dictionary.map { FleeceDictionary(document: document, raw: $0) }
    }

    /// The value of a key in a dictionary; nil if this is not a dictionary or has no such key.
    ///
    /// The lookup is a binary search. For repeated lookups of the same key, use a ``FleeceKey``;
    /// for nested values, a ``PropertyPath``.
    public subscript(key: String) -> FleeceValue? { dictionary?[key] }

    /// The value of a prepared key in a dictionary; nil if this is not a
    /// dictionary or has no such key.
    public subscript(key: FleeceKey) -> FleeceValue? { dictionary?[key] }

    /// An element of an array; nil outside the array or if this is not an array.
    ///
    /// A negative index is outside the array; see ``FleeceArray/subscript(at:)`` for indexes from
    /// the end.
    public subscript(index: Int) -> FleeceValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension FleeceValue: Comparable {
    /// Returns whether both values are equal, regardless of their documents and stored forms.
    ///
    /// 1, 1 as unsigned and 1.0 are equal, as are 0.0 and −0.0; strings are equal if
    /// their bytes are; dictionaries if they have equal values for the same keys, not
    /// counting `undefined` values.
    public static func == (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) == 0
    }

    /// Orders by kind first: `undefined`, null, false, true, numbers, strings, data, arrays,
    /// dictionaries. Strings and data are ordered by their bytes, arrays by their first difference,
    /// dictionaries by the first difference of their keys and values, sorted by key.
    public static func < (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) < 0
    }

    private static func order(_ left: FleeceValue, _ right: FleeceValue) -> Int {
        var comparison = ValueComparison(.init(left.document), .init(right.document))
        return withExtendedLifetime((left, right)) { comparison.compare(left.raw, right.raw) }
    }
}

extension FleeceValue: Hashable {
    /// Hashes a scalar's value, but only the size of a collection: values that differ inside may
    /// have the same hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ValueComparison.rank(raw))
        if let number = FleeceNumber(raw) {
            number.hash(into: &hasher)
        } else if let bytes = raw.string ?? raw.bytes(tag: FleeceTag.data) {
            hasher.combine(bytes: bytes)
        } else if let array = raw.array {
            hasher.combine(array.count)
        } else if let dictionary = dictionary {
            hasher.combine(dictionary.count { $0.value.kind != .undefined })
        }
    }
}
