/// The slots of an array or dictionary, without ownership. See `RawValue` for what is safe.
struct RawCollection {
    let base: UnsafeRawPointer
    /// The offset of the first slot.
    let start: Int
    /// Array elements, or pairs of a dictionary.
    let count: Int
    let isWide: Bool

    @inline(__always)
    var width: Int { isWide ? 4 : 2 }

    /// What a slot holds or points to, nil if that is not inside the document.
    @inline(__always)
    func slot(_ index: Int) -> RawValue? {
        let position = start &+ index &* width
        let value = RawValue(base: base, offset: position, limit: position &+ width)
        return value.byte(0) & FleeceTag.pointerBit == 0 ? value : value.followed(wide: isWide)
    }
}

extension RawValue {
    /// The elements of an array.
    var array: RawCollection? {
        tag == FleeceTag.array ? collection(slotsPerItem: 1) : nil
    }

    /// The pairs of a dictionary: slots 2i and 2i + 1 are a key and its value.
    var dictionary: RawCollection? {
        tag == FleeceTag.dictionary ? collection(slotsPerItem: 2) : nil
    }

    private func collection(slotsPerItem: Int) -> RawCollection? {
        let isWide = byte(0) & FleeceTag.wideBit != 0
        var count = Int(byte(0) & 7) << 8 | Int(byte(1))
        var start = offset + 2
        if count == FleeceLimits.longCount {
            guard let (more, end) = Varint.read(base, at: start, limit: limit),
                more <= UInt64(limit)
            else { return nil }
            count += Int(more)
            start = end + (end - start) % 2
        }
        guard count * slotsPerItem * (isWide ? 4 : 2) <= limit - start else { return nil }
        return RawCollection(base: base, start: start, count: count, isWide: isWide)
    }
}
