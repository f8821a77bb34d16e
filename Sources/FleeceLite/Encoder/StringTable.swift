/// Where each short string was last written, so that it is written only once.
///
/// Emptying it costs nothing: entries of an earlier generation count as absent.
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
    /// Changes whenever places do: when the table is emptied, and when it grows.
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
            // The counter came round: entries of 4 billion documents ago must not count.
            replaceEntries(capacity: capacity)
            generation = 1
        }
    }

    /// The place of a text's entry, or the free one where it belongs.
    @inline(__always)
    func place(of text: ShortString) -> Int {
        let mask = capacity &- 1
        var place = text.hash(seed) & mask
        while entries[place].generation == generation, entries[place].text != text {
            place = (place &+ 1) & mask
        }
        return place
    }

    /// What points to the string of a place, if it was written in this generation.
    @inline(__always)
    func item(at place: Int) -> SlotItem? {
        entries[place].generation == generation ? entries[place].item : nil
    }

    @inline(__always)
    mutating func record(_ text: ShortString, at place: Int, _ item: SlotItem) {
        let isNew = entries[place].generation != generation
        entries[place] = Entry(text: text, item: item, generation: generation)
        used &+= isNew ? 1 : 0
        if used &* 2 > capacity { grow() }
    }

    /// Makes pointers into the output ones into a base of `length` bytes, which the output was.
    mutating func moveIntoBase(length: Int) {
        for place in 0..<capacity where entries[place].generation == generation {
            if let target = entries[place].item.target {
                entries[place].item = .pointerIntoBase(distance: length - target)
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
            var place = entry.text.hash(seed) & mask
            while entries[place].generation == generation { place = (place + 1) & mask }
            entries[place] = entry
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
