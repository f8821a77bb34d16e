internal import Synchronization

/// At which pair of a dictionary keys were found last, in one document or those of one decoder.
///
/// The dictionaries of a document tend to have the same keys in the same order, so that one
/// comparison at the remembered pair does for a search. A hint is looked at before it is believed,
/// so it may be old, or come from another key or another thread.
struct KeyHints: @unchecked Sendable {
    // Unchecked because of the pointer: what it leads to is atomic.

    /// So many. Keys that have the same place displace each other.
    static let count = 64

    /// Pair 0 is 1; 0 is no hint. Atomic, since threads that read the same document write here.
    private let places: UnsafeMutablePointer<Atomic<UInt8>>

    /// Takes `count` bytes, which must outlive the hints.
    init(at memory: UnsafeMutableRawPointer) {
        places = memory.bindMemory(to: Atomic<UInt8>.self, capacity: Self.count)
        for index in 0..<Self.count { (places + index).initialize(to: Atomic(0)) }
    }

    /// Hints in memory of their own, until `deallocate()`.
    static func allocated() -> KeyHints {
        KeyHints(at: .allocate(byteCount: count, alignment: 1))
    }

    func deallocate() { places.deallocate() }

    /// The place of a key's hint.
    @inline(__always)
    static func slot(of key: KeyWords) -> Int {
        let mixed = (key.low ^ key.high &<< 1) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 58)
    }

    /// The pair to look at first, -1 if there is none.
    @inline(__always)
    func pair(_ slot: Int) -> Int {
        Int(places[slot].load(ordering: .relaxed)) &- 1
    }

    /// Remembers a pair, if it is one of the first 255.
    @inline(__always)
    func remember(_ pair: Int, _ slot: Int) {
        let place = UInt8(truncatingIfNeeded: pair &+ 1)
        // Threads share the line of the cache that this is in: what stands there is left alone.
        guard pair < 255, places[slot].load(ordering: .relaxed) != place else { return }
        places[slot].store(place, ordering: .relaxed)
    }
}
