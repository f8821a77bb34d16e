extension RawCollection {
    /// The first slot of 2 bytes, from `first` on, that does not hold or plainly point to what is
    /// valid both as a key and as a value: a short string, or a short integer but the parent key.
    ///
    /// That is nearly all there is; what is skipped here costs no call.
    @inline(__always)
    func skipOrdinarySlots(from first: Int) -> Int {
        let end = slotCount
        var index = first
        while index < end {
            let position = start &+ 2 &* index
            let bits = bits(at: position)
            if bits & 0x8000 == 0 {
                guard Self.isOrdinary(bits, isValue: !isDictionary || index & 1 != 0) else {
                    return index
                }
            } else {
                let distance = Int(bits &<< 1 & 0x7FFF)
                let target = position &- distance
                guard bits & 0x4000 == 0, target >= Int(lowest),
                    isString(at: target, within: distance)
                else { return index }
            }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private static func isOrdinary(_ bits: UInt16, isValue: Bool) -> Bool {
        switch UInt8(truncatingIfNeeded: bits &>> 12) {
        case FleeceTag.shortInteger: bits != 0x0800
        case FleeceTag.string: bits & 0x0F00 <= 0x0100
        case FleeceTag.special: isValue
        default: false
        }
    }

    /// Whether a string stands at an offset and ends within so many bytes.
    @inline(__always)
    private func isString(at offset: Int, within limit: Int) -> Bool {
        let first = base.load(fromByteOffset: offset, as: UInt8.self)
        guard first &>> 4 == FleeceTag.string else { return false }
        let count = Int(first & 0x0F)
        if count < 15 { return count < limit }
        // A pointer leads at least 2 bytes back, so there is a second one.
        let length = base.load(fromByteOffset: offset &+ 1, as: UInt8.self)
        return length < 0x80 && Int(length) &+ 2 <= limit
    }
}
