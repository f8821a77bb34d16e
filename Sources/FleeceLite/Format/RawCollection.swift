/// The slots of an array or dictionary, without ownership. See `RawValue` for what is safe.
@usableFromInline
package struct RawCollection: BitwiseCopyable {
    @usableFromInline let base: UnsafeRawPointer
    /// The offset of the first slot.
    @usableFromInline let start: Int
    @usableFromInline let shortCount: Int32
    @usableFromInline let lowest: Int32
    /// The size of the header.
    @usableFromInline let headerSize: UInt8
    @usableFromInline let isDictionary: Bool
    @usableFromInline let isWide: Bool

    @inlinable @inline(__always)
    init(
        _ value: RawValue, start: Int, count: Int, isDictionary: Bool, isWide: Bool
    ) {
        base = value.base
        lowest = value.lowest
        headerSize = UInt8(truncatingIfNeeded: start &- value.offset)
        self.start = start
        shortCount = Int32(truncatingIfNeeded: count)
        self.isDictionary = isDictionary
        self.isWide = isWide
    }

    /// An empty dictionary at the position of `value`.
    init(empty value: RawValue) {
        self.init(value, start: value.offset + 2, count: 0, isDictionary: true, isWide: false)
    }

    /// The number of array elements, or of pairs of a dictionary.
    @inlinable @inline(__always)
    var count: Int { Int(shortCount) }

    @inlinable @inline(__always)
    var width: Int { isWide ? 4 : 2 }

    var slotCount: Int { isDictionary ? 2 * count : count }

    /// The offset of the header.
    var offset: Int { start - Int(headerSize) }

    /// The collection as a value.
    var value: RawValue {
        RawValue(base: base, offset: offset, limit: start + slotCount * width, lowest: lowest)
    }

    /// The first two bytes of a slot at an offset.
    @inlinable @inline(__always)
    func bits(at position: Int) -> UInt16 {
        base.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian
    }

    /// The value that a slot holds or points to; nil if that is not inside the document.
    @inlinable @inline(__always)
    func slot(_ index: Int) -> RawValue? {
        slot(at: start &+ index &<< (isWide ? 2 : 1), isWide: isWide)
    }

    /// The value of the slot at an offset.
    @inlinable @inline(__always)
    func slot(at position: Int, isWide: Bool) -> RawValue? {
        let value = RawValue(
            base: base, offset: position, limit: position &+ (isWide ? 4 : 2), lowest: lowest)
        return value.byte(0) & FleeceTag.pointerBit == 0 ? value : value.followed(wide: isWide)
    }
}

extension RawValue {
    /// The elements of an array.
    @inlinable @inline(__always)
    package var array: RawCollection? {
        tag == FleeceTag.array ? collection(isDictionary: false) : nil
    }

    /// The pairs of a dictionary: slots 2i and 2i + 1 are a key and its value.
    @inlinable @inline(__always)
    package var dictionary: RawCollection? {
        tag == FleeceTag.dictionary ? collection(isDictionary: true) : nil
    }

    /// The slots of a collection of either kind, and their number.
    var slots: (RawCollection, Int)? {
        (array ?? dictionary).map { ($0, $0.slotCount) }
    }

    @inlinable @inline(__always)
    func collection(isDictionary: Bool) -> RawCollection? {
        let header = byte(0)
        let isWide = header & FleeceTag.wideBit != 0
        let count = Int(header & 7) << 8 | Int(byte(1))
        if count == FleeceLimits.longCount { return longCollection(isDictionary, isWide) }
        let shift = (isDictionary ? 1 : 0) &+ (isWide ? 2 : 1)
        guard count &<< shift <= limit &- offset &- 2 else { return nil }
        return RawCollection(
            self, start: offset &+ 2, count: count, isDictionary: isDictionary, isWide: isWide)
    }

    @inline(never)
    @usableFromInline
    func longCollection(_ isDictionary: Bool, _ isWide: Bool) -> RawCollection? {
        guard let (more, end) = Varint.read(base, at: offset + 2, limit: limit),
            more <= UInt64(limit - offset)
        else { return nil }
        let start = end + (end - offset) % 2
        let count = FleeceLimits.longCount + Int(more)
        let width = (isDictionary ? 2 : 1) * (isWide ? 4 : 2)
        guard count * width <= limit - start else { return nil }
        return RawCollection(
            self, start: start, count: count, isDictionary: isDictionary, isWide: isWide)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether two buffers hold the same bytes; compares by words, which
    /// `elementsEqual` does not do.
    @inlinable
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position &+ 8 <= count {
            guard
                loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            else { return false }
            position &+= 8
        }
        while position < count {
            guard self[position] == other[position] else { return false }
            position &+= 1
        }
        return true
    }
}
