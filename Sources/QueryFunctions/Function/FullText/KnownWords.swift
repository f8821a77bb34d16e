/// A cache of recent words: the stem of each, and whether it is a stop word. Most words of a text
/// recur soon.
///
/// Each word has two slots, and is evicted when two other words take them.
struct KnownWords: ~Copyable {
    /// A word and its indexed form, in 64 bytes of memory.
    private struct Entry {
        var word: PackedWord
        var token: PackedWord
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var count = KnownWords.fewEntries
    private var misses = 0

    /// A query needs few entries; creating an index needs many.
    private static let fewEntries = 128
    private static let manyEntries = 4096

    init() {
        entries = KnownWords.allocate(KnownWords.fewEntries)
    }

    deinit {
        entries.deallocate()
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
        entries.initialize(repeating: Entry(word: PackedWord(), token: PackedWord()), count: count)
        return entries
    }

    /// The indexed form of a word, if it is cached: valid until the next insertion.
    @inline(__always)
    func find(_ word: PackedWord) -> UnsafePointer<PackedWord>? {
        let pair = slots(of: word)
        if pair[0].word == word { return token(pair) }
        if pair[1].word == word { return token(pair + 1) }
        return nil
    }

    @inline(__always)
    private func token(_ entry: UnsafeMutablePointer<Entry>) -> UnsafePointer<PackedWord> {
        UnsafeRawPointer(entry).advanced(by: MemoryLayout<PackedWord>.stride)
            .assumingMemoryBound(to: PackedWord.self)
    }

    /// Caches the indexed form of a word.
    mutating func note(_ word: PackedWord, _ token: PackedWord) {
        misses &+= 1
        if misses == KnownWords.fewEntries, count < KnownWords.manyEntries {
            entries.deallocate()
            count = KnownWords.manyEntries
            entries = KnownWords.allocate(count)
        }
        let pair = slots(of: word)
        pair[1] = pair[0]
        pair[0] = Entry(word: word, token: token)
    }

    @inline(__always)
    private func slots(of word: PackedWord) -> UnsafeMutablePointer<Entry> {
        entries + (word.hash & (count / 2 &- 1)) * 2
    }
}

/// A word of up to 31 bytes, and a flag.
struct PackedWord: Equatable, BitwiseCopyable {
    // The bytes in memory order (all supported machines are little-endian); the last byte is the
    // length, with the flag in its highest bit.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static let longest = 31

    /// No bytes; differs from any word.
    init() {}

    /// The first bytes of memory that is at least 32 bytes long.
    @inline(__always)
    init(_ memory: UnsafePointer<UInt8>, count: Int) {
        let memory = UnsafeRawPointer(memory)
        words.0 = PackedWord.load(memory, 0, count)
        if count > 8 {
            words.1 = PackedWord.load(memory, 8, count)
            if count > 16 {
                words.2 = PackedWord.load(memory, 16, count)
                words.3 = PackedWord.load(memory, 24, count)
            }
        }
        words.3 |= UInt64(truncatingIfNeeded: count) << 56
    }

    /// Up to eight bytes, padded with zeros.
    @inline(__always)
    private static func load(_ memory: UnsafeRawPointer, _ offset: Int, _ count: Int) -> UInt64 {
        let bytes = UInt64(
            littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        // A shift by 64 or more gives 0, a shift by less than 0 is clamped to 0.
        return bytes & ~(UInt64.max << UInt64(8 * max(count &- offset, 0)))
    }

    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: words.3 >> 56 & 0x7f) }

    /// Whether the word is a stop word.
    var isMarked: Bool {
        @inline(__always) get { words.3 >> 63 != 0 }
        set { words.3 = words.3 & (UInt64.max >> 1) | (newValue ? 1 << 63 : 0) }
    }

    @inline(__always)
    var hash: Int {
        var hash = (words.0 ^ words.3) &* 0x9e37_79b9_7f4a_7c15
        hash ^= (words.1 ^ words.2 &* 0xc2b2_ae3d_27d4_eb4f) &* 0xd6e8_feb8_6659_fd93
        hash ^= hash >> 29
        return Int(truncatingIfNeeded: (hash &* 0xbf58_476d_1ce4_e5b9) >> 40)
    }

    @inline(__always)
    static func == (one: PackedWord, other: PackedWord) -> Bool {
        let ends = (one.words.0 ^ other.words.0) | (one.words.3 ^ other.words.3)
        return ends | (one.words.1 ^ other.words.1) | (one.words.2 ^ other.words.2) == 0
    }
}
