/// The positions in a document that are reachable from its root.
///
/// Pointers lead backwards only, so one pass from the end to the beginning finds all of them.
struct DumpReach: Sendable {
    /// A bit for each even offset.
    private var words: [UInt64]
    /// Collections that overlap following values and are still shown with all their slots.
    private var whole: Set<Int> = []
    /// How many overlapping slots may still be shown: overlaps could multiply
    /// the output without limit.
    private var spareSlots: Int

    private let baseCount: Int

    init(_ bytes: UnsafeRawBufferPointer, baseCount: Int) {
        self.baseCount = baseCount
        words = Array(repeating: 0, count: bytes.count / 128 + 1)
        spareSlots = bytes.count / 2
        guard let base = bytes.baseAddress,
            let trailer = DumpPointer.trailer(of: bytes, baseCount: baseCount)
        else { return }
        insert(trailer)
        var following = trailer.position
        for offset in stride(from: trailer.position - 2, through: 0, by: -2)
        where contains(offset) {
            let value = RawValue(base: base, offset: offset, limit: bytes.count)
            visit(value, following: following)
            following = offset
        }
    }

    /// The first reachable position at or after an even offset.
    func first(from offset: Int) -> Int? {
        var index = offset / 128
        guard index < words.count else { return nil }
        var word = words[index] & ~0 << UInt64(offset / 2 % 64)
        while word == 0 {
            index += 1
            guard index < words.count else { return nil }
            word = words[index]
        }
        return (index * 64 + word.trailingZeroBitCount) * 2
    }

    /// The number of slots of a collection to show: those before the
    /// following value, if it overlaps.
    func shownSlots(of collection: RawCollection, following: Int) -> Int {
        let count = collection.slotCount
        guard !whole.contains(collection.offset) else { return count }
        return min(count, max(0, following - collection.start) / collection.width)
    }

    private func contains(_ offset: Int) -> Bool {
        words[offset / 128] & 1 << UInt64(offset / 2 % 64) != 0
    }

    private mutating func insert(_ pointer: DumpPointer) {
        guard let target = pointer.target else { return }
        words[target / 128] |= 1 << UInt64(target / 2 % 64)
    }

    private mutating func visit(_ value: RawValue, following: Int) {
        if value.byte(0) & FleeceTag.pointerBit != 0 {
            guard value.has(4) else { return }
            return insert(
                DumpPointer(value.base, at: value.offset, isWide: true, baseCount: baseCount))
        }
        guard let collection = value.array ?? value.dictionary else { return }
        let count = collection.slotCount
        var shown = shownSlots(of: collection, following: following)
        if shown < count, count - shown <= spareSlots {
            spareSlots -= count - shown
            whole.insert(value.offset)
            shown = count
        }
        for index in 0..<shown {
            let position = collection.start + index * collection.width
            let first = value.base.load(fromByteOffset: position, as: UInt8.self)
            guard first & FleeceTag.pointerBit != 0 else { continue }
            let pointer = DumpPointer(
                value.base, at: position, isWide: collection.isWide, baseCount: baseCount)
            // Positions after the collection's beginning have been passed already.
            if let target = pointer.target, target < value.offset { insert(pointer) }
        }
    }
}
