extension FleeceEncoder {
    /// Opens an array; the values that are written until ``endArray()`` are its elements.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginArray()
    /// for number in 1...3 { encoder.writeInt(number) }
    /// try encoder.endArray()
    /// ```
    ///
    /// Arrays and dictionaries can be nested, up to ``FleeceLimits/walkDepth`` levels if the
    /// document is to be validated, copied or written as JSON.
    public mutating func beginArray() {
        open(isDictionary: false)
    }

    /// Closes the innermost array, and writes it.
    ///
    /// - Throws: ``FleeceError/Code/encodeError`` if the innermost collection is a dictionary, or
    ///   none is open.
    public mutating func endArray() throws {
        try requireOpen(isDictionary: false)
        closeArray()
    }

    /// Opens a dictionary; until ``endDictionary()``, keys and values are written alternately.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// try encoder.write("name", "Ada")
    /// try encoder.writeKey("tags")
    /// encoder.beginArray()
    /// encoder.writeString("math")
    /// try encoder.endArray()
    /// try encoder.endDictionary()
    /// ```
    ///
    /// Write keys with ``writeKey(_:)``, or a key and its value in one call with `write(_:_:)`.
    /// Keys may be written in any order: the encoder sorts them.
    public mutating func beginDictionary() {
        open(isDictionary: true)
    }

    /// Closes the innermost dictionary, and writes it with its keys sorted.
    ///
    /// Of pairs with equal keys, the last one is written. If the keys were written in the same
    /// order before, the order is known from then; otherwise they are sorted now.
    ///
    /// - Throws: ``FleeceError/Code/encodeError`` if the innermost collection is an array, none is
    ///   open, or the last key has no value.
    public mutating func endDictionary() throws {
        try requireOpen(isDictionary: true)
        closeDictionary()
    }

    private mutating func requireOpen(isDictionary: Bool) throws {
        guard frames.count > 0 else {
            throw FleeceError(.encodeError, "no collection is open")
        }
        let frame = frames.base[frames.count - 1]
        let isWhole = !isDictionary || items.count - frame.start == 2 * Int(frame.keys)
        guard frame.isDictionary == isDictionary, isWhole else {
            throw FleeceError(
                .encodeError, "the innermost collection is of another kind, or lacks a value")
        }
    }
}

extension FleeceEncoder {
    @inline(__always)
    mutating func open(isDictionary: Bool) {
        var shape = DictionaryShapes.root
        if frames.count > 0 {
            let frame = frames.base[frames.count &- 1]
            shape = frame.isDictionary ? shapes.nested(in: frame.shape) : frame.shape
        }
        frames.append(Frame(start: items.count, shape: shape, isDictionary: isDictionary))
    }

    /// Closes an array that is the innermost collection.
    @inline(never)
    mutating func closeArray() {
        let frame = frames.base[frames.count &- 1]
        frames.removeAll(from: frames.count &- 1)
        let count = items.count &- frame.start
        writeCollection(
            UnsafePointer(items.base + frame.start), slots: count, count: count,
            tag: FleeceTag.array, frame)
    }

    /// Opens a dictionary whose keys are written in order, without tracking its shape.
    @inline(__always)
    mutating func openUnfollowed() {
        frames.append(
            Frame(start: items.count, shape: DictionaryShapes.none, isDictionary: true))
    }

    /// Closes a dictionary whose pairs were written in the format's order.
    @inline(never)
    mutating func closeOrderedDictionary() {
        let frame = frames.base[frames.count &- 1]
        frames.removeAll(from: frames.count &- 1)
        writePairs(from: frame.start, count: Int(frame.keys), frame)
    }

    /// Closes a dictionary that is the innermost collection, and whose last key has a value.
    @inline(never)
    mutating func closeDictionary() {
        let frame = frames.base[frames.count &- 1]
        frames.removeAll(from: frames.count &- 1)
        let order = shapes.nodes[Int(frame.shape)].order
        if order == DictionaryShapes.Node.sorted || frame.keys == 0 {
            writePairs(from: frame.start, count: Int(frame.keys), frame)
        } else if order >= 0, frame.shape != DictionaryShapes.none {
            gather(frame, order: order)
            writePairs(from: frame.start &+ 2 &* Int(frame.keys), count: Int(frame.keys), frame)
        } else {
            let count = sortPairs(of: frame)
            writePairs(from: frame.start, count: count, frame)
        }
    }

    /// Copies the pairs in their known order to the end of the items.
    @inline(__always)
    private mutating func gather(_ frame: Frame, order: Int32) {
        let count = Int(frame.keys)
        items.reserve(2 &* count)
        let order = shapes.order(at: order)
        let source = UnsafeMutableRawPointer(items.base + frame.start)
        let target = UnsafeMutableRawPointer(items.base + items.count)
        for index in 0..<count {
            let pair = source.loadUnaligned(
                fromByteOffset: 8 &* Int(order[index]), as: UInt64.self)
            target.storeBytes(of: pair, toByteOffset: 8 &* index, as: UInt64.self)
        }
    }

    @inline(__always)
    private mutating func writePairs(from start: Int, count: Int, _ frame: Frame) {
        writeCollection(
            UnsafePointer(items.base + start), slots: 2 &* count, count: count,
            tag: FleeceTag.dictionary, frame)
    }

    /// Writes a header and slots, and replaces the collection's items by a pointer to them.
    @inline(__always)
    private mutating func writeCollection(
        _ slots: UnsafePointer<SlotItem>, slots slotCount: Int, count: Int, tag: UInt8,
        _ frame: Frame
    ) {
        var item = SlotItem.inline(tag << 4, 0)
        if slotCount > 0 {
            let header = output.count
            writeHeader(tag: tag, count: count)
            if writeSlots(slots, count: slotCount, isWide: frame.isWide) {
                output.base[header] |= FleeceTag.wideBit
            }
            item = .pointer(to: header)
        }
        items.removeAll(from: frame.start)
        items.append(item)
    }

    @inline(__always)
    private mutating func writeHeader(tag: UInt8, count: Int) {
        guard count < FleeceLimits.longCount else { return writeLongHeader(tag: tag, count) }
        output.reserve(2)
        let bits = UInt16(tag) << 12 | UInt16(truncatingIfNeeded: count)
        output.end.storeBytes(of: bits.bigEndian, as: UInt16.self)
        output.extend(2)
    }

    @inline(never)
    private mutating func writeLongHeader(tag: UInt8, _ count: Int) {
        output.append(bigEndian: UInt16(tag) << 12 | UInt16(FleeceLimits.longCount))
        output.appendVarint(UInt64(count - FleeceLimits.longCount))
        output.padToEven()
    }
}
