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
