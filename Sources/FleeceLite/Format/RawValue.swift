/// A value inside a document's bytes: a position, without ownership.
///
/// Every read is checked against `limit`, and the target of a pointer must end before that pointer.
/// Therefore nothing outside the document is ever read, and following pointers always terminates,
/// whatever the bytes are. The bytes must outlive this value.
@usableFromInline
package struct RawValue: BitwiseCopyable {
    /// The document's first byte. A base, if there is one, lies before it.
    @usableFromInline let base: UnsafeRawPointer
    /// Negative in the base.
    @usableFromInline let offset: Int
    @usableFromInline let shortLimit: Int32
    /// The offset at which the base starts; 0 without one.
    @usableFromInline let lowest: Int32

    @inlinable @inline(__always)
    init(base: UnsafeRawPointer, offset: Int, limit: Int, lowest: Int32 = 0) {
        self.base = base
        self.offset = offset
        shortLimit = Int32(truncatingIfNeeded: limit)
        self.lowest = lowest
    }

    /// The offset before which the value must end.
    @inlinable @inline(__always)
    var limit: Int { Int(shortLimit) }

    @inlinable @inline(__always)
    func byte(_ index: Int) -> UInt8 {
        base.load(fromByteOffset: offset &+ index, as: UInt8.self)
    }

    /// Whether `count` bytes from the start of the value belong to it.
    @inlinable @inline(__always)
    func has(_ count: Int) -> Bool { count <= limit &- offset }

    @inlinable @inline(__always)
    var tag: UInt8 { has(2) ? byte(0) >> 4 : FleeceTag.special }
}

extension RawValue {
    /// The root of a document; nil if the bytes have none.
    package static func root(
        of bytes: UnsafeRawBufferPointer, baseCount: Int = 0
    ) -> RawValue? {
        guard let base = bytes.baseAddress, bytes.count >= 2, bytes.count % 2 == 0,
            bytes.count <= FleeceLimits.wideReach, baseCount <= FleeceLimits.wideReach
        else { return nil }
        let last = RawValue(
            base: base, offset: bytes.count - 2, limit: bytes.count,
            lowest: Int32(truncatingIfNeeded: -baseCount))
        if last.byte(0) & FleeceTag.pointerBit == 0 {
            return bytes.count == 2 ? last : nil
        }
        return last.followed(wide: false)
    }

    /// The value to which the pointer leads; nil if it leads out of the document, or
    /// through too long a chain.
    @inlinable @inline(__always)
    func followed(wide: Bool) -> RawValue? {
        // Nearly all pointers are narrow, unmarked, and lead directly to a value.
        if !wide {
            let bits = base.loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian
            let target = offset &- Int(bits & 0x3FFF) &* 2
            if bits & 0x4000 == 0, target >= Int(lowest), target < offset,
                base.load(fromByteOffset: target, as: UInt8.self) & FleeceTag.pointerBit == 0
            {
                return RawValue(base: base, offset: target, limit: offset, lowest: lowest)
            }
        }
        return followedAnywhere(wide: wide)
    }

    @inline(never)
    @usableFromInline
    func followedAnywhere(wide: Bool) -> RawValue? {
        var position = offset
        var wide = wide
        for _ in 0..<FleeceLimits.pointerChain {
            guard let target = wide ? wideTarget(at: position) : narrowTarget(at: position),
                target < position
            else { return nil }
            let first = base.load(fromByteOffset: target, as: UInt8.self)
            if first & FleeceTag.pointerBit == 0 {
                return RawValue(base: base, offset: target, limit: position, lowest: lowest)
            }
            guard target + 4 <= position else { return nil }
            position = target
            wide = true
        }
        return nil
    }

    /// A marked pointer leads into the base. If it cannot, it is older than the mark and the bit
    /// belongs to the distance; documents that old have no base, but may be one.
    private func narrowTarget(at position: Int) -> Int? {
        let bits = base.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian
        let marked = position - Int(bits & 0x3FFF) * 2
        if bits & 0x4000 != 0, position >= 0, marked < 0, marked >= Int(lowest) { return marked }
        let target = position - Int(bits & 0x7FFF) * 2
        return target >= Int(lowest) ? target : nil
    }

