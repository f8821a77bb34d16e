extension FleeceEncoder {
    /// Continues a document: values that lie in the base are referred to by pointers, not copied.
    ///
    /// The bytes that ``finish()`` returns must be appended to the base's bytes. With
    /// `externPointers` they can be stored elsewhere instead, and are read with
    /// ``FleeceDocument/init(trusted:sharedKeys:base:)``.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.amend(fleece, externPointers: true)
    /// encoder.beginDictionary()
    /// try encoder.writeKey("before")
    /// try encoder.write(fleece.root)
    /// try encoder.write("note", "seen")
    /// try encoder.endDictionary()
    /// let appended = try encoder.finish()
    /// let whole = try FleeceDocument(trusted: appended, base: fleece)
    /// ```
    ///
    /// See <doc:AppendedDocuments>.
    ///
    /// - Parameters:
    ///   - base: the document to continue, which must not have a base itself. The encoder retains
    ///     it until the document ends.
    ///   - reusingStrings: whether its short strings are referred to as well (default: false). All
    ///     of the base is visited then.
    ///   - externPointers: whether pointers into the base are marked (default: false).
    ///   - reach: how many of the base's last bytes may be referred to, so that earlier bytes can
    ///     be discarded one day; nil for all of it (default).
    /// - Throws: ``FleeceError/Code/encodeError`` if something has been written already or `base`
    ///   has a base, ``FleeceError/Code/outOfRange`` if the base has more than 1 GiB.
    public mutating func amend(
        _ base: FleeceDocument, reusingStrings: Bool = false, externPointers: Bool = false,
        reach: Int? = nil
    ) throws {
        try amend(
            base, padding: 0, reusingStrings: reusingStrings, externPointers: externPointers,
            reach: reach)
    }

    /// The same, with an even number of zero bytes before the first value.
    package mutating func amend(
        _ base: FleeceDocument, padding: Int, reusingStrings: Bool = false,
        externPointers: Bool = false, reach: Int? = nil
    ) throws {
        guard frames.count == 0, items.count == 0, output.count == 0, self.base == nil,
            base.base == nil
        else {
            throw FleeceError(
                .encodeError, "a base must be set first, only once, and must not have a base")
        }
        let count = base.bytes.count
        guard count <= FleeceLimits.wideReach / 2 else {
            throw FleeceError(.outOfRange, "a base of \(count) bytes, over 1 GiB")
        }
        self.base = EncoderBase(
            document: base, usesExternPointers: externPointers,
            firstUsable: max(0, count - (reach ?? count)), firstUsed: count)
        for _ in 0..<padding { output.append(0) }
        if reusingStrings { recordStrings(of: base) }
    }

    /// The number of bytes at the end of the base that the output refers to; 0 without a base.
    ///
    /// If it is less than the size of the base, the bytes before them are not needed to read the
    /// new root.
    public var baseBytesUsed: Int {
        base.map { $0.document.bytes.count - $0.firstUsed } ?? 0
    }

    /// Whether the output continues a base.
    package var hasBase: Bool { base != nil }

    /// Whether a value lies in the base, within the allowed reach, so that it is written as a
    /// pointer.
    ///
    /// - Parameter value: a value of any document.
    public func isInBase(_ value: FleeceValue) -> Bool {
        offsetInBase(value.raw) != nil
    }

    /// Opens a dictionary that inherits the properties of one in the base: a property that is
    /// written overrides the inherited one, and `undefined` deletes it.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.amend(fleece)
    /// if let person = fleece.root.dictionary {
    ///     try encoder.beginDictionary(inheriting: person)
    ///     try encoder.write("age", 37)
    ///     try encoder.writeKey("draft")
    ///     encoder.writeUndefined()
    ///     try encoder.endDictionary()
    /// }
    /// let appended = try encoder.finish()
    /// ```
    ///
    /// Close it with ``endDictionary()``. A ``MutableFleeceDictionary`` chooses between this form
    /// and a full copy itself. Readers merge the pairs, so a long chain of changes makes reading
    /// slower.
    ///
    /// - Parameter parent: the dictionary to inherit from.
    /// - Throws: ``FleeceError/Code/encodeError`` if `parent` does not lie in the base.
    public mutating func beginDictionary(inheriting parent: FleeceDictionary) throws {
        let value = parent.raw.value
        guard let offset = offsetInBase(value) else {
            throw FleeceError(.encodeError, "a dictionary inherits only from one in the base")
        }
        beginDictionary()
        frames.base[frames.count - 1].shape = DictionaryShapes.none
        frames.base[frames.count - 1].keys = 1
        items.append(.shortInteger(FleeceLimits.parentKey))
        writePointer(toBase: offset)
    }
}

extension FleeceEncoder {
    private func offsetInBase(_ value: RawValue) -> Int? {
        guard let base, let start = base.bytes.baseAddress else { return nil }
        let offset = value.base + value.offset - start
        return offset >= base.firstUsable && offset < base.bytes.count ? offset : nil
    }

    private mutating func writePointer(toBase offset: Int) {
        guard let base else { return }
        items.append(.pointerIntoBase(distance: base.bytes.count - offset))
        self.base?.firstUsed = min(base.firstUsed, offset)
    }

    /// Writes a pointer to a value if the value lies in the base and does not fit into a slot.
    mutating func writeFromBase(_ value: RawValue) -> Bool {
        guard base != nil, let offset = offsetInBase(value), offset % 2 == 0 else { return false }
        let count = value.array?.count ?? value.dictionary?.count
        if let count {
            guard count > 0 else { return false }
        } else {
            guard value.scalarSize > 2 else { return false }
        }
        writePointer(toBase: offset)
        return true
    }

