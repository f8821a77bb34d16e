/// The storage of `SharedKeys`: the keys in the order of their numbers, and a hash table.
@usableFromInline
final class SharedKeyTable: @unchecked Sendable {
    // Unchecked: `SharedKeys` changes a table only while it has the only reference.

    // Plain pointers, since each access to a buffer in a stored property is tracked by the runtime.
    private var names: UnsafeMutablePointer<String>
    private var words: UnsafeMutablePointer<KeyWords>
    /// The bytes of the keys, 16 for each.
    private var keyBytes: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    /// Open addressing: the number of a key plus one, 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt16>
    private var slotCount: Int
    private let seed = HashSeed()

    /// The table without keys with which every new `SharedKeys` starts.
    static let empty = SharedKeyTable()

    private init(slotCount: Int = 64) {
        capacity = slotCount / 2
        names = .allocate(capacity: capacity)
        words = .allocate(capacity: capacity)
        keyBytes = .allocate(byteCount: capacity * FleeceLimits.sharedKeyLength, alignment: 8)
        self.slotCount = slotCount
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
    }

    /// Copies the first `count` keys.
    convenience init(copying other: SharedKeyTable, count: Int) {
        self.init(slotCount: other.slotCount)
        for index in 0..<min(count, other.count) { append(other.text(at: index)) }
    }

    deinit {
        names.deinitialize(count: count)
        names.deallocate()
        words.deallocate()
        keyBytes.deallocate()
        slots.deallocate()
    }

    /// The keys in the order of their numbers.
    var keys: [String] { Array(UnsafeBufferPointer(start: names, count: count)) }

    /// The key with a number in `0..<count`.
    @inline(__always)
    func name(at index: Int) -> String { names[index] }

    /// The bytes of the key with a number in `0..<count`, valid as long as the table is.
    @inline(__always)
    func text(at index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: keyBytes + FleeceLimits.sharedKeyLength &* index, count: words[index].count)
    }

    /// The number of a key.
    @inline(__always)
    func index(of key: KeyWords) -> Int? {
        let slot = slots[slotIndex(of: key)]
        return slot == 0 ? nil : Int(slot) &- 1
    }

    /// Whether a key has the number, which must not be negative.
    @inline(__always)
    func isKey(_ key: KeyWords, at index: Int) -> Bool {
        index < count && words[index] == key
    }

    /// Appends the next key, which must be new and have at most 16 bytes of UTF-8.
    func append(_ key: UnsafeRawBufferPointer) {
        if count == capacity { grow() }
        (names + count).initialize(to: String(decoding: key, as: UTF8.self))
        let text = keyBytes + FleeceLimits.sharedKeyLength * count
        text.initializeMemory(as: UInt8.self, repeating: 0, count: FleeceLimits.sharedKeyLength)
        if let start = key.baseAddress { text.copyMemory(from: start, byteCount: key.count) }
        let added = KeyWords(key)
        (words + count).initialize(to: added)
        count += 1
        slots[slotIndex(of: added)] = UInt16(count)
    }

    /// Whether the keys of `other` are a prefix of the keys of this table.
    func begins(with other: SharedKeyTable) -> Bool {
        other.count <= count && (0..<other.count).allSatisfy { words[$0] == other.words[$0] }
    }

    /// Doubles the space for keys and slots.
    private func grow() {
        let (oldNames, oldWords, oldKeyBytes) = (names, words, keyBytes)
        defer {
            oldNames.deallocate()
            oldWords.deallocate()
            oldKeyBytes.deallocate()
        }
        capacity *= 2
        names = .allocate(capacity: capacity)
        names.moveInitialize(from: oldNames, count: count)
        words = .allocate(capacity: capacity)
        words.update(from: oldWords, count: count)
        keyBytes = .allocate(byteCount: capacity * FleeceLimits.sharedKeyLength, alignment: 8)
        keyBytes.copyMemory(from: oldKeyBytes, byteCount: count * FleeceLimits.sharedKeyLength)
        slots.deallocate()
        slotCount = capacity * 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for index in 0..<count { slots[slotIndex(of: words[index])] = UInt16(index + 1) }
    }

    /// The index of a key's slot, or of the empty slot where it belongs.
    @inline(__always)
    private func slotIndex(of key: KeyWords) -> Int {
        let mask = slotCount &- 1
        var slotIndex = key.hash(seed) & mask
        while slots[slotIndex] != 0, words[Int(slots[slotIndex]) &- 1] != key {
            slotIndex = (slotIndex &+ 1) & mask
        }
        return slotIndex
    }
}

/// Up to 16 bytes as two words and a length: compared and hashed without a loop.
struct KeyWords: Equatable, BitwiseCopyable {
    let low: UInt64
    let high: UInt64
    let count: Int

    /// Takes at most 16 bytes.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        guard let base = bytes.baseAddress, count > 0 else {
            low = 0
            high = 0
            return
        }
        // Two loads that may overlap cover every byte of a known length.
        if count >= 8 {
            low = base.loadUnaligned(as: UInt64.self)
            high = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            low = UInt64(base.loadUnaligned(as: UInt32.self))
            high = UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else {
            low = UInt64(base.load(as: UInt8.self))
            let middle = UInt64(base.load(fromByteOffset: count / 2, as: UInt8.self))
            high = middle << 8 | UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self))
        }
    }

    @inline(__always)
    func hash(_ seed: HashSeed) -> Int {
        seed.hash(low ^ UInt64(truncatingIfNeeded: count) << 56, high)
    }
}
