extension FleeceEncoder {
    /// Copies a value of any document, including nested values.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// try encoder.write("source", "import")
    /// try encoder.writeKey("original")
    /// try encoder.write(fleece.root)
    /// try encoder.endDictionary()
    /// let wrapped = try encoder.finish()
    /// ```
    ///
    /// Scalars keep their form, and integers that take 3 or 4 bytes are stored in the slot itself,
    /// as the reference copies values: `[2048]` copied has other bytes than `[2048]` written. Keys
    /// take the numbers of this encoder's shared keys; inherited properties become the dictionary's
    /// own. A value in the base is not copied but referred to by a pointer.
    ///
    /// The time is proportional to the size of the copy.
    ///
    /// - Parameters:
    ///   - value: the value to copy.
    ///   - maximumBytes: the maximum number of bytes to write, since a small document that refers
    ///     to its parts repeatedly can stand for a very large one; nil for 16 MiB or 16 times the
    ///     size of the value's document, whichever is more (default).
    /// - Throws: ``FleeceError/Code/invalidData`` if the value's bytes are corrupt or a key has no
    ///   name, ``FleeceError/Code/outOfRange`` beyond `maximumBytes` or ``FleeceLimits/walkDepth``;
    ///   the encoder must then be ``reset()``.
    public mutating func write(_ value: FleeceValue, maximumBytes: Int? = nil) throws {
        let size = value.document.bytes.count
        let budget = maximumBytes ?? FleeceLimits.copyBudget(forBytes: size)
        try copy(value.raw, of: value.document, budget: budget)
    }
}

extension FleeceEncoder {
    /// Copies a value, including nested values, of at most `budget` bytes.
    ///
    /// Iterates over the open collections instead of recursing, since a stack may be small.
    mutating func copy(_ value: RawValue, of document: FleeceDocument, budget: Int) throws {
        defer { extendLifetime(document) }
        if base == nil, budget >= 0, value.isScalar { return try copyScalar(value) }
        try copyAnything(value, of: document, budget: budget)
    }

    private mutating func copyAnything(
        _ value: RawValue, of document: FleeceDocument, budget: Int
    ) throws {
        copies.removeAll()
        inherited.removeAll()
        var copy = ValueCopy(
            keys: document.keys, maximumOutput: output.count + min(budget, .max - output.count))
        try copy.begin(value, in: &self)
        while copies.count > 0 { try copy.writeItems(in: &self) }
    }
}

extension RawValue {
    /// Whether the value exists and is not a collection.
    @inline(__always)
    var isScalar: Bool {
        has(2) && byte(0) >> 4 != FleeceTag.array && byte(0) >> 4 != FleeceTag.dictionary
    }
}

/// The state of copying one value into an encoder.
private struct ValueCopy {
    private let keys: Unmanaged<SharedKeyTable>
    private let maximumOutput: Int
    /// Keys below this number have the same number in the encoder; -1 if that is not known yet.
    private var reusableKeys = -1
    private var mergedPairs = 0

    init(keys: Unmanaged<SharedKeyTable>, maximumOutput: Int) {
        self.keys = keys
        self.maximumOutput = maximumOutput
    }

    /// Writes the remaining items of the innermost collection, up to the next nested collection.
    @inline(__always)
    mutating func writeItems(in encoder: inout FleeceEncoder) throws {
        let level = encoder.copies.base + (encoder.copies.count &- 1)
        let items = level.pointee.items
        let count = Int(level.pointee.count)
        var index = Int(level.pointee.next)
        if level.pointee.isMerged {
            guard index < count else { return leave(in: &encoder) }
            level.pointee.next &+= 1
            return try writeMergedPair(index, in: &encoder)
        }
        let isPlain = encoder.base == nil
        while index < count {
            var slot = index
            if items.isDictionary {
                try writeKey(index, of: items, level, in: &encoder)
                slot = 2 &* index &+ 1
            }
            index &+= 1
            let value = items.slot(slot)
            if isPlain, encoder.output.count <= maximumOutput, let value, value.isScalar {
                try encoder.copyScalar(value)
            } else {
                level.pointee.next = Int32(truncatingIfNeeded: index)
                return try begin(value, in: &encoder)
            }
        }
        leave(in: &encoder)
    }

    @inline(__always)
    private func writeKey(
        _ index: Int, of items: RawCollection, _ level: UnsafeMutablePointer<CopyLevel>,
        in encoder: inout FleeceEncoder
    ) throws {
        let bits = items.keyBits(index)
        if Int32(bits) > level.pointee.lastNumber, Int(bits) < reusableKeys {
            level.pointee.lastNumber = Int32(bits)
            encoder.writeReusedKey(Int(bits))
        } else {
            try writeOtherKey(index, in: &encoder)
        }
    }

