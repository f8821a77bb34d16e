/// Reads a document's bytes from the beginning to the end, and describes them.
struct DumpReader {
    let bytes: UnsafeRawBufferPointer
    let reach: DumpReach
    let text: DumpText
    /// The offset before which everything has been shown.
    var position = 0
    private var hasEnded = false

    init(_ text: DumpText, reach: DumpReach) {
        bytes = text.bytes
        self.reach = reach
        self.text = text
        nextValue = reach.first(from: 0)
    }

    /// The next value that is reachable from the root.
    private var nextValue: Int?

    /// The lines of the next value or gap; nil at the end.
    mutating func next() -> [FleeceDump.Line]? {
        guard !hasEnded else { return nil }
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            hasEnded = true
            return [line(0, 0, "nothing", "an empty document is not Fleece")]
        }
        let trailer = DumpPointer.trailer(of: bytes, baseCount: text.base.count)
        let end = trailer?.position ?? bytes.count
        let upcoming = nextValue ?? end
        if position < upcoming {
            let isOnlyValue = bytes.count == 2 && trailer == nil
            return isOnlyValue ? onlyValue(base) : gap(base, until: upcoming)
        }
        if let offset = nextValue {
            nextValue = reach.first(from: offset + 2)
            return value(base, at: offset, following: nextValue ?? end)
        }
        hasEnded = true
        return trailer.map(root) ?? lineWithoutRoot
    }

    private func root(_ trailer: DumpPointer) -> [FleeceDump.Line] {
        let remark = text.pointer(trailer)
        return [line(trailer.position, 2, "root: \(remark.meaning)", remark.problem)]
    }

    private var lineWithoutRoot: [FleeceDump.Line] {
        guard bytes.count != 2 else { return [] }
        let problem =
            bytes.count % 2 == 0
            ? "the last 2 bytes are not a pointer: no root"
            : "the length is odd: no root"
        return [line(bytes.count, 0, "end", problem)]
    }

    /// A document of 2 bytes, which are its root.
    private mutating func onlyValue(_ base: UnsafeRawPointer) -> [FleeceDump.Line] {
        position = 2
        let remark = text.value(RawValue(base: base, offset: 0, limit: 2))
        return [line(0, 2, "root: \(remark.meaning)", remark.problem)]
    }

    func line(
        _ offset: Int, _ count: Int, _ meaning: String, _ problem: String? = nil,
        isSlot: Bool = false
    ) -> FleeceDump.Line {
        FleeceDump.Line(
            offset: offset, count: count, isSlot: isSlot, meaning: meaning, problem: problem)
    }
}

extension DumpReader {
    /// A value that is reachable from the root.
    private mutating func value(
        _ base: UnsafeRawPointer, at offset: Int, following: Int
    ) -> [FleeceDump.Line] {
        let value = RawValue(base: base, offset: offset, limit: bytes.count)
        if value.byte(0) & FleeceTag.pointerBit != 0 {
            return pointer(base, at: offset, following: following)
        }
        let end = value.end ?? offset + 2
        var remark = text.value(value, isPreview: end > following)
        if end > following {
            remark.problem = remark.problem ?? "overlaps \(DumpText.address(following))"
        }
        position = max(position, end)
        guard value.end != nil, let collection = value.array ?? value.dictionary else {
            return [line(offset, end - offset, remark.meaning, remark.problem)]
        }
        let header = line(offset, collection.start - offset, remark.meaning, remark.problem)
        let shown = reach.shownSlots(of: collection, following: following)
        return [header] + slots(collection, count: shown)
    }

    /// A wide pointer that is the target of another one.
    private mutating func pointer(
        _ base: UnsafeRawPointer, at offset: Int, following: Int
    ) -> [FleeceDump.Line] {
        guard offset + 4 <= bytes.count else {
            position = max(position, offset + 2)
            return [line(offset, 2, "wide pointer", "cut off")]
        }
        position = max(position, offset + 4)
        let remark = text.pointer(text.pointer(base, at: offset, isWide: true))
        let overlap = offset + 4 > following ? "overlaps \(DumpText.address(following))" : nil
        return [line(offset, 4, remark.meaning, remark.problem ?? overlap)]
    }
}
