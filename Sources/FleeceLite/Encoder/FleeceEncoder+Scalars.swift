extension FleeceEncoder {
    /// Writes `null`. In a dictionary, it differs from a key that is not written.
    @inline(__always)
    public mutating func writeNull() { items.append(.inline(FleeceSpecial.null, 0)) }

    /// Writes a Boolean, which takes no bytes beyond its slot in the collection.
    public mutating func writeBool(_ value: Bool) {
        items.append(.inline(value ? FleeceSpecial.true : FleeceSpecial.false, 0))
    }

    /// Writes `undefined`, which JSON does not have.
    ///
    /// It becomes `null` in JSON. In a dictionary that inherits from another one, it deletes the
    /// inherited property; see ``beginDictionary(inheriting:)``.
    public mutating func writeUndefined() { items.append(.inline(FleeceSpecial.undefined, 0)) }

    /// Writes an integer in as few bytes as hold it and its sign.
    ///
    /// Integers from −2,048 to 2,047 take no bytes beyond their slot in the collection; others take
    /// 4 to 10 bytes.
    @inline(__always)
    public mutating func writeInt(_ value: Int64) {
        if value >= -2048, value < 2048 {
            return items.append(.shortInteger(Int(value)))
        }
        writeInteger(
            UInt64(bitPattern: value), byteCount: Self.byteCount(ofSigned: value), flag: 0)
    }

    /// Writes an integer in as few bytes as hold it and its sign.
    ///
    /// Integers from −2,048 to 2,047 take no bytes beyond their slot in the collection; others take
    /// 4 to 10 bytes.
    @inline(__always)
    public mutating func writeInt(_ value: Int) { writeInt(Int64(value)) }

    /// Writes an integer that is marked unsigned if it takes more than 12 bits.
    ///
    /// Use it for numbers above `Int64.max`. JSON's natural numbers are written in this form as
    /// well.
    @inline(__always)
    public mutating func writeUInt(_ value: UInt64) {
        if value < 2048 { return items.append(.shortInteger(Int(value))) }
        let bits = 64 &- value.leadingZeroBitCount
        writeInteger(value, byteCount: (bits &+ 7) / 8, flag: 0x08)
    }

    /// Writes a double, in 4 bytes if the value is unchanged by that, otherwise in 8.
    ///
    /// A whole number remains a double: JSON of it has a decimal point, and ``FleeceValue/int`` is
    /// nil. Infinity is written, but becomes `null` in JSON.
    ///
    /// - Parameter value: any number except NaN.
    /// - Throws: ``FleeceError/Code/invalidData`` for NaN, as the reference does; nothing is
    ///   written then.
    public mutating func writeDouble(_ value: Double) throws {
        guard !value.isNaN else { throw FleeceError(.invalidData, "NaN cannot be written") }
        writeNumber(value)
    }

    /// Writes a single-precision number, in 4 bytes.
    ///
    /// JSON of it has the digits of a `Float`: 0.1 remains 0.1.
    ///
    /// - Parameter value: any number except NaN.
    /// - Throws: ``FleeceError/Code/invalidData`` for NaN, as the reference does; nothing is
    ///   written then.
    public mutating func writeFloat(_ value: Float) throws {
        guard !value.isNaN else { throw FleeceError(.invalidData, "NaN cannot be written") }
        writeNumber(header: 0x20, UInt64(value.bitPattern), byteCount: 4)
    }
}

extension FleeceEncoder {
    /// The number of bytes that a signed integer takes.
    static func byteCount(ofSigned value: Int64) -> Int {
        let magnitude = value < 0 ? ~value : value
        return (64 &- magnitude.leadingZeroBitCount &+ 8) / 8
    }

    /// Writes a double that is not NaN.
    @inline(__always)
    mutating func writeNumber(_ value: Double) {
        let single = Float(value)
        if Double(single) == value, single.isFinite {
            writeNumber(header: 0x24, UInt64(single.bitPattern), byteCount: 4)
        } else {
            writeNumber(header: 0x28, value.bitPattern, byteCount: 8)
        }
    }

    @inline(__always)
    private mutating func writeNumber(header: UInt16, _ bits: UInt64, byteCount: Int) {
        items.append(.pointer(to: output.count))
        output.reserve(16)
        output.end.storeBytes(of: header.littleEndian, as: UInt16.self)
        output.end.storeBytes(of: bits.littleEndian, toByteOffset: 2, as: UInt64.self)
        output.extend(2 &+ byteCount)
    }

    /// Writes an integer of more than 12 bits.
    @inline(__always)
    private mutating func writeInteger(_ bits: UInt64, byteCount: Int, flag: UInt8) {
        items.append(.pointer(to: output.count))
        output.reserve(16)
        let header = FleeceTag.integer << 4 | flag | UInt8(truncatingIfNeeded: byteCount &- 1)
        // Bytes beyond the integer's own are zeroed: one of them may be padding.
        let mask = UInt64.max >> UInt64(64 &- 8 &* byteCount)
        output.end.storeBytes(of: header, as: UInt8.self)
        output.end.storeBytes(of: (bits & mask).littleEndian, toByteOffset: 1, as: UInt64.self)
        output.end.storeBytes(of: 0, toByteOffset: 9, as: UInt8.self)
        output.extend((byteCount &+ 2) & ~1)
    }
}
