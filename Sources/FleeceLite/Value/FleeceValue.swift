/// A value in a Fleece document.
///
/// ```swift
/// let name = document.root["name"]?["last"]?.string
/// ```
public struct FleeceValue: @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` keeps its bytes, which never change.
    /// What keeps its bytes.
    package let document: FleeceDocument
    let raw: RawValue

    /// The types of values.
    public enum Kind: Sendable {
        /// A value that JSON does not have, or bytes that are no value.
        case undefined
        /// JSON's scalars; an integer is one by the way it is stored, not by its value.
        case null, bool, integer, double, string
        /// Bytes, which JSON does not have.
        case data
        /// Collections.
        case array, dictionary
    }

    /// What it is; `undefined` also for bytes that are no value.
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

    /// The text of a string; bytes that are not UTF-8 are repaired.
    var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }

    /// A number of either kind, rounded if it is a large integer.
    var double: Double? {
        if let number = floatingPoint { return number.value }
        guard let integer else { return nil }
        return integer.isUnsigned
            ? Double(UInt64(bitPattern: integer.bits)) : Double(integer.bits)
    }
}

extension FleeceValue {
    /// True for `null`.
    public var isNull: Bool { kind == .null }

    /// The value of a Boolean, nil for anything else.
    public var bool: Bool? { raw.bool }

    /// The value of an integer within the range of `Int64`, nil for anything else.
    public var int: Int64? { raw.int }

    /// The value of an integer that is not negative, nil for anything else.
    public var uint: UInt64? {
        guard let integer = raw.integer, integer.isUnsigned || integer.bits >= 0 else {
            return nil
        }
        return UInt64(bitPattern: integer.bits)
    }

    /// The value of a number of either kind, rounded if it is a large integer; else nil.
    public var double: Double? { raw.double }

    /// The text of a string, nil for anything else; bytes that are not UTF-8 are repaired.
    public var string: String? { raw.text }

    /// The bytes of data, nil for anything else.
    public var data: [UInt8]? {
        raw.bytes(tag: FleeceTag.data).map { [UInt8]($0) }
    }

    /// The array, nil for anything else.
    public var array: FleeceArray? {
        raw.array.map { FleeceArray(document: document, raw: $0) }
    }

    /// The dictionary, nil for anything else.
    public var dictionary: FleeceDictionary? {
        raw.dictionary.map { FleeceDictionary(document: document, raw: $0) }
    }

    /// A dictionary's value for a key, nil if this is not a dictionary or has no such key.
    public subscript(key: String) -> FleeceValue? { dictionary?[key] }

    /// A dictionary's value for a prepared key, nil if this is not a dictionary or has no such key.
    public subscript(key: FleeceKey) -> FleeceValue? { dictionary?[key] }

    /// An array's element, nil outside the array or if this is none.
    public subscript(index: Int) -> FleeceValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension FleeceValue: Comparable {
    /// Whether both mean the same, in whichever documents and forms they are.
    ///
    /// 1, 1 as unsigned and 1.0 are equal, also 0.0 and −0.0; strings are equal if their bytes
    /// are; dictionaries if they have equal values for the same keys, those that are `undefined`
    /// aside.
    public static func == (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) == 0
    }

    /// Orders by kind first: `undefined`, null, false, true, numbers, strings, data, arrays,
    /// dictionaries. Strings and data are ordered by their bytes, arrays by their first difference,
    /// dictionaries by that of their keys and values, sorted by key.
    public static func < (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) < 0
    }

    private static func order(_ left: FleeceValue, _ right: FleeceValue) -> Int {
        var comparison = ValueComparison(.init(left.document), .init(right.document))
        return withExtendedLifetime((left, right)) { comparison.compare(left.raw, right.raw) }
    }
}

extension FleeceValue: Hashable {
    /// Of a collection only the size counts: values that differ deep inside may have one hash.
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
