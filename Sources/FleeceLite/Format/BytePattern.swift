extension UnsafeRawBufferPointer {
    /// Where `pattern`, of at least two bytes, stands for the first time from an offset on; nil if
    /// nowhere.
    ///
    /// Sixteen places at a time are looked at for its first two bytes.
    @inline(__always)
    package func offset(of pattern: [UInt8], from offset: Int = 0) -> Int? {
        let first = SIMD16<UInt8>(repeating: pattern[0])
        let second = SIMD16<UInt8>(repeating: pattern[1])
        var start = Swift.max(offset, 0)
        while start &+ 17 <= count {
            let left = loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
            let right = loadUnaligned(fromByteOffset: start &+ 1, as: SIMD16<UInt8>.self)
            // Zero where both are as they should be.
            let difference = unsafeBitCast(
                (left ^ first) | (right ^ second), to: SIMD2<UInt64>.self)
            if difference[0].hasZeroByte || difference[1].hasZeroByte,
                let place = place(of: pattern, in: start..<start &+ 16)
            {
                return place
            }
            start &+= 16
        }
        return start < count ? place(of: pattern, in: start..<count) : nil
    }

    @inline(never)
    private func place(of pattern: [UInt8], in places: Range<Int>) -> Int? {
        for place in places where place + pattern.count <= count && self[place] == pattern[0] {
            if self[place..<(place + pattern.count)].elementsEqual(pattern) { return place }
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
