/// Lookup of a key by its text.
extension RawCollection {
    /// The value of a key; nil if there is none or if it is `undefined`.
    @inline(__always)
    func value(
        of text: UnsafeRawBufferPointer, in document: FleeceDocument
    ) -> RawValue? {
        guard text.count <= FleeceLimits.sharedKeyLength else {
            return value(of: LookupKey(text))
        }
        let words = KeyWords(text)
        let cacheSlot = InlineKeyCache.slot(of: words)
        let pair = document.keyCache.pair(cacheSlot)
        if pair >= 0, pair < count, isPlainly(words, at: pair, document.keys) {
            return isWide ? value(at: pair)?.unlessUndefined : narrowValue(at: pair)
        }
        return search(words, text, document, cacheSlot)
    }

    /// Whether the key of a pair is the lookup key in its most common form: a number, or a short
    /// string in a dictionary without numbers.
    @inline(__always)
    func isPlainly(
        _ key: KeyWords, at pair: Int, _ keys: Unmanaged<SharedKeyTable>
    ) -> Bool {
        let position = start &+ pair &<< (isWide ? 3 : 2)
        let bits = bits(at: position)
        if bits < 0x1000 { return keys._withUnsafeGuaranteedRef { $0.isKey(key, at: Int(bits)) } }
        let distance = distance(at: position, isWide: isWide)
        guard distance > key.count, position &- distance >= Int(lowest), !beginsWithNumber else {
            return false
        }
        let address = base + (position &- distance)
        let header = FleeceTag.string &<< 4 | UInt8(truncatingIfNeeded: key.count)
        guard address.load(as: UInt8.self) == header, key.count < 15 else { return false }
        return KeyWords(UnsafeRawBufferPointer(start: address + 1, count: key.count)) == key
    }

    /// Whether there is a first key, and it is a number or the parent key.
    @inline(__always)
    private var beginsWithNumber: Bool { bits(at: start) < 0x1000 }

    @inline(never)
    private func search(
        _ words: KeyWords, _ text: UnsafeRawBufferPointer, _ document: FleeceDocument,
        _ cacheSlot: Int
    ) -> RawValue? {
        var key = LookupKey(text)
        // A dictionary that inherits from one with numbers may itself have none.
        if usesNumbers || hasParentKey {
            key.number =
                document.keys._withUnsafeGuaranteedRef { $0.index(of: words) } ?? -1
        }
        guard let pair = keyPosition(of: key).pair else {
            return hasParentKey ? inheritedValue(of: key) : nil
        }
        document.keyCache.remember(pair, cacheSlot)
        return value(at: pair)?.unlessUndefined
    }
}

extension RawCollection {
    /// The value of a pair in slots of 2 bytes; nil if it is `undefined`.
    @inlinable @inline(__always)
    func narrowValue(at index: Int) -> RawValue? {
        let position = start &+ index &<< 2 &+ 2
        let bits = bits(at: position)
        let value = RawValue(
            base: base, offset: position, limit: position &+ 2, lowest: lowest)
        if bits < 0x8000 { return bits & 0xFF00 == 0x3C00 ? nil : value }
        return value.followed(wide: false)?.unlessUndefined
    }
}
