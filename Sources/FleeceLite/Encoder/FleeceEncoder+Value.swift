extension FleeceEncoder {
    /// Copies a value of any document, all that is in it included.
    ///
    /// Scalars keep their form, and integers that take 3 or 4 bytes stand in the slot itself, as
    /// the reference copies values: `[2048]` copied has other bytes than `[2048]` written. Keys
    /// take the numbers of this encoder's shared keys; inherited properties become the
    /// dictionary's own. A value in the base is pointed to instead.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - maximumBytes: the most bytes that may be written, as a small document that uses its
    ///     parts again and again can stand for a very large one; nil for 16 MiB or 16 times the
    ///     size of the value's document, whichever is more.
    ///
    /// Throws `.invalidData` where the value's bytes are corrupt or a key has no name,
    /// `.outOfRange` beyond `maximumBytes` or `FleeceLimits.walkDepth`; the encoder then has to be
    /// `reset()`.
    public mutating func write(_ value: FleeceValue, maximumBytes: Int? = nil) throws {
        let size = value.document.bytes.count
        let budget = maximumBytes ?? FleeceLimits.copyBudget(forBytes: size)
        try copy(value.raw, keys: value.document.sharedKeys, budget: budget)
        extendLifetime(value)
    }

    /// Copies the items of an open collection one after the other: a loop, since a stack may be
    /// small.
    mutating func copy(_ value: RawValue, keys: SharedKeys, budget: Int) throws {
        var copy = ValueCopy(keys: keys, maximumOutput: output.count + budget)
        try copy.begin(value, in: &self)
        while let level = copy.levels.last {
            if level.next == level.count {
                copy.levels.removeLast()
                if level.isArray { closeArray() } else { closeDictionary() }
            } else {
                try copy.writeNext(in: &self)
            }
        }
    }
}

/// The copying of one value into an encoder.
private struct ValueCopy {
    let keys: SharedKeys
    let maximumOutput: Int
    var mergedPairs = 0
    /// The collections that are being copied, the innermost last.
    var levels: [WalkLevel] = []

    mutating func writeNext(in encoder: inout FleeceEncoder) throws {
        let index = levels[levels.count - 1].next
        levels[levels.count - 1].next += 1
        let level = levels[levels.count - 1]
        let item = level.item(index)
        if !level.isArray {
            try encoder.writeKey(keys.requireText(of: item.key, offset: level.offset))
        }
        try begin(item.value, in: &encoder)
    }

    /// Writes a scalar or a pointer into the base, or opens a collection.
    mutating func begin(_ value: RawValue?, in encoder: inout FleeceEncoder) throws {
        guard let value, value.has(2) else {
            throw FleeceError(.invalidData, "a value is corrupt", offset: value?.offset)
        }
        guard encoder.output.count <= maximumOutput else {
            throw FleeceError(.outOfRange, "a copy of more bytes than allowed")
        }
        if encoder.writeFromBase(value) { return }
        switch value.tag {
        case FleeceTag.array:
            guard let array = value.array else { throw Self.corrupt("an array", value) }
            encoder.beginArray()
            try enter(WalkLevel(array: array, offset: value.offset))
        case FleeceTag.dictionary:
            guard let dictionary = value.dictionary else {
                throw Self.corrupt("a dictionary", value)
            }
            encoder.beginDictionary()
            try enter(
                WalkLevel(
                    dictionary: dictionary, offset: value.offset, mergedPairs: &mergedPairs))
        default:
            try encoder.copyScalar(value)
        }
    }

    private mutating func enter(_ level: WalkLevel) throws {
        guard levels.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep(offset: level.offset)
        }
        levels.append(level)
    }

    static func corrupt(_ what: String, _ value: RawValue) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value.offset)
    }
}

extension FleeceEncoder {
    /// Copies a value that is no collection, in the form that it has.
    mutating func copyScalar(_ value: RawValue) throws {
        switch value.tag {
        case FleeceTag.shortInteger:
            items.append(.inline(value.byte(0), value.byte(1)))
        case FleeceTag.special:
            items.append(.inline(value.byte(0), 0))
        case FleeceTag.integer:
            guard value.integer != nil else { throw ValueCopy.corrupt("an integer", value) }
            copyInteger(value)
        case FleeceTag.float:
            guard let number = value.floatingPoint else {
                throw ValueCopy.corrupt("a floating-point number", value)
            }
            items.append(.pointer(to: output.count))
            let isLong = value.byte(0) & 0x08 != 0
            output.append(value.byte(0))
            output.append(0)
            if isLong {
                output.append(bigEndian: number.value.bitPattern.byteSwapped)
            } else {
                let bits = UnsafeRawBufferPointer(
                    start: value.base + value.offset + 2, count: 4)
                output.append(bits)
            }
        case FleeceTag.string:
            guard let text = value.string else { throw ValueCopy.corrupt("a string", value) }
            writeString(text)
        default:
            guard let data = value.bytes(tag: FleeceTag.data) else {
                throw ValueCopy.corrupt("data", value)
            }
            writeData(data)
        }
    }

    /// An integer of at most 4 bytes goes into the slot, which makes the slots wide if they
    /// need to be.
    private mutating func copyInteger(_ value: RawValue) {
        let size = Int(value.byte(0) & 7) + 2
        if size <= 4 {
            writeInline((0..<size).map { value.byte($0) })
        } else {
            items.append(.pointer(to: output.count))
            output.append(
                UnsafeRawBufferPointer(start: value.base + value.offset, count: size))
            output.padToEven()
        }
    }

    /// Writes an integer as the reference does from a mutable collection, where also -2048, the
    /// number that marks a parent, takes 3 bytes.
    mutating func copyInt(_ value: Int64) {
        let size = Self.byteCount(ofSigned: value) + 1
        guard size <= 4, value < -2047 || value > 2047 else { return writeInt(value) }
        let bits = UInt64(bitPattern: value)
        writeInline(
            [FleeceTag.integer << 4 | UInt8(size - 2)]
                + (0..<(size - 1)).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
    }

    /// The same for an unsigned integer.
    mutating func copyUInt(_ value: UInt64) {
        let size = (64 - value.leadingZeroBitCount + 7) / 8 + 1
        guard size <= 4, value > 2047 else { return writeUInt(value) }
        writeInline(
            [FleeceTag.integer << 4 | 0x08 | UInt8(size - 2)]
                + (0..<(size - 1)).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) })
    }

    /// Puts a value of 2 to 4 bytes into the slot. A root stays outside: it has no slots.
    private mutating func writeInline(_ bytes: [UInt8]) {
        if bytes.count > 2, frames.count == 0 {
            items.append(.pointer(to: output.count))
            bytes.withUnsafeBytes { output.append($0) }
            return output.padToEven()
        }
        var bits: UInt32 = 0
        for (index, byte) in bytes.enumerated() { bits |= UInt32(byte) << UInt32(24 - 8 * index) }
        items.append(SlotItem(bits: bits))
        if bytes.count > 2 { frames.base[frames.count - 1].isWide = true }
    }
}
