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
        try copy(value.raw, of: value.document, budget: budget)
    }
}

extension FleeceEncoder {
    /// Copies a value, and what is in it, of at most `budget` bytes.
    ///
    /// A loop over the open collections, since a stack may be small.
    mutating func copy(_ value: RawValue, of document: FleeceDocument, budget: Int) throws {
        defer { extendLifetime(document) }
        copies.removeAll()
        var copy = ValueCopy(
            keys: document.keys, maximumOutput: output.count + min(budget, .max - output.count))
        try copy.begin(value, in: &self)
        while copies.count > 0 { try copy.writeNext(in: &self) }
    }
}

/// The copying of one value into an encoder.
private struct ValueCopy {
    private let keys: Unmanaged<SharedKeyTable>
    private let maximumOutput: Int
    /// The keys below this number have the same one in the encoder; nil if that is not known yet.
    private var keptNumbers: Int?
    private var mergedPairs = 0
    /// The pairs of the dictionaries that inherit from others, of those that are being copied.
    private var merged: [[RawPairs.Pair]] = []

    init(keys: Unmanaged<SharedKeyTable>, maximumOutput: Int) {
        self.keys = keys
        self.maximumOutput = maximumOutput
    }

    /// Writes the next item of the innermost collection, or ends it.
    @inline(__always)
    mutating func writeNext(in encoder: inout FleeceEncoder) throws {
        let level = encoder.copies.base + (encoder.copies.count &- 1)
        let index = Int(level.pointee.next)
        guard index < Int(level.pointee.count) else { return leave(in: &encoder) }
        level.pointee.next &+= 1
        let items = level.pointee.items
        guard items.isDictionary else { return try begin(items.slot(index), in: &encoder) }
        if level.pointee.isMerged { return try writeMergedPair(index, in: &encoder) }
        let bits = items.keyBits(index)
        if Int32(bits) > level.pointee.lastNumber, Int(bits) < keptNumbers ?? 0 {
            level.pointee.lastNumber = Int32(bits)
            encoder.writeKeptKey(Int(bits))
        } else {
            try writeOtherKey(index, in: &encoder)
        }
        try begin(items.value(at: index), in: &encoder)
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

    /// Whether a key stands behind the one before it, as a text behind numbers and lesser texts.
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
        let pair = merged[merged.count - 1][index]
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
        switch value.byte(0) >> 4 {
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
            merged.append(pairs)
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
        if let keptNumbers { return keptNumbers > 0 }
        let count = encoder.keptNumbers(of: keys)
        keptNumbers = count
        return count > 0
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
        if level.isMerged { merged.removeLast() }
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
        FleeceError(.outOfRange, "a copy of more bytes than allowed")
    }
}
