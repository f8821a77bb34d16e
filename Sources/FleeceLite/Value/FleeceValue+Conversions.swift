/// The conversions of Couchbase Lite's API: unlike `int`, `bool` and the others, which are nil for
/// a value of another kind, most of these have a result for every value.
extension FleeceValue {
    /// Whether it is stored as an integer: 1.0 is not.
    public var isInteger: Bool { raw.tag <= FleeceTag.integer }

    /// Whether it is stored as an unsigned integer. Integers from JSON are, from 2,048 on.
    ///
    /// The form does not affect comparisons: it matters only for the bytes of the document.
    public var isUnsigned: Bool { raw.tag == FleeceTag.integer && raw.byte(0) & 0x08 != 0 }

    /// Whether it is a double-precision number, even if it is stored in 4 bytes.
    ///
    /// It is false for a number that ``FleeceEncoder/writeFloat(_:)`` wrote.
    public var isDouble: Bool { raw.tag == FleeceTag.float && raw.byte(0) & 0x0C != 0 }

    /// False for null, false, `undefined` and the number zero; true for everything else, including
    /// NaN and an empty string or collection.
    ///
    /// (The reference converts the number to an integer, so that 0.5 is false there.)
    ///
    /// ```swift
    /// let isPublic = value["public"]?.asBool ?? false
    /// ```
    /// See ``bool`` for an accessor that does not convert.
    public var asBool: Bool {
        switch kind {
        case .undefined, .null: false
        case .bool: bool == true
        case .integer: (raw.integer?.bits ?? 0) != 0
        case .double: (raw.floatingPoint?.value ?? 0) != 0
        case .string, .data, .array, .dictionary: true
        }
    }

    /// A number without its fraction, 1 for true, 0 for everything else.
    ///
    /// A number out of the range of `Int64` is clamped, NaN becomes 0. A string is 0 even if it
    /// consists of digits. See ``int`` for an accessor that does not convert.
    public var asInt: Int64 {
        if let integer = raw.integer {
            return integer.isUnsigned && integer.bits < 0 ? .max : integer.bits
        }
        return raw.floatingPoint.map { Self.clamped($0.value) } ?? (bool == true ? 1 : 0)
    }

    /// A number without its fraction, 1 for true, 0 for everything else.
    ///
    /// A number out of the range of `UInt64` is clamped: a negative one becomes 0. NaN becomes 0.
    /// See ``uint`` for an accessor that does not convert.
    public var asUInt: UInt64 {
        if let integer = raw.integer {
            return integer.isUnsigned || integer.bits >= 0 ? UInt64(bitPattern: integer.bits) : 0
        }
        return raw.floatingPoint.map { Self.clamped($0.value) } ?? (bool == true ? 1 : 0)
    }

    /// A number, rounded if it is a large integer; 1 for true, 0 for everything else.
    ///
    /// See ``double`` for an accessor that is nil for other kinds.
    public var asDouble: Double { double ?? (bool == true ? 1 : 0) }

    /// A number, rounded to single precision (infinite if it is too large for that); 1 for true, 0
    /// for everything else.
    ///
    /// An integer is rounded once, directly to single precision.
    public var asFloat: Float {
        if let integer = raw.integer {
            return integer.isUnsigned
                ? Float(UInt64(bitPattern: integer.bits)) : Float(integer.bits)
        }
        return Float(asDouble)
    }

    /// A scalar as text: a string unchanged, a number as ``JSONWriter`` writes it (including `inf`,
    /// `-inf` and `nan`), `true`, `false`, `null`, `undefined`; nil for data and collections.
    ///
    /// ```swift
    /// let cells = fleeceArray.map { $0.text ?? $0.description }
    /// ```
    /// To show a value of any kind, use its ``description``.
    public var text: String? {
        switch kind {
        case .undefined: return "undefined"
        case .null: return "null"
        case .bool: return bool == true ? "true" : "false"
        case .integer:
            guard let integer = raw.integer else { return nil }
            return integer.isUnsigned
                ? String(UInt64(bitPattern: integer.bits)) : String(integer.bits)
        case .double:
            guard let (number, isSingle) = raw.floatingPoint else { return nil }
            return isSingle ? Float(number).description : number.description
        case .string: return string
        case .data, .array, .dictionary: return nil
        }
    }

    /// A timestamp: a number as milliseconds since 1970, as ``asInt`` converts it; a string that is
    /// a date in the form of ``FleeceTimestamp``; nil for everything else.
    ///
    /// ```swift
    /// let joined = value["joined"]?.asTimestamp()?.milliseconds
    /// ```
    /// - Parameter zoneMinutes: the offset from UTC, in minutes to the east, of a text without a
    ///   zone (default: 0). (The reference uses the machine's time zone.)
    /// - Returns: the timestamp.
    public func asTimestamp(zoneMinutes: Int = 0) -> FleeceTimestamp? {
        switch kind {
        case .integer, .double: double.map { _ in FleeceTimestamp(milliseconds: asInt) }
        case .string:
            string.flatMap { FleeceTimestamp(parsing: $0, zoneMinutes: zoneMinutes) }
        default: nil
        }
    }

    private static func clamped<T: FixedWidthInteger>(_ number: Double) -> T {
        guard !number.isNaN else { return 0 }
        return T(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
