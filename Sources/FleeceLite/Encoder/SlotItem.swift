/// The future content of a slot of an open collection: a value of at most 4 bytes, or a pointer.
///
/// A value is stored as its bytes, the first one highest, followed by zeros; the highest bit is
/// never set. A pointer has that bit set, and half its target's offset in the output below it. The
/// next bit marks a target in the base, which ends where the output begins; the offset is then
/// counted backwards from there.
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

    /// Creates a pointer to an even offset below 2 GiB.
    @inline(__always)
    static func pointer(to offset: Int) -> SlotItem {
        SlotItem(bits: pointerBit | UInt32(truncatingIfNeeded: offset &>> 1))
    }

    /// Creates a pointer to a target an even number of bytes before the end of the base.
    static func pointerIntoBase(distance: Int) -> SlotItem {
        SlotItem(bits: pointerBit | baseBit | UInt32(truncatingIfNeeded: distance / 2))
    }

    @inline(__always)
    var isPointer: Bool { bits & Self.pointerBit != 0 }

    @inline(__always)
    var isIntoBase: Bool { bits >= Self.pointerBit | Self.baseBit }

    /// The distance of a pointer at the offset `2 * half` in units of 2 bytes; for one into the
    /// base, far more than any pointer can have.
    @inline(__always)
    func distance(fromHalf half: UInt32) -> UInt32 {
        half &- (bits & ~Self.pointerBit)
    }

    /// The distance of a pointer into the base, in units of 2 bytes.
    func baseDistance(fromHalf half: UInt32) -> UInt32 {
        half &+ (bits & (Self.baseBit - 1))
    }

    /// The offset in the output to which the item points; nil for any other item.
    @inline(__always)
    var target: Int? {
        isPointer && !isIntoBase ? Int(bits & ~Self.pointerBit) * 2 : nil
    }

    /// The number of a numeric key.
    var number: Int? {
        guard bits & 0xF000_FFFF == 0 else { return nil }
        return Int(Int16(bitPattern: UInt16(bits >> 16) << 4) >> 4)
    }
}
