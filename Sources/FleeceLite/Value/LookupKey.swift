/// A lookup key: its text, its first bytes as a number, and its number as a shared key.
struct LookupKey {
    let text: UnsafeRawBufferPointer
    /// The first 8 bytes, padded with zeros: these numbers sort as the strings do.
    let prefix: UInt64
    /// Negative if it is not a shared key.
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
            prefix = ShortString(text).low.byteSwapped
        }
    }
}

/// The position of a key in a dictionary.
enum KeyPosition {
    case pair(Int)
    case absent
    /// The key may exist, but a key that was compared during the search is corrupt.
    case unknown

    /// The pair if the key was found.
    @inline(__always)
    var pair: Int? { if case .pair(let index) = self { index } else { nil } }
}

extension RawCollection {
    /// The position of a key among the dictionary's own pairs.
    ///
    /// A key that has a number is never written as a string in a dictionary that uses numbers.
    @inline(__always)
    func keyPosition(of key: LookupKey) -> KeyPosition {
        guard count > 0 else { return .absent }
        let first = hasParentKey ? 1 : 0
        if key.number >= 0, first < count, keyBits(first) < 0x1000 {
            return keyPosition(ofNumber: UInt16(truncatingIfNeeded: key.number), from: first)
        }
        return isWide
            ? keyPosition(ofText: key, isWide: true) : keyPosition(ofText: key, isWide: false)
    }

    /// The first two bytes of a key's slot. Below 0x1000 it is a number, and numbers from 0 on sort
    /// as these bits do; strings and pointers follow.
    @inlinable @inline(__always)
    func keyBits(_ index: Int) -> UInt16 {
        bits(at: start &+ index &<< pairShift)
    }

    /// The size of a pair, as a power of two.
    @inlinable @inline(__always)
    var pairShift: Int { isWide ? 3 : 2 }

    /// A search without unpredictable branches; `first` is a pair.
    @inline(__always)
    private func keyPosition(ofNumber number: UInt16, from first: Int) -> KeyPosition {
        let shift = pairShift
        var position = start &+ first &<< shift
        var left = count &- first
        while left > 1 {
            let half = left &>> 1
            let step = half &<< shift
            // All ones if the middle key does not exceed the number: a branch here would be
            // mispredicted half the time.
            let mask = ~((Int(number) &- Int(bits(at: position &+ step))) &>> 63)
            position &+= step & mask
            left &-= half
        }
        if bits(at: position) == number { return .pair((position &- start) &>> shift) }
        // The search ended before the key that it considered greater.
        let next = position &+ (1 &<< shift)
        let isLast = next >= start &+ count &<< shift
        return isKey(at: position) && (isLast || isKey(at: next)) ? .absent : .unknown
    }

    /// Whether a slot can be a key: a number, a short string, or a pointer.
    @inline(__always)
    private func isKey(at position: Int) -> Bool {
        let bits = bits(at: position)
        return bits < 0x1000 || bits &>> 12 == 4 || bits >= 0x8000
    }

    /// A search that is specialized for either width.
    @inline(__always)
    private func keyPosition(ofText key: LookupKey, isWide: Bool) -> KeyPosition {
        let shift = isWide ? 3 : 2
        var position = start
        var left = count
        while left > 1 {
            let half = left &>> 1
            let middle = position &+ half &<< shift
            guard let order = order(of: key, at: middle, isWide: isWide) else { return .unknown }
            if order >= 0 { position = middle }
            left &-= half
        }
        guard let order = order(of: key, at: position, isWide: isWide) else { return .unknown }
        return order == 0 ? .pair((position &- start) &>> shift) : .absent
    }

    /// Returns a negative number, zero or a positive number if the key sorts before, equals or
    /// sorts after the key in a slot.
    @inline(__always)
    private func order(of key: LookupKey, at position: Int, isWide: Bool) -> Int? {
        let distance = distance(at: position, isWide: isWide)
        let target = position &- distance
        // Most keys are short strings a short distance back, with 8 readable bytes.
        if distance >= 10, target >= Int(lowest) {
            let header = base.load(fromByteOffset: target, as: UInt8.self)
            let count = Int(header &- FleeceTag.string &<< 4)
            if count &- 1 < 14, count > 0, count < distance {
                let word = base.loadUnaligned(fromByteOffset: target &+ 1, as: UInt64.self)
                let unused = UInt64(truncatingIfNeeded: max(64 &- 8 &* count, 0))
                let prefix = (word.bigEndian &>> unused) &<< unused
                if prefix != key.prefix { return key.prefix < prefix ? -1 : 1 }
                if count <= 8 || key.text.count <= 8 { return key.text.count &- count }
            }
        }
        return orderInFull(of: key, at: (position &- start) &>> pairShift)
    }

    @inline(never)
    private func orderInFull(of key: LookupKey, at index: Int) -> Int? {
        switch self.key(index) {
        case .string(let other): compare(key.text, other)
        // Numbers sort before strings.
        case .number: 1
        case nil: nil
        }
    }
}

extension RawCollection {
    /// The distance of an unmarked pointer; 0 if the slot does not have one.
    @inline(__always)
    func distance(at position: Int, isWide: Bool) -> Int {
        if isWide {
            let bits = base.loadUnaligned(fromByteOffset: position, as: UInt32.self).bigEndian
            return bits &>> 30 == 2 ? Int(bits & 0x3FFF_FFFF) &* 2 : 0
        }
        let bits = bits(at: position)
        return bits &>> 14 == 2 ? Int(bits & 0x3FFF) &* 2 : 0
    }
}
