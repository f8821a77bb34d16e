/// Where in the output each short string was last written, so that it is written only once.
///
/// Emptying it costs nothing: entries of an earlier generation count as absent.
struct WrittenStrings: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var low: UInt64
        var high: UInt64
        var count: UInt32
        var generation: UInt32
        var position: UInt32
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var used = 0
    private var generation: UInt32 = 1
    private let seed = UInt64.random(in: .min ... .max)

    init() {
        capacity = 256
        entries = Self.allocate(capacity)
    }

    deinit {
        entries.deallocate()
    }

    mutating func removeAll() {
        used = 0
        generation &+= 1
        if generation == 0 {
            // The counter came round: entries of 4 billion documents ago must not count.
            entries.deallocate()
            entries = Self.allocate(capacity)
            generation = 1
        }
    }

    /// The place of a string's entry: `position(at:)` if it has one, `record(_:at:)` if not.
    @inline(__always)
    func place(of key: KeyWords) -> Int {
        let mask = capacity &- 1
        var place = key.hash(seed: seed) & mask
        while entries[place].generation == generation, !matches(place, key) {
            place = (place &+ 1) & mask
        }
        return place
    }

    /// The output offset that was recorded at a place in this generation.
    @inline(__always)
    func position(at place: Int) -> Int? {
        entries[place].generation == generation ? Int(entries[place].position) * 2 : nil
    }

    @inline(__always)
    mutating func record(_ key: KeyWords, at place: Int, position: Int) {
        let isNew = entries[place].generation != generation
        entries[place] = Entry(
            low: key.low, high: key.high, count: UInt32(truncatingIfNeeded: key.count),
            generation: generation, position: UInt32(truncatingIfNeeded: position / 2))
        used &+= isNew ? 1 : 0
        if used &* 2 > capacity { grow() }
    }

    @inline(__always)
    private func matches(_ place: Int, _ key: KeyWords) -> Bool {
        let entry = entries[place]
        return entry.low == key.low && entry.high == key.high && entry.count == key.count
    }

    @inline(never)
    private mutating func grow() {
        let old = UnsafeBufferPointer(start: entries, count: capacity)
        capacity *= 2
        entries = Self.allocate(capacity)
        let mask = capacity - 1
        for entry in old where entry.generation == generation {
            let key = KeyWords(low: entry.low, high: entry.high, count: Int(entry.count))
            var place = key.hash(seed: seed) & mask
            while entries[place].generation == generation { place = (place + 1) & mask }
            entries[place] = entry
        }
        old.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        let empty = Entry(low: 0, high: 0, count: 0, generation: 0, position: 0)
        entries.initialize(repeating: empty, count: capacity)
        return entries
    }
}
