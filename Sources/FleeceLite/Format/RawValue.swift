/// A value inside a document's bytes: a place, without ownership.
///
/// Every read is checked against `limit`, and what a pointer leads to must end before that
/// pointer. So nothing outside the document is ever read, and following values always ends,
/// whatever the bytes are. The bytes must outlive it.
package struct RawValue {
    let base: UnsafeRawPointer
    let offset: Int
    /// The offset before which the value must end.
    let limit: Int

    @inline(__always)
    func byte(_ index: Int) -> UInt8 {
        base.load(fromByteOffset: offset &+ index, as: UInt8.self)
    }

    /// Whether `count` bytes from the start of the value belong to it.
    @inline(__always)
    func has(_ count: Int) -> Bool { count <= limit &- offset }

    @inline(__always)
    var tag: UInt8 { has(2) ? byte(0) >> 4 : FleeceTag.special }
}

extension RawValue {
    /// The root of a document, nil if the bytes hold none.
    package static func root(of bytes: UnsafeRawBufferPointer) -> RawValue? {
        guard let base = bytes.baseAddress, bytes.count >= 2, bytes.count % 2 == 0 else {
            return nil
        }
        let last = RawValue(base: base, offset: bytes.count - 2, limit: bytes.count)
        if last.byte(0) & FleeceTag.pointerBit == 0 {
            return bytes.count == 2 ? last : nil
        }
        return last.followed(wide: false)
    }

    /// The value that the pointer here leads to; nil if it leads out of the document, into
    /// another one, or round in a chain.
    func followed(wide: Bool) -> RawValue? {
        var position = offset
        var wide = wide
        for _ in 0..<FleeceLimits.pointerChain {
            let distance = wide ? wideDistance(at: position) : narrowDistance(at: position)
            guard distance > 0, distance <= position else { return nil }
            let target = position - distance
            let first = base.load(fromByteOffset: target, as: UInt8.self)
            if first & FleeceTag.pointerBit == 0 {
                return RawValue(base: base, offset: target, limit: position)
            }
            guard target + 4 <= position else { return nil }
            position = target
            wide = true
        }
        return nil
    }

    /// Documents older than the extern flag used its bit for the distance.
    private func narrowDistance(at position: Int) -> Int {
        Int(base.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian & 0x7FFF) * 2
    }

    private func wideDistance(at position: Int) -> Int {
        let word = base.loadUnaligned(fromByteOffset: position, as: UInt32.self).bigEndian
        return word & 0x4000_0000 == 0 ? Int(word & 0x3FFF_FFFF) * 2 : 0
    }
}

extension RawValue {
    /// An integer, with the bits of an unsigned one beyond `Int64.max` in the sign.
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

    /// The integer 0…2047 or -2048 that a shared or parent key is.
    @inline(__always)
    var shortInteger: Int? {
        guard has(2), byte(0) >> 4 == FleeceTag.shortInteger else { return nil }
        let bits = UInt16(byte(0) & 0x0F) << 8 | UInt16(byte(1))
        return Int(Int16(bitPattern: bits << 4) >> 4)
    }

    /// A floating-point number, and whether it prints as a 32-bit one.
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
    @inline(__always)
    func bytes(tag expected: UInt8) -> UnsafeRawBufferPointer? {
        guard has(2), byte(0) >> 4 == expected else { return nil }
        let count = Int(byte(0) & 0x0F)
        if count == 15 { return longBytes }
        guard has(1 + count) else { return nil }
        return UnsafeRawBufferPointer(start: base + offset + 1, count: count)
    }

    private var longBytes: UnsafeRawBufferPointer? {
        guard let (count, start) = Varint.read(base, at: offset + 1, limit: limit),
            count <= UInt64(limit - start)
        else { return nil }
        return UnsafeRawBufferPointer(start: base + start, count: Int(count))
    }

    /// A string's UTF-8.
    @inline(__always)
    var string: UnsafeRawBufferPointer? { bytes(tag: FleeceTag.string) }
}
