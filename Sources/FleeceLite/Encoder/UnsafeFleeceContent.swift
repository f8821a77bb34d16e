/// What a value is and holds, found out at one glance; what it refers to is borrowed, as
/// `UnsafeFleeceValue` is.
package enum UnsafeFleeceContent {
    /// A value that JSON does not have, or bytes that are no value.
    case undefined
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer beyond those of `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case string(UnsafeRawBufferPointer)
    case data(UnsafeRawBufferPointer)
    case array
    case dictionary
}

extension UnsafeFleeceValue {
    /// What it is and holds.
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
    /// Copies a borrowed value, all that is in it included, as `write(_:maximumBytes:)` does.
    ///
    /// Throws `.invalidData` where its bytes are corrupt or a key has no name, `.outOfRange` where
    /// it stands for far more bytes than it has or is too deep; the encoder then has to be
    /// `reset()`.
    package mutating func write(_ value: UnsafeFleeceValue) throws {
        // All that is in it stands before its limit.
        let size = value.raw.limit - Int(value.raw.lowest)
        try value.document._withUnsafeGuaranteedRef {
            try copy(value.raw, of: $0, budget: FleeceLimits.copyBudget(forBytes: size))
        }
    }

    /// Writes a string of borrowed bytes that need not be UTF-8.
    package mutating func writeText(_ utf8: UnsafeRawBufferPointer) {
        writeString(utf8)
    }

    /// Writes borrowed bytes as data.
    package mutating func writeBytes(_ bytes: UnsafeRawBufferPointer) {
        writeData(bytes)
    }

    /// Writes a key of borrowed bytes.
    ///
    /// Throws `.encodeError` outside a dictionary, or where a value is due.
    package mutating func writeKeyText(_ utf8: UnsafeRawBufferPointer) throws {
        try writeKey(utf8)
    }

    /// Writes any double, also one that is not a number, which becomes null.
    package mutating func writeReal(_ value: Double) {
        if value.isNaN { writeNull() } else { writeNumber(value) }
    }
}
