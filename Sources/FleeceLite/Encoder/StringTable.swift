/// The positions at which short strings were last written, so that each is written only once.
///
/// Clearing the table costs nothing: entries of an earlier generation count as absent.
struct StringTable: ~Copyable {
    struct Entry: BitwiseCopyable {
        var text: ShortString
        var item: SlotItem
        var generation: UInt32
    }

    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var used = 0
    private var generation: UInt32 = 1
    /// Changes whenever slot indexes do: when the table is cleared, and when it grows.
    private(set) var epoch: UInt64 = 1
    let seed = HashSeed()

    private static let smallCapacity = 256

    init() {
        capacity = Self.smallCapacity
        entries = Self.allocate(capacity)
    }

    deinit {
        entries.deallocate()
    }

    mutating func removeAll() {
        if capacity > 4096, used < capacity / 32 { replaceEntries(capacity: capacity / 4) }
        used = 0
        epoch &+= 1
        generation &+= 1
        if generation == 0 {
            // The counter has wrapped around: entries of 4 billion documents ago must not count.
            replaceEntries(capacity: capacity)
            generation = 1
        }
    }

    /// The slot index of a string's entry, or of the free slot where it belongs.
    @inline(__always)
    func slotIndex(of text: ShortString) -> Int {
        let mask = capacity &- 1
        var slotIndex = text.hash(seed) & mask
        while entries[slotIndex].generation == generation, entries[slotIndex].text != text {
            slotIndex = (slotIndex &+ 1) & mask
        }
        return slotIndex
    }

    /// The pointer to a string, if it was written in this generation.
    @inline(__always)
    func item(at slotIndex: Int) -> SlotItem? {
        entries[slotIndex].generation == generation ? entries[slotIndex].item : nil
    }

    @inline(__always)
    mutating func record(_ text: ShortString, at slotIndex: Int, _ item: SlotItem) {
        let isNew = entries[slotIndex].generation != generation
        entries[slotIndex] = Entry(text: text, item: item, generation: generation)
        used &+= isNew ? 1 : 0
        if used &* 2 > capacity { grow() }
    }

    /// Turns pointers into the output into pointers into a base of `length` bytes,
    /// which the output has become.
    mutating func moveIntoBase(length: Int) {
        for slotIndex in 0..<capacity where entries[slotIndex].generation == generation {
            if let target = entries[slotIndex].item.target {
                entries[slotIndex].item = .pointerIntoBase(distance: length - target)
            }
        }
    }

    @inline(never)
    private mutating func grow() {
        let old = UnsafeBufferPointer(start: entries, count: capacity)
        capacity *= 2
        epoch &+= 1
        entries = Self.allocate(capacity)
        let mask = capacity - 1
        for entry in old where entry.generation == generation {
            var slotIndex = entry.text.hash(seed) & mask
            while entries[slotIndex].generation == generation { slotIndex = (slotIndex + 1) & mask }
            entries[slotIndex] = entry
        }
        old.deallocate()
    }

    private mutating func replaceEntries(capacity newCapacity: Int) {
        entries.deallocate()
        capacity = newCapacity
        entries = Self.allocate(capacity)
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        let none = ShortString(low: 0, high: 0, count: 0)
        entries.initialize(
            repeating: Entry(text: none, item: SlotItem(bits: 0), generation: 0), count: capacity)
        return entries
    }
}
