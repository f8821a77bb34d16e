/// Text of at most 15 bytes as two words: its bytes, zeros behind them, its length in the top byte.
///
/// So two texts are equal if their words are, and are written by two stores.
struct ShortText: Equatable, BitwiseCopyable {
    let low: UInt64
    /// The bytes from the ninth on, and the length in the highest byte.
    let high: UInt64

    /// The most bytes that one holds.
    static let maximumCount = 15

    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: high >> 56) }

    /// The bytes from the ninth on.
    @inline(__always)
    var highBytes: UInt64 { high & 0x00FF_FFFF_FFFF_FFFF }

    /// Takes the first `count` bytes, at most 15, of 16 that were loaded.
    @inline(__always)
    init(low: UInt64, high: UInt64, count: Int) {
        let length = UInt64(truncatingIfNeeded: count) << 56
        if count < 8 {
            self.low = low & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
            self.high = length
        } else {
            let bits = UInt64(truncatingIfNeeded: (count &- 8) &* 8)
            self.low = low
            self.high = high & ((1 &<< bits) &- 1) | length
        }
    }

    /// Takes at most 15 bytes, and reads no more than those.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            low = 0
            high = 0
            return
        }
        let count = bytes.count
        let length = UInt64(truncatingIfNeeded: count) << 56
        // Loads that overlap agree where they do.
        if count >= 8 {
            low = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
            let end = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            high = end >> UInt64(128 &- 8 &* count) | length
        } else if count >= 4 {
            let begin = UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
            let end = UInt32(
                littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            low = UInt64(begin) | UInt64(end) << UInt64(8 &* (count &- 4))
            high = length
        } else {
            let middle = count / 2
            let last = count &- 1
            low =
                UInt64(base.load(as: UInt8.self))
                | UInt64(base.load(fromByteOffset: middle, as: UInt8.self)) << UInt64(8 &* middle)
                | UInt64(base.load(fromByteOffset: last, as: UInt8.self)) << UInt64(8 &* last)
            high = length
        }
    }

    /// Lends its bytes to `body`.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
            try body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    @inline(__always)
    func hash(_ seed: HashSeed) -> Int { seed.hash(low, high) }
}
