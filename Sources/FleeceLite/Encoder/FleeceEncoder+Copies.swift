extension FleeceEncoder {
    /// Copies a value that is not a collection, in its existing form.
    ///
    /// Throws `.invalidData` if it is corrupt. At least 2 bytes of it must be readable.
    @inline(__always)
    mutating func copyScalar(_ value: RawValue) throws {
        switch value.byte(0) >> 4 {
        case FleeceTag.shortInteger:
            items.append(.inline(value.byte(0), value.byte(1)))
        case FleeceTag.special:
            items.append(.inline(value.byte(0), 0))
        case FleeceTag.string:
            let count = Int(value.byte(0) & 0x0F)
            // Most strings have 16 readable bytes.
            guard count < 15, value.has(17) else { return try copyOther(value) }
            let text = value.base + (value.offset &+ 1)
            writeShortString(
                ShortString(
                    low: UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)),
                    high: UInt64(
                        littleEndian: text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    count: count))
        default:
            try copyOther(value)
        }
    }

    @inline(never)
    private mutating func copyOther(_ value: RawValue) throws {
        switch value.tag {
        case FleeceTag.string:
            guard let text = value.string else { throw Self.corrupt("a string", value) }
            writeString(text)
        case FleeceTag.integer:
            guard value.integer != nil else { throw Self.corrupt("an integer", value) }
            copyInteger(value)
        case FleeceTag.float:
            guard value.floatingPoint != nil else {
                throw Self.corrupt("a floating-point number", value)
            }
            items.append(.pointer(to: output.count))
            output.append(value.byte(0))
            output.append(0)
            let count = value.byte(0) & 0x08 != 0 ? 8 : 4
            output.append(
                UnsafeRawBufferPointer(start: value.base + (value.offset + 2), count: count))
        default:
            guard let data = value.bytes(tag: FleeceTag.data) else {
                throw Self.corrupt("data", value)
            }
            writeData(data)
        }
    }

    private static func corrupt(_ what: String, _ value: RawValue) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value.offset)
    }

    /// Puts an integer of at most 4 bytes into the slot, which makes the slots wide if necessary.
    private mutating func copyInteger(_ value: RawValue) {
        let size = Int(value.byte(0) & 7) + 2
        let bytes = UnsafeRawBufferPointer(start: value.base + value.offset, count: size)
        if size <= 4 {
            var bits: UInt32 = 0
            for index in 0..<size { bits |= UInt32(bytes[index]) << UInt32(24 - 8 * index) }
            writeInline(bits, size: size)
        } else {
            items.append(.pointer(to: output.count))
            output.append(bytes)
            output.padToEven()
        }
    }

    /// Writes an integer as the reference does from a mutable collection, where -2048, the number
    /// of the parent key, takes 3 bytes as well.
    mutating func copyInt(_ value: Int64) {
        let size = Self.byteCount(ofSigned: value) + 1
        guard size <= 4, value < -2047 || value > 2047 else { return writeInt(value) }
        writeInline(UInt32(truncatingIfNeeded: value), flag: 0, size: size)
    }

    /// Writes an unsigned integer likewise.
    mutating func copyUInt(_ value: UInt64) {
        let size = (64 - value.leadingZeroBitCount + 7) / 8 + 1
        guard size <= 4, value > 2047 else { return writeUInt(value) }
        writeInline(UInt32(truncatingIfNeeded: value), flag: 0x08, size: size)
    }

    /// Writes an integer's header and its bytes, the lowest first.
    private mutating func writeInline(_ value: UInt32, flag: UInt8, size: Int) {
        let header = FleeceTag.integer << 4 | flag | UInt8(size - 2)
        let bits = UInt32(header) << 24 | value.byteSwapped >> 8
        writeInline(bits & ~(UInt32.max >> UInt32(8 * size)), size: size)
    }

    /// Puts a value of 2 to 4 bytes, the first one highest, into the slot. A root is stored
    /// outside, since it has no slots.
    private mutating func writeInline(_ bits: UInt32, size: Int) {
        if size > 2, frames.count == 0 {
            items.append(.pointer(to: output.count))
            for index in 0..<size {
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * index)))
            }
            return output.padToEven()
        }
        items.append(SlotItem(bits: bits))
        if size > 2 { frames.base[frames.count - 1].isWide = true }
    }
}
