extension FleeceEncoder {
    /// Opens an array; the values written until `endArray()` are its elements.
    public mutating func beginArray() {
        frames.append(Frame(start: items.count, isDictionary: false))
    }

    /// Closes the array that was opened last.
    public mutating func endArray() throws {
        let frame = try closedFrame(isDictionary: false)
        close(frame, tag: FleeceTag.array)
    }

    /// Opens a dictionary; until `endDictionary()` write a key and a value in turn.
    public mutating func beginDictionary() {
        frames.append(Frame(start: items.count, isDictionary: true))
    }

    /// Closes the dictionary that was opened last.
    public mutating func endDictionary() throws {
        let frame = try closedFrame(isDictionary: true)
        sortPairs(from: frame.start)
        close(frame, tag: FleeceTag.dictionary)
    }

    /// Writes a key, as a number if it is or can become a shared key.
    ///
    /// Throws `.encodeError` outside a dictionary, or where a value is due.
    public mutating func writeKey(_ key: String) throws {
        var key = key
        try key.withUTF8 { try writeKey(UnsafeRawBufferPointer($0)) }
    }

    mutating func writeKey(_ key: UnsafeRawBufferPointer) throws {
        guard frames.count > 0, frames.base[frames.count - 1].isDictionary,
            items.count - frames.base[frames.count - 1].start
                == 2 * frames.base[frames.count - 1].keys
        else {
            throw FleeceError(.encodeError, "a key outside a dictionary, or out of its turn")
        }
        frames.base[frames.count - 1].keys += 1
        if let number = sharedKeys?.add(key) {
            items.append(.shortInteger(number))
        } else {
            writeString(key)
        }
    }

    private mutating func closedFrame(isDictionary: Bool) throws -> Frame {
        guard frames.count > 0 else {
            throw FleeceError(.encodeError, "no collection is open")
        }
        let frame = frames.base[frames.count - 1]
        let isWhole = !isDictionary || items.count - frame.start == 2 * frame.keys
        guard frame.isDictionary == isDictionary, isWhole else {
            throw FleeceError(
                .encodeError, "the open collection is another one, or lacks a key or value")
        }
        frames.removeAll(from: frames.count - 1)
        return frame
    }

    private mutating func close(_ frame: Frame, tag: UInt8) {
        let slots = items.count - frame.start
        guard slots > 0 else { return items.append(.inline(tag << 4, 0)) }
        output.padToEven()
        let header = output.count
        writeHeader(tag: tag, count: tag == FleeceTag.dictionary ? slots / 2 : slots)
        _ = writeSlots(from: frame.start, header: header)
        items.removeAll(from: frame.start)
        items.append(.pointer(to: header))
    }

    private mutating func writeHeader(tag: UInt8, count: Int) {
        let short = min(count, FleeceLimits.longCount)
        output.append(tag << 4 | UInt8(short >> 8))
        output.append(UInt8(truncatingIfNeeded: short))
        if count >= FleeceLimits.longCount {
            output.appendVarint(UInt64(count - FleeceLimits.longCount))
            output.padToEven()
        }
    }

    /// Writes the items from `start` on as slots, in 4 bytes each if a pointer needs it, which
    /// is marked in the header; returns whether it did.
    mutating func writeSlots(from start: Int, header: Int?) -> Bool {
        let count = items.count - start
        output.reserve(count * 4)
        let isWide = needsWideSlots(from: start)
        let slots = UnsafeMutableRawPointer(output.base + output.count)
        for index in 0..<count {
            let item = items.base[start + index]
            let position = output.count + index * (isWide ? 4 : 2)
            if isWide {
                let bits =
                    item.target.map { 0x8000_0000 | UInt32((position - $0) / 2) }
                    ?? UInt32(item.inlineBytes) << 16
                slots.storeBytes(of: bits.bigEndian, toByteOffset: index * 4, as: UInt32.self)
            } else {
                let bits =
                    item.target.map { 0x8000 | UInt16((position - $0) / 2) } ?? item.inlineBytes
                slots.storeBytes(of: bits.bigEndian, toByteOffset: index * 2, as: UInt16.self)
            }
        }
        output.extend(count * (isWide ? 4 : 2))
        if isWide, let header { output.base[header] |= FleeceTag.wideBit }
        return isWide
    }

    private func needsWideSlots(from start: Int) -> Bool {
        var position = output.count
        for index in start..<items.count {
            if let target = items.base[index].target,
                position - target > FleeceLimits.narrowReach
            {
                return true
            }
            position += 2
        }
        return false
    }
}
