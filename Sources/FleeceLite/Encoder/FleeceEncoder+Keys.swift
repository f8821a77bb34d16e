extension FleeceEncoder {
    /// Writes the key of the next value in the open dictionary.
    ///
    /// A key in ``sharedKeys`` is written as its number. If the table lacks the key, it is added if
    /// possible, unless ``addsSharedKeys`` is false; otherwise the key is written as a string. Keys
    /// can be written in any order, and of equal keys the last one wins.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// for (key, count) in ["open": 3, "done": 12] {
    ///     try encoder.writeKey(key)
    ///     encoder.writeInt(count)
    /// }
    /// try encoder.endDictionary()
    /// ```
    ///
    /// - Parameter key: the key, of any length.
    /// - Throws: ``FleeceError/Code/encodeError`` outside a dictionary, or where a value is
    ///   expected.
    public mutating func writeKey(_ key: String) throws {
        // Without a copy of the string, which would cost reference counting.
        let isWritten: Void? = try key.utf8.withContiguousStorageIfAvailable {
            try writeKey(UnsafeRawBufferPointer($0))
        }
        if isWritten == nil { try writeBridgedKey(key) }
    }

    /// Writes a bridged string that is not stored as UTF-8.
    @inline(never)
    private mutating func writeBridgedKey(_ key: String) throws {
        var key = key
        try key.withUTF8 { try writeKey(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    mutating func writeKey(_ key: UnsafeRawBufferPointer) throws {
        guard isKeyDue else {
            throw FleeceError(.encodeError, "a key outside a dictionary, or where a value is due")
        }
        if key.count <= ShortString.maximumCount {
            writeKey(ShortString(key))
        } else {
            writeLongKey(key)
        }
    }

    @inline(__always)
    var isKeyDue: Bool {
        guard frames.count > 0 else { return false }
        let frame = frames.base[frames.count &- 1]
        return frame.isDictionary && items.count &- frame.start == 2 &* Int(frame.keys)
    }
}

// The following methods require that a key is expected.
extension FleeceEncoder {
    /// Writes a key of at most 15 bytes.
    @inline(__always)
    mutating func writeKey(_ text: ShortString) {
        let shape = frames.base[frames.count &- 1].shape
        let next = shapes.nodes[Int(shape)].next
        if next != DictionaryShapes.none {
            let known = Int(shapes.nodes[Int(next)].key)
            if keyCache.entries[known].text == text {
                return writeKnownKey(known, shape: next)
            }
        }
        writeOtherKey(text)
    }

    /// Writes a key that the shape did not predict.
    @inline(never)
    mutating func writeOtherKey(_ text: ShortString) {
        guard let known = knownKey(text) else { return writeUnknownKey(text) }
        let shape = frames.base[frames.count - 1].shape
        writeKnownKey(known, shape: shapes.child(of: shape, key: known, text))
    }

    /// The number of a key in the key cache, to which it is added if it is new.
    @inline(__always)
    mutating func knownKey(_ text: ShortString) -> Int? {
        keyCache.index(of: text, strings.seed) ?? keyCache.add(text, strings.seed)
    }

    /// Writes a key by its number in `keyCache`; `shape` is the node that it leads to.
    @inline(__always)
    mutating func writeKnownKey(_ index: Int, shape: UInt32) {
        frames.base[frames.count &- 1].shape = shape
        frames.base[frames.count &- 1].keys &+= 1
        let key = keyCache.entries[index]
        if key.item.number != nil {
            items.append(key.item)
        } else if key.epoch == strings.epoch,
            let item = strings.item(at: Int(key.slotIndex)),
            item.distance(fromHalf: outputHalf)
                <= Self.sharingReach
        {
            hasTextKeys = true
            items.append(item)
        } else {
            writeNewKey(index)
        }
    }

    /// Writes a cached key whose string has to be looked up, or written again.
    @inline(never)
    private mutating func writeNewKey(_ index: Int) {
        let text = keyCache.entries[index].text
        if keyCache.entries[index].item == KeyCache.unresolved {
            let number = numberOfSharedKey(text)
            keyCache.entries[index].item = number.map(SlotItem.shortInteger) ?? KeyCache.none
            if let number { return items.append(.shortInteger(number)) }
        }
        hasTextKeys = true
        // The slot index is valid in the current table; if the table grows by this
        // string, all of them change.
        let epoch = strings.epoch
        guard let slotIndex = writeShortString(text) else { return }
        keyCache.entries[index].slotIndex = UInt32(truncatingIfNeeded: slotIndex)
        keyCache.entries[index].epoch = epoch
    }

    private mutating func numberOfSharedKey(_ text: ShortString) -> Int? {
        guard numberedKeys != nil else { return nil }
        return text.withBytes { numberOfSharedKey($0) }
    }

    private mutating func numberOfSharedKey(_ text: UnsafeRawBufferPointer) -> Int? {
        addsSharedKeys ? numberedKeys?.add(text) : numberedKeys?.index(of: text)
    }

    /// Writes a short key that did not fit into the key cache.
    private mutating func writeUnknownKey(_ text: ShortString) {
        frames.base[frames.count - 1].shape = DictionaryShapes.none
        frames.base[frames.count - 1].keys += 1
        if let number = numberOfSharedKey(text) {
            items.append(.shortInteger(number))
        } else {
            hasTextKeys = true
            writeShortString(text)
        }
    }

    /// Writes a key of more than 15 bytes.
    @inline(never)
    mutating func writeLongKey(_ key: UnsafeRawBufferPointer) {
        frames.base[frames.count - 1].shape = DictionaryShapes.none
        frames.base[frames.count - 1].keys += 1
        if let number = numberOfSharedKey(key) {
            items.append(.shortInteger(number))
        } else {
            hasTextKeys = true
            writeLongBytes(key, tag: FleeceTag.string)
        }
    }
}
