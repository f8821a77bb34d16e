extension UnsafeFleeceValue {
    /// The bytes of the document up to the value's end and somewhat more: all that is in it.
    ///
    /// Of a document without a base only, as borrowed ones are.
    package var surroundings: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: raw.base, count: raw.limit)
    }

    /// The same value in a copy of its `surroundings`, with the keys of a document.
    package func moved(
        to copy: UnsafeRawPointer, _ document: Unmanaged<FleeceDocument>
    ) -> UnsafeFleeceValue {
        UnsafeFleeceValue(
            RawValue(base: copy, offset: raw.offset, limit: raw.limit), document)
    }

    /// The bytes of the document up to the end of this array or dictionary, and the pointer that,
    /// put behind them, makes them a document with it as root, with the same shared keys.
    ///
    /// Nil for other values, and if these are more bytes than `maximum`, of 16 KiB at most.
    package func beginning(
        maximum: Int
    ) -> (bytes: UnsafeRawBufferPointer, pointer: (UInt8, UInt8))? {
        guard let collection = raw.slots?.0, raw.lowest == 0 else { return nil }
        let end = collection.start &+ collection.slotCount &* collection.width
        guard end <= min(maximum, 16 << 10), end & 1 == 0 else { return nil }
        let distance = (end &- raw.offset) / 2
        let bytes = UnsafeRawBufferPointer(start: raw.base, count: end)
        return (
            bytes, (0x80 | UInt8(truncatingIfNeeded: distance >> 8), UInt8(distance & 0xFF))
        )
    }
}
