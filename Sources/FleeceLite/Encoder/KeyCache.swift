/// The short keys that an encoder has written, in this document or an earlier one: each has a
/// number here, its number as a shared key, and its index in `StringTable`.
struct KeyCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        let text: ShortString
        /// The key as a shared key; see `unresolved` and `none`.
        var item: SlotItem
        /// Its slot in the string table, valid in that table's `epoch`.
        var slotIndex: UInt32
        var epoch: UInt64
    }

    /// The key has not been looked up among the shared keys.
    static let unresolved = SlotItem(bits: .max)
    /// The key is not a shared key.
    static let none = SlotItem(bits: .max - 1)

    private var buffer = GrowingBuffer<Entry>(capacity: 64)
    /// Open addressing: the number of a key plus one, 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt16>
    private var slotCount = 128

    /// Documents with more keys than this have synthetic keys that will not recur.
    static let limit = 4096

    init() {
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
    }

    deinit {
        slots.deallocate()
    }

    @inline(__always)
    var entries: UnsafeMutablePointer<Entry> { buffer.base }

    /// The number of a key in the cache; nil if it is not cached.
    @inline(__always)
    func index(of text: ShortString, _ seed: HashSeed) -> Int? {
        let slot = slots[slotIndex(of: text, seed)]
        return slot == 0 ? nil : Int(slot) &- 1
    }

    /// Adds a new key; nil if there are too many.
    @inline(never)
    mutating func add(_ text: ShortString, _ seed: HashSeed) -> Int? {
        guard buffer.count < Self.limit else { return nil }
        buffer.append(Entry(text: text, item: Self.unresolved, slotIndex: 0, epoch: 0))
        slots[slotIndex(of: text, seed)] = UInt16(buffer.count)
        if buffer.count * 2 > slotCount { growSlots(seed) }
        return buffer.count - 1
    }

    mutating func removeAll() {
        buffer.removeAll()
        slots.update(repeating: 0, count: slotCount)
    }

    /// Whether a key that is written as a string has a number in a table: a stored table
    /// may contain keys that could not be added to it. As a number the key sorts
    /// differently among the pairs.
    func gainNumber(in keys: SharedKeys) -> Bool {
        (0..<buffer.count).contains { index in
            let entry = buffer.base[index]
            guard entry.item == Self.none else { return false }
            return entry.text.withBytes { keys.index(of: $0) != nil }
        }
    }

    private mutating func growSlots(_ seed: HashSeed) {
        slots.deallocate()
        slotCount *= 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for index in 0..<buffer.count {
            slots[slotIndex(of: buffer.base[index].text, seed)] = UInt16(index + 1)
        }
    }

    @inline(__always)
    private func slotIndex(of text: ShortString, _ seed: HashSeed) -> Int {
        let mask = slotCount &- 1
        var slotIndex = text.hash(seed) & mask
        while slots[slotIndex] != 0, buffer.base[Int(slots[slotIndex]) &- 1].text != text {
            slotIndex = (slotIndex &+ 1) & mask
        }
        return slotIndex
    }
}

extension SharedKeys {
    /// Encodes the table in its stored form: a Fleece array of the keys in the order of their
    /// numbers.
    ///
    /// Read it with ``init(state:)``. The bytes are those that Couchbase Lite stores.
    ///
    /// - Returns: the bytes, a document that needs no table.
    public func stateData() throws -> [UInt8] {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        for key in keys { encoder.writeString(key) }
        try encoder.endArray()
        return try encoder.finish()
    }
}
