/// A type that is written and read as a scalar, or as an array of scalars, without going through
/// its `Codable` conformance.
protocol FleeceScalar {
    /// The reason why this value cannot be written; nil if it can.
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal?
    /// Writes a value that has no `refusal`.
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws
    static func read(_ value: RawValue, _ source: DecodingSource) throws(ReadFailure) -> Self

    // The same for `ScalarType`, which knows the type by another name: a value, or an array of
    // values, at a pointer. The default implementations are specialized for each type, which
    // methods with a type parameter would not be.

    static func refusal(
        at pointer: UnsafeRawPointer, isArray: Bool, _ dates: FleeceRowEncoder.DateForm
    ) -> WriteRefusal?
    static func write(
        at pointer: UnsafeRawPointer, isArray: Bool, into encoder: inout FleeceEncoder,
        _ dates: FleeceRowEncoder.DateForm
    ) throws
    static func read(
        _ value: RawValue, _ source: DecodingSource, isArray: Bool,
        at pointer: UnsafeMutableRawPointer
    ) throws(ReadFailure)
}

/// The reason why a value cannot be written.
struct WriteRefusal {
    let message: String
    /// The index of the array element that cannot be written.
    var index: Int?
}

/// The reason why a value could not be read.
struct ReadFailure: Error {
    enum Reason {
        /// The value is null or undefined.
        case null
        /// The value is of another type.
        case mismatch
        /// The value has the right type, but is out of its range or malformed.
        case invalid(String)
    }

    let reason: Reason
    /// The value that was found.
    let found: RawValue
    /// The array element that could not be read, and its type.
    var element: (index: Int, type: Any.Type)?

    /// The value is null, or is of another type.
    static func mismatch(_ found: RawValue) -> ReadFailure {
        ReadFailure(reason: found.isNil ? .null : .mismatch, found: found)
    }

    static func invalid(_ message: String, _ found: RawValue) -> ReadFailure {
        ReadFailure(reason: .invalid(message), found: found)
    }
}

extension FleeceScalar {
    @inline(__always)
    func refusal(_ dates: FleeceRowEncoder.DateForm) -> WriteRefusal? { nil }

    static func refusal(
        at pointer: UnsafeRawPointer, isArray: Bool, _ dates: FleeceRowEncoder.DateForm
    ) -> WriteRefusal? {
        guard isArray else {
            return pointer.assumingMemoryBound(to: Self.self).pointee.refusal(dates)
        }
        let elements = pointer.assumingMemoryBound(to: [Self].self).pointee
        for index in elements.indices {
            if let refusal = elements[index].refusal(dates) {
                return WriteRefusal(message: refusal.message, index: index)
            }
        }
        return nil
    }

    static func write(
        at pointer: UnsafeRawPointer, isArray: Bool, into encoder: inout FleeceEncoder,
        _ dates: FleeceRowEncoder.DateForm
    ) throws {
        guard isArray else {
            return try pointer.assumingMemoryBound(to: Self.self).pointee
                .write(into: &encoder, dates)
        }
        encoder.beginArray()
        for element in pointer.assumingMemoryBound(to: [Self].self).pointee {
            try element.write(into: &encoder, dates)
        }
        try encoder.endArray()
    }

    static func read(
        _ value: RawValue, _ source: DecodingSource, isArray: Bool,
        at pointer: UnsafeMutableRawPointer
    ) throws(ReadFailure) {
        if isArray {
            pointer.initializeMemory(as: [Self].self, to: try readArray(value, source))
        } else {
            pointer.initializeMemory(as: Self.self, to: try read(value, source))
        }
    }

    private static func readArray(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> [Self] {
        guard let slots = value.array else { throw .mismatch(value) }
        try source.spend(slots: slots.count, on: value)
        var elements: [Self] = []
        elements.reserveCapacity(slots.count)
        for index in 0..<slots.count {
            guard let slot = slots.slot(index) else {
                throw ReadFailure(
                    reason: .invalid("corrupt bytes"), found: value, element: (index, Self.self))
            }
            do throws(ReadFailure) {
                elements.append(try read(slot, source))
            } catch {
                throw ReadFailure(
                    reason: error.reason, found: error.found, element: (index, Self.self))
            }
        }
        return elements
    }
}

extension RawValue {
    /// Whether the value is null or undefined.
    @inline(__always)
    var isNil: Bool {
        guard has(2) else { return false }
        return byte(0) == FleeceSpecial.null || byte(0) == FleeceSpecial.undefined
    }

    /// Whether the bytes end before the value that the first byte announces.
    var isCorrupt: Bool {
        guard has(2) else { return true }
        switch tag {
        case FleeceTag.integer: return integer == nil
        case FleeceTag.float: return floatingPoint == nil
        case FleeceTag.string, FleeceTag.data: return bytes(tag: tag) == nil
        case FleeceTag.array: return array == nil
        case FleeceTag.dictionary: return dictionary == nil
        default: return false
        }
    }

    /// A description of the kind, for messages; never of the content.
    var kindName: String {
        guard has(2) else { return "corrupt bytes" }
        switch tag {
        case FleeceTag.shortInteger, FleeceTag.integer: return "an integer"
        case FleeceTag.float: return "a floating-point number"
        case FleeceTag.string: return "a string"
        case FleeceTag.data: return "data"
        case FleeceTag.array: return "an array"
        case FleeceTag.dictionary: return "a dictionary"
        default: break
        }
        switch byte(0) {
        case FleeceSpecial.true, FleeceSpecial.false: return "a Boolean"
        case FleeceSpecial.undefined: return "undefined"
        default: return "null"
        }
    }
}

extension Bool: FleeceScalar {
    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeBool(self)
    }

    @inline(__always)
    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> Bool {
        guard value.has(2) else { throw .mismatch(value) }
        switch value.byte(0) {
        case FleeceSpecial.true: return true
        case FleeceSpecial.false: return false
        default: throw .mismatch(value)
        }
    }
}

extension String: FleeceScalar {
    @inline(__always)
    func write(into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm) throws {
        encoder.writeString(self)
    }

    @inline(__always)
    static func read(
        _ value: RawValue, _ source: DecodingSource
    ) throws(ReadFailure) -> String {
        guard let bytes = value.string else { throw .mismatch(value) }
        if bytes.count > 14 { try source.spend(bytes.count, on: value) }
        guard bytes.isASCII || UTF8Validation.firstInvalid(in: bytes) == nil else {
            throw .invalid("the string is not UTF-8", value)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate var isASCII: Bool {
        let high: UInt64 = 0x8080_8080_8080_8080
        guard count > 16, let base = baseAddress else {
            let words = KeyWords(self)
            return (words.low | words.high) & high == 0
        }
        // The last load may overlap the one before.
        var bits = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        var position = 0
        while position &+ 8 <= count {
            bits |= base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position &+= 8
        }
        return bits & high == 0
    }
}
