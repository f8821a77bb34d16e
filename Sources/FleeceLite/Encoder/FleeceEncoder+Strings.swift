extension FleeceEncoder {
    /// Writes a string.
    ///
    /// A string of 2 to 15 bytes that was written shortly before becomes a pointer to it, unless
    /// ``sharesStrings`` is false. A string of at most one byte takes no bytes beyond its slot.
    ///
    /// - Parameter value: the string, of any length.
    public mutating func writeString(_ value: String) {
        var value = value
        value.withUTF8 { writeString(UnsafeRawBufferPointer($0)) }
    }

    /// Writes bytes as data, which JSON does not have: it becomes a Base64 string there.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// try encoder.writeKey("thumbnail")
    /// encoder.writeData(bytes)
    /// try encoder.endDictionary()
    /// ```
    /// - Parameter value: the bytes, which are copied. Equal data is not shared.
    public mutating func writeData(_ value: [UInt8]) {
        value.withUnsafeBytes { writeData($0) }
    }

    /// Writes bytes.
    mutating func writeData(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count < 2 {
            items.append(.inline(FleeceTag.data << 4 | UInt8(bytes.count), bytes.first ?? 0))
        } else {
            writeLongBytes(bytes, tag: FleeceTag.data)
        }
    }

    /// Writes UTF-8 as a string.
    @inline(__always)
    mutating func writeString(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count <= ShortString.maximumCount {
            writeShortString(ShortString(bytes))
        } else {
            writeLongBytes(bytes, tag: FleeceTag.string)
        }
    }
}

extension FleeceEncoder {
    /// The maximum distance of a pointer to a shared string, in units of 2 bytes.
    static var sharingReach: UInt32 {
        UInt32(FleeceLimits.narrowReach - FleeceLimits.sharedStringMargin) / 2
    }

    /// Writes a string of at most 15 bytes; returns its index in the string table, nil if it is too
    /// short to be shared.
    @inline(__always)
    @discardableResult
    mutating func writeShortString(_ text: ShortString) -> Int? {
        guard text.count >= FleeceLimits.sharedString.lowerBound else {
            let byte = UInt8(truncatingIfNeeded: text.low)
            items.append(.inline(FleeceTag.string << 4 | UInt8(text.count), byte))
            return nil
        }
        let slotIndex = strings.slotIndex(of: text)
        if let item = strings.item(at: slotIndex), canPoint(to: item) {
            items.append(item)
            return slotIndex
        }
        return writeShortString(text, at: slotIndex)
    }

    // Non-mutating would be right, but would pass a copy of the encoder.
    @inline(__always)
    private mutating func canPoint(to item: SlotItem) -> Bool {
        let half = outputHalf
        return item.distance(fromHalf: half) <= Self.sharingReach || canPointFar(to: item, half)
    }

    /// Whether the slots have 4 bytes anyway, or the string is near the end of the base.
    @inline(never)
    private mutating func canPointFar(to item: SlotItem, _ half: UInt32) -> Bool {
        if frames.count > 0, frames.base[frames.count - 1].isWide { return true }
        return item.isIntoBase && item.baseDistance(fromHalf: half) <= Self.sharingReach
    }

    /// Writes a string of 2 to 15 bytes and records its position.
    @inline(__always)
    private mutating func writeShortString(_ text: ShortString, at slotIndex: Int) -> Int? {
        output.reserve(32)
        let item = SlotItem.pointer(to: output.count)
        let count = text.count
        var end = output.end
        if count == 15 {
            end.storeBytes(of: FleeceTag.string << 4 | 15, as: UInt8.self)
            end += 1
        }
        // The length is stored in the header or, if it is 15, in a varint of one byte.
        let length = count == 15 ? 15 : FleeceTag.string << 4 | UInt8(truncatingIfNeeded: count)
        end.storeBytes(of: length, as: UInt8.self)
        end.storeBytes(of: text.low.littleEndian, toByteOffset: 1, as: UInt64.self)
        end.storeBytes(of: text.highBytes.littleEndian, toByteOffset: 9, as: UInt64.self)
        // Header and content, rounded up to even; the padding is one of the
        // zeros after the content.
        output.extend(count == 15 ? 18 : (count &+ 2) & ~1)
        items.append(item)
        guard sharesStrings else { return nil }
        strings.record(text, at: slotIndex, item)
        return slotIndex
    }

    /// Writes a string or data of 2 bytes or more, which is not shared.
    @inline(__always)
    mutating func writeLongBytes(_ bytes: UnsafeRawBufferPointer, tag: UInt8) {
        items.append(.pointer(to: output.count))
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
    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        reserve(Varint.maximumLength)
        if value < 0x80 { return append(UInt8(value)) }
        Varint.forEachByte(of: value) { append($0) }
    }
}
