/// The storage of `SharedKeys`: the keys in the order of their numbers, and a hash table of them.
final class SharedKeyTable: @unchecked Sendable {
    // Unchecked: `SharedKeys` changes a table only while nobody else refers to it.

    private(set) var keys: [String] = []
    private var words = GrowingBuffer<KeyWords>(capacity: 32)
    /// The bytes of the keys, 16 for each.
    private var texts = GrowingBuffer<UInt8>(capacity: 512)
    /// Open addressing: the number of a key plus one, 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt16>
    private var slotCount: Int
    private let seed = HashSeed()

    /// The table without keys that every new `SharedKeys` begins with.
    static let empty = SharedKeyTable()

    private init(slotCount: Int = 64) {
        self.slotCount = slotCount
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
    }

    /// Copies the first `count` keys.
    convenience init(copying other: SharedKeyTable, count: Int) {
        self.init(slotCount: other.slotCount)
        keys.append(contentsOf: other.keys.prefix(count))
        for index in 0..<keys.count {
            appendText(other.text(at: index))
            appendWords(other.words.base[index])
        }
    }

    deinit {
        slots.deallocate()
    }

    var count: Int { words.count }

    /// The bytes of the key with a number in `0..<count`, valid while the table is.
    @inline(__always)
    func text(at index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: texts.base + FleeceLimits.sharedKeyLength &* index,
            count: words.base[index].count)
    }

    private func appendText(_ key: UnsafeRawBufferPointer) {
        texts.append(key)
        for _ in key.count..<FleeceLimits.sharedKeyLength { texts.append(0) }
    }

    /// The number of a key.
    @inline(__always)
    func index(of key: KeyWords) -> Int? {
        let slot = slots[place(of: key)]
        return slot == 0 ? nil : Int(slot) &- 1
    }

    /// Takes the next key, which must be new and have at most 16 bytes of UTF-8.
    func append(_ key: UnsafeRawBufferPointer) {
        keys.append(String(decoding: key, as: UTF8.self))
        appendText(key)
        appendWords(KeyWords(key))
    }

    /// Whether the keys of `other` are the first ones here.
    func begins(with other: SharedKeyTable) -> Bool {
        other.count <= count
            && (0..<other.count).allSatisfy { words.base[$0] == other.words.base[$0] }
    }

    private func appendWords(_ added: KeyWords) {
        words.append(added)
        slots[place(of: added)] = UInt16(count)
        if count * 2 > slotCount { growSlots() }
    }

    private func growSlots() {
        slots.deallocate()
        slotCount *= 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for index in 0..<count { slots[place(of: words.base[index])] = UInt16(index + 1) }
    }

    /// The slot of a key, or the empty one where it belongs.
    @inline(__always)
    private func place(of key: KeyWords) -> Int {
        let mask = slotCount &- 1
        var place = key.hash(seed) & mask
        while slots[place] != 0, words.base[Int(slots[place]) &- 1] != key {
            place = (place &+ 1) & mask
        }
        return place
    }
}
