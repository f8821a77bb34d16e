/// A string of at most 15 bytes as two words: its bytes, followed by zeros, and
/// its length in the top byte.
///
/// Two strings are equal if their words are, and a string is written by two stores.
struct ShortString: Equatable, BitwiseCopyable {
    let low: UInt64
    /// The bytes from the ninth on, and the length in the highest byte.
    let high: UInt64

    /// The maximum number of bytes.
    static let maximumCount = 15

    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: high >> 56) }

    /// The bytes from the ninth on.
    @inline(__always)
    var highBytes: UInt64 { high & 0x00FF_FFFF_FFFF_FFFF }

    /// Takes the first `count` bytes, at most 15, of 16 loaded bytes.
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

    /// Takes at most 15 bytes, and reads only those.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            low = 0
            high = 0
            return
        }
        let count = bytes.count
        let length = UInt64(truncatingIfNeeded: count) << 56
        // Overlapping loads contain the same bytes where they overlap.
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

    /// Passes its bytes to `operation`.
    func withBytes<T>(_ operation: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
            try operation(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    @inline(__always)
    func hash(_ seed: HashSeed) -> Int { seed.hash(low, high) }
}

/// Two random words, one pair per process: they prevent attackers from choosing keys that collide
/// in a hash table.
struct HashSeed {
    let first: UInt64
    let second: UInt64

    private static let process = (
        UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)
    )

    init() {
        self.init(Self.process)
    }

    /// A known seed.
    init(_ words: (UInt64, UInt64)) {
        (first, second) = words
    }

    /// A hash of two words: the product's upper half depends on all of their bits.
    @inline(__always)
    func hash(_ low: UInt64, _ high: UInt64) -> Int {
        let product = (low ^ first).multipliedFullWidth(by: high ^ second)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }
}

extension UnsafeRawBufferPointer {
    /// The first offset, from `start` on, at which `pattern` of at least two bytes occurs; nil if
    /// there is none.
    ///
    /// Sixteen offsets at a time are compared with the first two bytes of the pattern.
    @inline(__always)
    package func offset(of pattern: [UInt8], from offset: Int = 0) -> Int? {
        let first = SIMD16<UInt8>(repeating: pattern[0])
        let second = SIMD16<UInt8>(repeating: pattern[1])
        var start = Swift.max(offset, 0)
        while start &+ 17 <= count {
            let left = loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
            let right = loadUnaligned(fromByteOffset: start &+ 1, as: SIMD16<UInt8>.self)
            // Zero where both bytes match.
            let difference = unsafeBitCast(
                (left ^ first) | (right ^ second), to: SIMD2<UInt64>.self)
            if difference[0].hasZeroByte || difference[1].hasZeroByte,
                let position = position(of: pattern, in: start..<start &+ 16)
            {
                return position
            }
            start &+= 16
        }
        return start < count ? position(of: pattern, in: start..<count) : nil
    }

    @inline(never)
    private func position(of pattern: [UInt8], in positions: Range<Int>) -> Int? {
        for position in positions
        where position + pattern.count <= count && self[position] == pattern[0] {
            if self[position..<(position + pattern.count)].elementsEqual(pattern) {
                return position
            }
        }
        return nil
    }
}

extension UInt64 {
    fileprivate var hasZeroByte: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return (self &- ones) & ~self & (ones &* 0x80) != 0
    }
}
