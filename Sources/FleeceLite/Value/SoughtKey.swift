/// A key that is looked up: its text, the beginning of that as a number, and its number as a
/// shared key.
struct SoughtKey {
    let text: UnsafeRawBufferPointer
    /// The first 8 bytes, zeros behind a shorter text: ordered as the texts are.
    let prefix: UInt64
    /// Negative if it is no shared key.
    var number: Int

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer, number: Int = -1) {
        self.text = text
        self.number = number
        let count = text.count
        guard let start = text.baseAddress, count > 0 else {
            prefix = 0
            return
        }
        if count >= 8 {
            prefix = start.loadUnaligned(as: UInt64.self).bigEndian
        } else {
            prefix = ShortText(text).low.byteSwapped
        }
    }
}

extension RawCollection {
    /// The pair of this dictionary's own that has a key, nil if none has or the bytes on the way
    /// to it are corrupt.
    ///
    /// A key that has a number is never written as text in a dictionary that uses numbers.
    @inline(__always)
    func index(of key: SoughtKey) -> Int? {
        guard count > 0 else { return nil }
        let first = hasParentKey ? 1 : 0
        if key.number >= 0, first < count, keyBits(first) < 0x1000 {
            return index(ofNumber: UInt16(truncatingIfNeeded: key.number), from: first)
        }
        return index(ofText: key)
    }

    /// The first two bytes of a key's slot. Below 0x1000 it is a number, and numbers from 0 on
    /// are ordered as these bits are; strings and pointers come after them.
    @inline(__always)
    func keyBits(_ index: Int) -> UInt16 {
        bits(at: start &+ index &<< pairShift)
    }

    /// The size of a pair, as a power of two.
    @inline(__always)
    private var pairShift: Int { isWide ? 3 : 2 }

    /// A search without branches that could be mistaken; `first` is a pair.
    @inline(__always)
    private func index(ofNumber number: UInt16, from first: Int) -> Int? {
        let shift = pairShift
        var position = start &+ first &<< shift
        var left = count &- first
        while left > 1 {
            let half = left &>> 1
            let step = half &<< shift
            // All ones if the key in the middle is not beyond the number: a branch here would be
            // taken for the wrong one half the time.
            let mask = ~((Int(number) &- Int(bits(at: position &+ step))) &>> 63)
            position &+= step & mask
            left &-= half
        }
        return bits(at: position) == number ? (position &- start) &>> shift : nil
    }

    @inline(__always)
    private func index(ofText key: SoughtKey) -> Int? {
        var low = 0
        var left = count
        while left > 1 {
            let half = left &>> 1
            guard let order = order(of: key, at: low &+ half) else { return nil }
            low &+= half & ~(order &>> 63)
            left &-= half
        }
        return order(of: key, at: low) == 0 ? low : nil
    }

    /// Negative, zero or positive as the key comes before, is or comes after that of a pair.
    @inline(__always)
    private func order(of key: SoughtKey, at index: Int) -> Int? {
        let position = start &+ index &<< pairShift
        let bits = bits(at: position)
        if bits < 0x1000 { return 1 }
        // Most keys are short strings a little way back, with 8 bytes that may be read.
        let target = position &- Int(bits & 0x3FFF) &* 2
        if bits & 0xC000 == 0x8000, !isWide, target >= Int(lowest), target &+ 9 <= position {
            let header = base.load(fromByteOffset: target, as: UInt8.self)
            let count = Int(header & 0x0F)
            if header &>> 4 == FleeceTag.string, count < 15 {
                let word = base.loadUnaligned(fromByteOffset: target &+ 1, as: UInt64.self)
                let unused = UInt64(truncatingIfNeeded: count < 8 ? 64 &- 8 &* count : 0)
                let prefix = count == 0 ? 0 : (word.bigEndian &>> unused) &<< unused
                if prefix != key.prefix { return Self.order(key.prefix, prefix) }
                if count <= 8 || key.text.count <= 8 { return key.text.count &- count }
            }
        }
        return orderInFull(of: key, at: index)
    }

    /// -1 or 1 for two different words, without a branch.
    @inline(__always)
    private static func order(_ left: UInt64, _ right: UInt64) -> Int {
        1 &- (left < right ? 2 : 0)
    }

    @inline(never)
    private func orderInFull(of key: SoughtKey, at index: Int) -> Int? {
        guard case .string(let other) = self.key(index) else { return nil }
        return compare(key.text, other)
    }
}
