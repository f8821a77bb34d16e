/// A value in a Fleece document: a scalar, data, an array or a dictionary.
///
/// A value is a position in the bytes of its document, which it retains. Its content is read when
/// it is accessed; nothing is parsed before.
///
/// ```swift
/// let name = fleece.root["name"]?["last"]?.string
/// let firstLike = fleece.root["likes"]?[0]?.string ?? "nothing"
/// ```
///
/// There are two sets of accessors. ``bool``, ``int``, ``uint``, ``double``, ``string``, ``data``,
/// ``array`` and ``dictionary`` are nil for a value of another kind, so that a wrong type is not
/// mistaken for zero. ``asBool``, ``asInt``, ``asUInt``, ``asDouble``, ``asFloat`` and ``text``
/// convert, as Couchbase Lite's API does, and have a result for nearly every value:
///
/// ```swift
/// let age = value.int ?? -1     // -1 for "36", for 36.0 and for null
/// let years = value.asInt       // 36 for 36.9, 1 for true, 0 for "36"
/// let shown = value.text ?? ""  // "36", "true", "null"
/// ```
///
/// To distinguish kinds, use `kind`:
///
/// ```swift
/// switch value.kind {
/// case .array: show(value.array?.count ?? 0)
/// case .dictionary: show(value.dictionary?.keys ?? [])
/// default: show(value)
/// }
/// ```
///
/// **Comparing.** Values are equal if they have the same meaning, regardless of their documents and
/// stored forms. They can be sorted and used in sets.
///
/// **Safety.** Accessors never trap. For corrupt bytes they are nil, and the kind is `undefined`.
///
/// **Concurrency.** A value can be used by any number of threads at the same time.
///
/// **Cost.** Copies of a value retain its document, at the cost of reference counting;
/// ``UnsafeFleeceValue`` is for loops in which that matters. Write a value as JSON with
/// ``json(_:)``, decode it with a ``FleeceRowDecoder``, copy it with
/// ``FleeceEncoder/write(_:maximumBytes:)``.
///
/// See also <doc:ReadingValues>.
public struct FleeceValue: @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` retains its bytes, which never change.
    /// The document that retains its bytes.
    @usableFromInline package let document: FleeceDocument
    @usableFromInline let raw: RawValue

    @inlinable
    init(document: FleeceDocument, raw: RawValue) {
        self.document = document
        self.raw = raw
    }

    /// The kinds of values.
    ///
    /// A number is an integer or a double by its stored form: JSON's `1.0` is stored as a double,
    /// `1` as an integer.
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
    ///
    /// Reading it takes one access to the value's first byte. It does not check the whole value:
    /// the bytes of a string or collection can still be corrupt, and the accessor of its kind is
    /// then nil.
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
    ///
    /// It is false for `undefined`, and for a key that does not exist, whose value is nil.
    public var isNull: Bool { kind == .null }

    /// The value of a Boolean; nil for any other kind.
    ///
    /// Use ``asBool`` to convert any value.
    public var bool: Bool? { raw.bool }

    /// The value of an integer within the range of `Int64`; nil for any other value.
    ///
    /// A floating-point number is not an integer, even if it is whole: use ``asInt`` to convert any
    /// value, or ``double`` to read any number.
    ///
    /// ```swift
    /// let age = value["age"]?.int
    /// let whole = value["age"]?.double.flatMap { Int64(exactly: $0) }
    /// ```
    public var int: Int64? { raw.int }

    /// The value of an integer that is not negative; nil for any other value.
    ///
    /// It reads the integers above `Int64.max`, for which ``int`` is nil. Use ``asUInt`` to convert
    /// any value.
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
    /// contain, is replaced with U+FFFD. Use ``text`` to convert other scalars to text, and
    /// ``UnsafeFleeceValue/utf8`` to read the bytes without a copy.
    public var string: String? { raw.text }

    /// A copy of the bytes of data; nil for any other kind.
    ///
    /// ```swift
    /// let thumbnail = value["thumbnail"]?.data ?? []
    /// ```
    /// Data that was converted from JSON is a Base64 string instead, since JSON has no data.
    public var data: [UInt8]? {
        raw.bytes(tag: FleeceTag.data).map { [UInt8]($0) }
    }

    /// The array; nil for any other kind.
    ///
    /// Nothing is copied. To read a single element, use the subscript with an index.
    public var array: FleeceArray? {
        raw.array.map { FleeceArray(document: document, raw: $0) }
    }

    /// The dictionary; nil for any other kind.
    ///
    /// Nothing is copied. To read a single property, use the subscript with a key.
    public var dictionary: FleeceDictionary? {
        raw.dictionary.map { FleeceDictionary(document: document, raw: $0) }
    }

    /// The value of a key in a dictionary; nil if this is not a dictionary or has no such key.
    ///
    /// ```swift
    /// let city = value["address"]?["city"]?.string
    /// ```
    ///
    /// The lookup is a binary search. For repeated lookups of the same key, use a ``FleeceKey``;
    /// for nested values, a ``PropertyPath``.
    ///
    /// - Parameter key: the key, whether it is stored as a number or as a string.
    public subscript(key: String) -> FleeceValue? { dictionary?[key] }

    /// The value of a prepared key in a dictionary; nil if this is not a dictionary or has no such
    /// key.
    ///
    /// The key is not updated; see ``FleeceDictionary/value(_:)``.
    public subscript(key: FleeceKey) -> FleeceValue? { dictionary?[key] }

    /// An element of an array; nil outside the array or if this is not an array.
    ///
    /// A negative index is outside the array; see ``FleeceArray/subscript(at:)`` for indexes from
    /// the end.
    ///
    /// - Parameter index: the position of the element, from 0.
    public subscript(index: Int) -> FleeceValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension FleeceValue: Comparable {
    /// Returns whether both values are equal, regardless of their documents and stored forms.
    ///
    /// 1, 1 as unsigned and 1.0 are equal, as are 0.0 and −0.0; strings are equal if their bytes
    /// are; dictionaries if they have equal values for the same keys, not counting `undefined`
    /// values.
    ///
    /// ```swift
    /// let one = try FleeceDocument(json: #"{"a": 1, "b": [true]}"#).root
    /// let other = try FleeceDocument(json: #"{"b": [true], "a": 1.0}"#).root
    /// let isSame = one == other  // true
    /// ```
    public static func == (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) == 0
    }

    /// Orders by kind first: `undefined`, null, false, true, numbers, strings, data, arrays,
    /// dictionaries.
    ///
    /// Strings and data are ordered by their bytes, arrays by their first difference, dictionaries
    /// by the first difference of their keys and values, sorted by key. A query has another order
    /// of kinds: null sorts after strings, and Booleans compare as the numbers 0 and 1.
    ///
    /// ```swift
    /// let sorted = fleeceArray.sorted()
    /// let smallest = fleeceArray.min()
    /// ```
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
    ///
    /// A set of many arrays or dictionaries of the same size is therefore slow.
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
