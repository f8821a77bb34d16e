/// A pointer in a document's bytes, as written and as readers interpret it.
struct DumpPointer {
    let base: UnsafeRawPointer
    let position: Int
    let isWide: Bool
    let isExtern: Bool
    /// The distance in bytes, backwards from the pointer.
    let distance: Int
    /// The target's offset; nil if it is not in the document.
    let target: Int?

    var width: Int { isWide ? 4 : 2 }

    /// Reads a pointer, all of whose bytes must lie in the document.
    ///
    /// - Parameter baseCount: the size of the document into which extern pointers
    ///   lead; 0 if it is not known.
    init(_ base: UnsafeRawPointer, at position: Int, isWide: Bool, baseCount: Int) {
        self.base = base
        self.position = position
        self.isWide = isWide
        let units: Int
        if isWide {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt32.self).bigEndian
            isExtern = word & 0x4000_0000 != 0
            units = Int(word & 0x3FFF_FFFF)
        } else {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian
            isExtern = word & 0x4000 != 0
            // Documents older than the extern flag used its bit for the distance.
            let beforeStart = Int(word & 0x3FFF) * 2 - position
            let isOld =
                isExtern && Int(word & 0x7FFF) * 2 <= position
                && !(beforeStart > 0 && beforeStart <= baseCount)
            units = Int(word & (isOld ? 0x7FFF : 0x3FFF))
        }
        distance = units * 2
        let isInside = distance > 0 && distance <= position
        let leadsOut = isExtern && (isWide || units < 0x4000)
        target = isInside && !leadsOut ? position - distance : nil
    }

    /// The pointer at the end of a document; nil if there is none.
    static func trailer(
        of bytes: UnsafeRawBufferPointer, baseCount: Int
    ) -> DumpPointer? {
        guard let base = bytes.baseAddress, bytes.count >= 2, bytes.count % 2 == 0,
            bytes[bytes.count - 2] & FleeceTag.pointerBit != 0
        else { return nil }
        return DumpPointer(base, at: bytes.count - 2, isWide: false, baseCount: baseCount)
    }
}

extension RawValue {
    /// The offset after the value, without padding; nil if it does not end within its limit.
    var end: Int? {
        guard has(2) else { return nil }
        switch tag {
        case FleeceTag.shortInteger, FleeceTag.special: return offset + 2
        case FleeceTag.integer: return integer.map { _ in offset + 2 + Int(byte(0) & 7) }
        case FleeceTag.float:
            return floatingPoint.map { _ in offset + (byte(0) & 0x08 == 0 ? 6 : 10) }
        case FleeceTag.string, FleeceTag.data:
            return bytes(tag: tag).flatMap { contents in
                contents.baseAddress.map { $0 - base + contents.count }
            }
        default:
            return (array ?? dictionary)?.value.limit
        }
    }
}
