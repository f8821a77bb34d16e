/// What will stand in a slot of an open collection: a value of at most 4 bytes, or a pointer.
///
/// A value is kept as its bytes, the first one highest, zeros behind them; its highest bit is
/// never set. A pointer has that bit, and half its target's offset in the output below it. The
/// next bit says that the target lies in the base instead, which ends where the output begins,
/// and the offset is counted backwards from there.
struct SlotItem: BitwiseCopyable, Equatable {
    let bits: UInt32

    private static let pointerBit: UInt32 = 0x8000_0000
    private static let baseBit: UInt32 = 0x4000_0000

    @inline(__always)
    init(bits: UInt32) {
        self.bits = bits
    }

    @inline(__always)
    static func inline(_ first: UInt8, _ second: UInt8) -> SlotItem {
        SlotItem(bits: UInt32(first) << 24 | UInt32(second) << 16)
    }

    @inline(__always)
    static func shortInteger(_ value: Int) -> SlotItem {
        SlotItem(bits: (UInt32(truncatingIfNeeded: value) & 0x0FFF) << 16)
    }

    /// Takes an even offset below 2 GiB.
    @inline(__always)
    static func pointer(to offset: Int) -> SlotItem {
        SlotItem(bits: pointerBit | UInt32(truncatingIfNeeded: offset &>> 1))
    }

    /// Takes an even number of bytes back from the end of the base.
    static func pointerIntoBase(distance: Int) -> SlotItem {
        SlotItem(bits: pointerBit | baseBit | UInt32(truncatingIfNeeded: distance / 2))
    }

    @inline(__always)
    var isPointer: Bool { bits & Self.pointerBit != 0 }

    @inline(__always)
    var isIntoBase: Bool { bits >= Self.pointerBit | Self.baseBit }

    /// How many units of 2 bytes a pointer at the offset `2 * half` has to go back; for one into
    /// the base far more than any pointer can.
    @inline(__always)
    func distance(fromHalf half: UInt32) -> UInt32 {
        half &- (bits & ~Self.pointerBit)
    }

    /// The same for a pointer into the base.
    func baseDistance(fromHalf half: UInt32) -> UInt32 {
        half &+ (bits & (Self.baseBit - 1))
    }

    /// The offset in the output that it points to, nil for any other item.
    @inline(__always)
    var target: Int? {
        isPointer && !isIntoBase ? Int(bits & ~Self.pointerBit) * 2 : nil
    }

    /// The number of a key that is one.
    var number: Int? {
        guard bits & 0xF000_FFFF == 0 else { return nil }
        return Int(Int16(bitPattern: UInt16(bits >> 16) << 4) >> 4)
    }
}
