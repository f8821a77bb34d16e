extension FleeceEncoder {
    /// Writes `null`.
    public mutating func writeNull() { items.append(.inline(FleeceSpecial.null, 0)) }

    /// Writes a Boolean.
    public mutating func writeBool(_ value: Bool) {
        items.append(.inline(value ? FleeceSpecial.true : FleeceSpecial.false, 0))
    }

    /// Writes `undefined`, which JSON does not have.
    public mutating func writeUndefined() { items.append(.inline(FleeceSpecial.undefined, 0)) }

    /// Writes an integer in as few bytes as hold it and its sign.
    public mutating func writeInt(_ value: Int64) {
        if value >= -2048, value < 2048 {
            return items.append(.shortInteger(Int(value)))
        }
        let magnitude = value < 0 ? ~value : value
        let bits = 64 - magnitude.leadingZeroBitCount + 1
        writeInteger(UInt64(bitPattern: value), byteCount: (bits + 7) / 8, flag: 0)
    }

    /// Writes an integer that is marked unsigned if it takes more than 12 bits.
    public mutating func writeUInt(_ value: UInt64) {
        if value < 2048 { return items.append(.shortInteger(Int(value))) }
        let bits = 64 - value.leadingZeroBitCount
        writeInteger(value, byteCount: (bits + 7) / 8, flag: 0x08)
    }

    private mutating func writeInteger(_ bits: UInt64, byteCount: Int, flag: UInt8) {
        beginValue()
        output.append(FleeceTag.integer << 4 | flag | UInt8(byteCount - 1))
        for index in 0..<byteCount {
            output.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)))
        }
        output.padToEven()
    }

    /// Writes a double, in 4 bytes where that loses nothing.
    ///
    /// Throws `.invalidData` for NaN, as the reference does.
    public mutating func writeDouble(_ value: Double) throws {
        guard !value.isNaN else { throw FleeceError(.invalidData, "NaN cannot be written") }
        beginValue()
        let single = Float(value)
        if Double(single) == value, single.isFinite {
            append(0x24, UInt64(single.bitPattern), byteCount: 4)
        } else {
            append(0x28, value.bitPattern, byteCount: 8)
        }
    }

    /// Writes a single-precision number, in 4 bytes.
    ///
    /// Throws `.invalidData` for NaN, as the reference does.
    public mutating func writeFloat(_ value: Float) throws {
        guard !value.isNaN else { throw FleeceError(.invalidData, "NaN cannot be written") }
        beginValue()
        append(0x20, UInt64(value.bitPattern), byteCount: 4)
    }

    private mutating func append(_ header: UInt8, _ bits: UInt64, byteCount: Int) {
        output.append(header)
        output.append(0)
        for index in 0..<byteCount {
            output.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)))
        }
    }

    /// Writes a string; one of 2 to 15 bytes that was written before is pointed to.
    public mutating func writeString(_ value: String) {
        var value = value
        value.withUTF8 { writeString(UnsafeRawBufferPointer($0)) }
    }

    /// Writes bytes.
    public mutating func writeData(_ value: [UInt8]) {
        value.withUnsafeBytes { writeBytes($0, tag: FleeceTag.data) }
    }
}

extension FleeceEncoder {
    /// Pads the output and makes an item that points to the value about to be written there.
    @inline(__always)
    mutating func beginValue() {
        output.padToEven()
        items.append(.pointer(to: output.count))
    }

    /// Writes UTF-8 as a string.
    @inline(__always)
    mutating func writeString(_ bytes: UnsafeRawBufferPointer) {
        guard FleeceLimits.sharedString.contains(bytes.count) else {
            return writeBytes(bytes, tag: FleeceTag.string)
        }
        let key = KeyWords(bytes)
        let place = strings.place(of: key)
        output.padToEven()
        let reach = FleeceLimits.narrowReach - FleeceLimits.sharedStringMargin
        if let written = strings.position(at: place), output.count - written <= reach {
            return items.append(.pointer(to: written))
        }
        strings.record(key, at: place, position: output.count)
        writeBytes(bytes, tag: FleeceTag.string)
    }

    mutating func writeBytes(_ bytes: UnsafeRawBufferPointer, tag: UInt8) {
        if bytes.count < 2 {
            let header = tag << 4 | UInt8(bytes.count)
            return items.append(.inline(header, bytes.first ?? 0))
        }
        beginValue()
        if bytes.count < 15 {
            output.append(tag << 4 | UInt8(bytes.count))
        } else {
            output.append(tag << 4 | 15)
            output.appendVarint(UInt64(bytes.count))
        }
        output.append(bytes)
        output.padToEven()
    }
}

extension GrowingBuffer where Element == UInt8 {
    mutating func appendVarint(_ value: UInt64) {
        Varint.forEachByte(of: value) { append($0) }
    }
}
