/// The kind and content of a value, determined in one step; what it refers to is borrowed, as with
/// `UnsafeFleeceValue`.
package enum UnsafeFleeceContent {
    /// A value that JSON does not have, or bytes that are not a value.
    case undefined
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case double(Double)
    case string(UnsafeRawBufferPointer)
    case data(UnsafeRawBufferPointer)
    case array
    case dictionary
}

extension UnsafeFleeceValue {
    /// The kind and content of the value.
    package var content: UnsafeFleeceContent {
        guard raw.has(2) else { return .undefined }
        switch raw.byte(0) >> 4 {
        case FleeceTag.string: return raw.string.map { .string($0) } ?? .undefined
        case FleeceTag.shortInteger, FleeceTag.integer:
            guard let integer = raw.integer else { return .undefined }
            guard integer.isUnsigned, integer.bits < 0 else { return .integer(integer.bits) }
            return .unsigned(UInt64(bitPattern: integer.bits))
        case FleeceTag.float: return (raw.floatingPoint?.value).map { .double($0) } ?? .undefined
        case FleeceTag.special: return special
        case FleeceTag.data:
            return raw.bytes(tag: FleeceTag.data).map { .data($0) } ?? .undefined
        case FleeceTag.array: return .array
        case FleeceTag.dictionary: return .dictionary
        default: return .undefined
        }
    }

    private var special: UnsafeFleeceContent {
        switch raw.byte(0) {
        case FleeceSpecial.true: .bool(true)
        case FleeceSpecial.false: .bool(false)
        case FleeceSpecial.undefined: .undefined
        default: .null
        }
    }
}

extension FleeceEncoder {
    /// Copies a borrowed value, including nested values, as `write(_:maximumBytes:)` does.
    ///
    /// Throws `.invalidData` if its bytes are corrupt or a key has no name, `.outOfRange` if it
    /// stands for far more bytes than it has or is too deep; the encoder must then be `reset()`.
    package mutating func write(_ value: UnsafeFleeceValue) throws {
        // All nested values lie before its limit.
        let size = value.raw.limit - Int(value.raw.lowest)
        try value.document._withUnsafeGuaranteedRef {
            try copy(value.raw, of: $0, budget: FleeceLimits.copyBudget(forBytes: size))
        }
    }

    /// Writes a string of borrowed bytes, which need not be UTF-8.
    package mutating func writeText(_ utf8: UnsafeRawBufferPointer) {
        writeString(utf8)
    }

    /// Writes borrowed bytes as data.
    package mutating func writeBytes(_ bytes: UnsafeRawBufferPointer) {
        writeData(bytes)
    }

    /// Writes a key of borrowed bytes.
    ///
    /// Throws `.encodeError` outside a dictionary, or where a value is expected.
    package mutating func writeKeyText(_ utf8: UnsafeRawBufferPointer) throws {
        try writeKey(utf8)
    }

    /// Writes any double; NaN becomes null.
    package mutating func writeReal(_ value: Double) {
        if value.isNaN { writeNull() } else { writeNumber(value) }
    }
}
