/// Shows what lies between the values that are reachable from the root: padding, and lost values.
extension DumpReader {
    /// The lines of the next part of the gap before `end`.
    mutating func gap(_ base: UnsafeRawPointer, until end: Int) -> [FleeceDump.Line] {
        guard position % 2 == 0 else {
            position += 1
            return [line(position - 1, 1, "padding")]
        }
        if let pointer = lostPointer(base, before: end) {
            position += 2
            let remark = text.pointer(pointer)
            return [line(pointer.position, 2, "not reached: \(remark.meaning)", remark.problem)]
        }
        guard let value = lostValue(base, at: position, before: end) else {
            return unknown(base, until: end)
        }
        let start = position
        position = value.end ?? end
        let remark = text.value(value)
        let collection = value.array ?? value.dictionary
        let headerEnd = collection?.start ?? position
        let header = line(
            start, headerEnd - start, "not reached: \(remark.meaning)", remark.problem)
        guard let collection else { return [header] }
        return [header] + slots(collection, count: collection.slotCount)
    }

    /// A pointer that looks like the trailer of an older document.
    private func lostPointer(_ base: UnsafeRawPointer, before end: Int) -> DumpPointer? {
        guard position + 2 <= end, bytes[position] & FleeceTag.pointerBit != 0 else { return nil }
        let pointer = text.pointer(base, at: position, isWide: false)
        return pointer.target != nil && text.pointer(pointer).problem == nil ? pointer : nil
    }

    /// Bytes that look like a value of a kind that pointers lead to.
    private func lostValue(
        _ base: UnsafeRawPointer, at offset: Int, before end: Int
    ) -> RawValue? {
        let value = RawValue(base: base, offset: offset, limit: end)
        guard value.has(2), value.byte(0) & FleeceTag.pointerBit == 0,
            value.tag != FleeceTag.shortInteger, value.tag != FleeceTag.special,
            let valueEnd = value.end, valueEnd > offset + 2
        else { return nil }
        return value
    }

    /// The bytes up to the next apparent value, eight per line, or all in
    /// one line if they are zeros.
    private mutating func unknown(
        _ base: UnsafeRawPointer, until end: Int
    ) -> [FleeceDump.Line] {
        let start = position
        repeat {
            position = min(position + 2, end)
        } while position < end && lostValue(base, at: position, before: end) == nil
        let run = start..<position
        if bytes[run].allSatisfy({ $0 == 0 }) {
            return [line(start, run.count, "not reached: \(run.count) zero bytes")]
        }
        return stride(from: start, to: position, by: FleeceLimits.dumpedBytes).map { offset in
            let count = min(FleeceLimits.dumpedBytes, position - offset)
            return line(offset, count, "not reached")
        }
    }
}
