/// A word and its stem, in 64 bytes of memory.
struct CachedStem: BitwiseCopyable {
    // Three words of eight bytes and seven more are the longest word; the last byte is its length.
    private var word: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var stem: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private static let longest = 31

    /// Whether a word of this length can be kept.
    static func fits(_ count: Int) -> Bool { count <= longest }

    /// A number made of all bytes of a word.
    static func hash(_ word: UnsafeRawBufferPointer) -> Int {
        let packed = pack(word)
        var hash = packed.0 ^ packed.1 &* 0x9e37_79b9_7f4a_7c15
        hash ^= (packed.2 ^ packed.3 &* 0xc2b2_ae3d_27d4_eb4f) &* 0x9e37_79b9_7f4a_7c15
        hash &*= 0xd6e8_feb8_6659_fd93
        return Int(truncatingIfNeeded: hash >> 40)
    }

    /// Whether this is the entry of a word that fits.
    func holds(_ other: UnsafeRawBufferPointer) -> Bool { word == CachedStem.pack(other) }

    /// Keeps a word and its stem; both fit.
    mutating func keep(_ word: UnsafeRawBufferPointer, stem: UnsafeRawBufferPointer) {
        self.stem = CachedStem.pack(stem)
        self.word = CachedStem.pack(word)
    }

    /// Replaces a word by the stem.
    func writeStem(to buffer: TokenBuffer) {
        withUnsafeBytes(of: stem) { bytes in
            let count = min(Int(bytes[CachedStem.longest]), CachedStem.longest)
            buffer.replace(with: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func pack(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64, UInt64, UInt64) {
        var packed: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let count = min(bytes.count, longest)
        withUnsafeMutableBytes(of: &packed) { memory in
            if let target = memory.baseAddress, let source = bytes.baseAddress {
                target.copyMemory(from: source, byteCount: count)
            }
            memory[longest] = UInt8(truncatingIfNeeded: count)
        }
        return packed
    }
}