    @inline(never)
    private func writeOtherKey(_ index: Int, in encoder: inout FleeceEncoder) throws {
        let level = encoder.copies.base + (encoder.copies.count - 1)
        let items = level.pointee.items
        let key = items.key(index)
        try encoder.writeKey(
            keys._withUnsafeGuaranteedRef { try $0.requireText(of: key, offset: items.offset) })
        guard level.pointee.isOrdered else { return }
        level.pointee.isOrdered = isInOrder(key, index, level.pointee, encoder.lastItem)
        level.pointee.lastNumber = CopyLevel.noNumber
    }

    /// Whether a key sorts after the previous one: strings after numbers and lesser strings.
    private func isInOrder(
        _ key: RawCollection.Key?, _ index: Int, _ level: CopyLevel, _ written: SlotItem
    ) -> Bool {
        guard case .string(let text) = key, written.number == nil else { return false }
        guard level.lastNumber == CopyLevel.noNumber else { return true }
        guard case .string(let before) = level.items.key(index - 1) else { return false }
        return compare(before, text) < 0
    }

    private mutating func writeMergedPair(
        _ index: Int, in encoder: inout FleeceEncoder
    ) throws {
        let pair = encoder.inherited[encoder.inherited.count - 1][index]
        let offset = encoder.copies.base[encoder.copies.count - 1].items.offset
        try encoder.writeKey(
            keys._withUnsafeGuaranteedRef { try $0.requireText(of: pair.key, offset: offset) })
        try begin(pair.value, in: &encoder)
    }

    /// Writes a scalar or a pointer into the base, or opens a collection.
    mutating func begin(_ value: RawValue?, in encoder: inout FleeceEncoder) throws {
        guard let value, value.has(2) else { throw Self.corrupt("a value", value) }
        guard encoder.output.count <= maximumOutput else { throw Self.tooLarge }
        if encoder.base != nil, encoder.writeFromBase(value) { return }
        switch value.tag {
        case FleeceTag.array:
            guard let array = value.array else { throw Self.corrupt("an array", value) }
            encoder.beginArray()
            try enter(CopyLevel(array, count: array.count), in: &encoder)
        case FleeceTag.dictionary:
            guard let dictionary = value.dictionary else {
                throw Self.corrupt("a dictionary", value)
            }
            try begin(dictionary, in: &encoder)
        default:
            try encoder.copyScalar(value)
        }
    }

    private mutating func begin(
        _ dictionary: RawCollection, in encoder: inout FleeceEncoder
    ) throws {
        var level = CopyLevel(dictionary, count: dictionary.count)
        if dictionary.parent != nil {
            let walk = try WalkLevel(
                dictionary: dictionary, offset: dictionary.offset, mergedPairs: &mergedPairs)
            guard case .merged(let pairs) = walk.items else { return }
            encoder.inherited.append(pairs)
            level = CopyLevel(dictionary, count: pairs.count, isMerged: true)
        } else if dictionary.count > 0, dictionary.keyBits(0) < 0x0800, keepsNumbers(&encoder) {
            level.lastNumber = -1
            level.isOrdered = true
            encoder.openUnfollowed()
            return try enter(level, in: &encoder)
        }
        encoder.beginDictionary()
        try enter(level, in: &encoder)
    }

    private mutating func keepsNumbers(_ encoder: inout FleeceEncoder) -> Bool {
        if reusableKeys < 0 { reusableKeys = encoder.reusableKeys(of: keys) }
        return reusableKeys > 0
    }

    @inline(__always)
    private func enter(_ level: CopyLevel, in encoder: inout FleeceEncoder) throws {
        guard encoder.copies.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep(offset: level.items.offset)
        }
        encoder.copies.append(level)
    }

    @inline(__always)
    private mutating func leave(in encoder: inout FleeceEncoder) {
        let level = encoder.copies.base[encoder.copies.count &- 1]
        encoder.copies.removeAll(from: encoder.copies.count &- 1)
        guard level.items.isDictionary else { return encoder.closeArray() }
        if level.isMerged { encoder.inherited.removeLast() }
        if level.isOrdered {
            encoder.closeOrderedDictionary()
        } else {
            encoder.closeDictionary()
        }
    }

    @inline(never)
    private static func corrupt(_ what: String, _ value: RawValue?) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value?.offset)
    }

    private static var tooLarge: FleeceError {
        FleeceError(.outOfRange, "the copy is larger than allowed")
    }
}
