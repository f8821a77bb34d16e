/// Up to 16 bytes of text as two words and a length: compared and hashed without a loop.
struct KeyWords: Equatable, BitwiseCopyable {
    let low: UInt64
    let high: UInt64
    let count: Int

    /// Takes bytes whose count is at most 16.
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