    private func wideTarget(at position: Int) -> Int? {
        let bits = base.loadUnaligned(fromByteOffset: position, as: UInt32.self).bigEndian
        let target = position - Int(bits & 0x3FFF_FFFF) * 2
        if bits & 0x4000_0000 != 0 {
            return position >= 0 && target < 0 && target >= Int(lowest) ? target : nil
        }
        return target >= Int(lowest) ? target : nil
    }
}

extension RawValue {
    /// An integer, with the bits of an unsigned one beyond `Int64.max` in the sign.
    @inline(__always)
    var integer: (bits: Int64, isUnsigned: Bool)? {
        switch tag {
        case FleeceTag.shortInteger:
            let bits = UInt16(byte(0) & 0x0F) << 8 | UInt16(byte(1))
            return (Int64(Int16(bitPattern: bits << 4) >> 4), false)
        case FleeceTag.integer:
            return longInteger
        default:
            return nil
        }
    }

    private var longInteger: (bits: Int64, isUnsigned: Bool)? {
        let count = Int(byte(0) & 7) + 1
        guard has(1 + count) else { return nil }
        var bits: UInt64 = 0
        for index in 0..<count { bits |= UInt64(byte(1 + index)) << UInt64(8 * index) }
        if byte(0) & 8 != 0 { return (Int64(bitPattern: bits), true) }
        let unused = UInt64(64 - 8 * count)
        return (Int64(bitPattern: bits << unused) >> Int64(unused), false)
    }

    /// The integer 0…2047 or -2048 of a shared or parent key.
    @inline(__always)
    var shortInteger: Int? {
        guard has(2), byte(0) >> 4 == FleeceTag.shortInteger else { return nil }
        let bits = UInt16(byte(0) & 0x0F) << 8 | UInt16(byte(1))
        return Int(Int16(bitPattern: bits << 4) >> 4)
    }

    /// A floating-point number, and whether it is printed with single precision.
    var floatingPoint: (value: Double, isSingle: Bool)? {
        guard tag == FleeceTag.float else { return nil }
        if byte(0) & 0x08 != 0 {
            guard has(10) else { return nil }
            let bits = base.loadUnaligned(fromByteOffset: offset + 2, as: UInt64.self)
            return (Double(bitPattern: UInt64(littleEndian: bits)), false)
        }
        guard has(6) else { return nil }
        let bits = base.loadUnaligned(fromByteOffset: offset + 2, as: UInt32.self)
        let single = Float(bitPattern: UInt32(littleEndian: bits))
        return (Double(single), byte(0) & 0x04 == 0)
    }

    /// The bytes of a string (`FleeceTag.string`) or of data.
    @inlinable @inline(__always)
    func bytes(tag expected: UInt8) -> UnsafeRawBufferPointer? {
        guard has(2), byte(0) >> 4 == expected else { return nil }
        let count = Int(byte(0) & 0x0F)
        if count == 15 { return longBytes }
        guard has(1 &+ count) else { return nil }
        return UnsafeRawBufferPointer(start: base + (offset &+ 1), count: count)
    }

    @usableFromInline
    var longBytes: UnsafeRawBufferPointer? {
        guard let (count, start) = Varint.read(base, at: offset + 1, limit: limit),
            count <= UInt64(limit - start)
        else { return nil }
        return UnsafeRawBufferPointer(start: base + start, count: Int(count))
    }

    /// A string's UTF-8.
    @inlinable @inline(__always)
    var string: UnsafeRawBufferPointer? { bytes(tag: FleeceTag.string) }

    /// The size in bytes of a value that is not a collection, from its header.
    var scalarSize: Int {
        switch tag {
        case FleeceTag.integer: Int(byte(0) & 7) + 2
        case FleeceTag.float: byte(0) & 0x08 != 0 ? 10 : 6
        case FleeceTag.string, FleeceTag.data: byte(0) & 0x0F == 15 ? 3 : 1 + Int(byte(0) & 0x0F)
        default: 2
        }
    }
}

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
