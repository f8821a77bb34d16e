/// What will stand in a slot of an open collection: a value of 2 bytes, or a pointer.
struct SlotItem: BitwiseCopyable {
    /// Bit 31: a pointer, with half the target's offset below it. Else the two bytes, the first
    /// of them in the high byte.
    private let bits: UInt32

    private init(bits: UInt32) {
        self.bits = bits
    }

    @inline(__always)
    static func inline(_ first: UInt8, _ second: UInt8) -> SlotItem {
        SlotItem(bits: UInt32(first) << 8 | UInt32(second))
    }

    @inline(__always)
    static func shortInteger(_ value: Int) -> SlotItem {
        SlotItem(bits: UInt32(truncatingIfNeeded: value) & 0x0FFF)
    }

    /// Takes an even offset below 2 GiB.
    @inline(__always)
    static func pointer(to offset: Int) -> SlotItem {
        SlotItem(bits: 0x8000_0000 | UInt32(truncatingIfNeeded: offset / 2))
    }

    /// The offset it points to, nil for an inline value.
    @inline(__always)
    var target: Int? { bits & 0x8000_0000 == 0 ? nil : Int(bits & 0x7FFF_FFFF) * 2 }

    /// The two bytes of an inline value.
    @inline(__always)
    var inlineBytes: UInt16 { UInt16(truncatingIfNeeded: bits) }

    /// The number of a key that is one.
    var number: Int? {
        guard bits & 0xFFFF_F000 == 0 else { return nil }
        return Int(Int16(bitPattern: inlineBytes << 4) >> 4)
    }
}