    /// Records the short strings of a document as written, visiting each collection once.
    private mutating func recordStrings(of document: FleeceDocument) {
        var open = [document.rawRoot]
        var seen: Set<Int> = []
        while let value = open.popLast() {
            if let text = value.string {
                recordString(text, of: value, in: document)
            } else if let (collection, slots) = value.slots, seen.insert(value.offset).inserted {
                for index in 0..<slots { collection.slot(index).map { open.append($0) } }
            }
        }
    }

    private mutating func recordString(
        _ text: UnsafeRawBufferPointer, of value: RawValue, in document: FleeceDocument
    ) {
        guard FleeceLimits.sharedString.contains(text.count), let offset = offsetInBase(value),
            offset % 2 == 0
        else { return }
        let short = ShortString(text)
        let item = SlotItem.pointerIntoBase(distance: document.bytes.count - offset)
        strings.record(short, at: strings.slotIndex(of: short), item)
    }
}

extension FleeceEncoder {
    /// Returns the output so far as a separate document, whose root is the value that was completed
    /// last, and continues with it as the base, with extern pointers.
    ///
    /// A reader needs the first part as the base of the second. So a long document can be sent
    /// while it is written:
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginArray()
    /// encoder.writeString("a string that comes first")
    /// let first = try encoder.snip()
    /// encoder.writeString("and one that comes later")
    /// try encoder.endArray()
    /// let second = try encoder.finish()
    /// let base = try FleeceDocument(trusted: first)
    /// let list = try FleeceDocument(trusted: second, base: base)
    /// ```
    ///
    /// - Returns: the bytes of the first part.
    /// - Throws: ``FleeceError/Code/encodeError`` if no collection or string has been completed, or
    ///   there is a base already, ``FleeceError/Code/outOfRange`` if the value lies over 32 KiB
    ///   back, too far for a root.
    public mutating func snip() throws -> [UInt8] {
        guard base == nil, let root = lastPointer, let target = root.target else {
            throw FleeceError(
                .encodeError, "nothing to snip off has been completed, or there is a base")
        }
        guard output.count - target <= FleeceLimits.narrowReach else {
            throw FleeceError(.outOfRange, "the last value is over 32 KiB back")
        }
        output.append(bigEndian: 0x8000 | UInt16(output.count - target) / 2)
        let part = [UInt8](UnsafeRawBufferPointer(start: output.base, count: output.count))
        let length = output.count
        for index in 0..<items.count {
            if let target = items.base[index].target {
                items.base[index] = .pointerIntoBase(distance: length - target)
            }
        }
        strings.moveIntoBase(length: length)
        documentMark &+= 1
        output.removeAll()
        base = EncoderBase(
            document: try FleeceDocument(trusted: part), usesExternPointers: true,
            firstUsable: 0, firstUsed: 0)
        return part
    }

    private var lastPointer: SlotItem? {
        guard items.count > 0, items.base[items.count - 1].isPointer else { return nil }
        return items.base[items.count - 1]
    }

    /// A reference to a value that was written, which can be written again as a pointer.
    ///
    /// It belongs to one document of one encoder; see ``lastWrittenValue``.
    public struct WrittenValue: Sendable {
        let item: SlotItem
        let documentMark: UInt64
    }

    /// The value that was completed last; nil if it is stored in a slot, as short values are.
    ///
    /// It is valid until ``finish()`` or ``reset()``.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginArray()
    /// try encoder.writeJSON(#"{"city": "London", "country": "England"}"#)
    /// if let address = encoder.lastWrittenValue { try encoder.write(again: address) }
    /// try encoder.endArray()
    /// ```
    public var lastWrittenValue: WrittenValue? {
        lastPointer.map { WrittenValue(item: $0, documentMark: documentMark) }
    }

    /// Writes a value once more, as a pointer to it. Its size does not matter.
    ///
    /// - Parameter value: a value of the present document.
    /// - Throws: ``FleeceError/Code/encodeError`` if it does not belong to this document.
    public mutating func write(again value: WrittenValue) throws {
        guard value.documentMark == documentMark, value.item.target != nil else {
            throw FleeceError(.encodeError, "the value does not belong to this document")
        }
        items.append(value.item)
    }

    /// Completes one of several values in a common buffer and returns its offset there; after the
    /// last one, ``finishItems()`` returns the buffer.
    ///
    /// The values have no common root, and share their short strings. Read them with
    /// ``FleeceDocument/init(trusted:rootAt:sharedKeys:)``.
    ///
    /// - Returns: the position of the value in the buffer, in bytes.
    /// - Throws: ``FleeceError/Code/encodeError`` unless exactly one value has been written since
    ///   the last call.
    public mutating func finishItem() throws -> Int {
        guard frames.count == 0, items.count == 1 else {
            throw FleeceError(.encodeError, "an item must be exactly one value")
        }
        let item = items.base[0]
        items.removeAll()
        if let target = item.target { return target }
        guard !item.isPointer else {
            throw FleeceError(.encodeError, "the item is a value of the base, not a new one")
        }
        output.append(bigEndian: UInt16(truncatingIfNeeded: item.bits >> 16))
        return output.count - 2
    }

    /// Returns the buffer with all items, which has no root, and resets the encoder.
    ///
    /// Read the items with ``FleeceDocument/init(trusted:rootAt:sharedKeys:)``.
    ///
    /// - Returns: the buffer; empty if there are no items.
    /// - Throws: ``FleeceError/Code/encodeError`` if a value or collection is unfinished; the
    ///   encoder is reset nevertheless.
    public mutating func finishItems() throws -> [UInt8] {
        defer { reset() }
        guard frames.count == 0, items.count == 0 else {
            throw FleeceError(.encodeError, "an item is unfinished")
        }
        return [UInt8](UnsafeRawBufferPointer(start: output.base, count: output.count))
    }
}
