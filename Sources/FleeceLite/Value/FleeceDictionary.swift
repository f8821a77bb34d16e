/// A dictionary in a Fleece document: a sequence of keys and values, and a lookup by key.
///
/// A dictionary is taken from a value with ``FleeceValue/dictionary``.
///
/// ```swift
/// if let scores = fleece.root["scores"]?.dictionary {
///     for (name, value) in scores { show(name, value.double ?? 0) }
///     let ada = scores["Ada"]?.double
///     show(scores.count, ada ?? 0)
/// }
/// ```
///
/// The pairs are in stored order: numeric keys by their numbers, then strings by their bytes.
/// Iterate when the order does not matter, or sort the keys.
///
/// A dictionary can inherit pairs from another one; lookups and iteration include them (see
/// <doc:AppendedDocuments>). A value of `undefined` counts as absent in lookups, but iteration and
/// ``count`` include it.
///
/// Each lookup is a binary search in the document's bytes. The document caches where its keys were
/// found last, so that a lookup in a dictionary of the same shape usually takes one comparison. For
/// a loop over many documents, prepare a ``FleeceKey``.
///
/// The dictionary retains its document, and can be used by any thread. It cannot be changed: base a
/// ``MutableFleeceDictionary`` on it instead. See <doc:ReadingValues>.
public struct FleeceDictionary: @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` retains its bytes, which never change.
    @usableFromInline let document: FleeceDocument
    let raw: RawCollection

    /// The value of a key; nil if there is none or if it is `undefined`.
    ///
    /// The lookup is a binary search, or one comparison if the key is where the document found it
    /// last. Keys are equal if their UTF-8 is: differently composed characters are different keys.
    ///
    /// - Parameter key: the key, whether it is stored as a number or as a string.
    @inlinable
    public subscript(key: String) -> FleeceValue? {
        // Inlined, a value that is only read does not retain the document.
        guard let found = rawValue(of: key) else { return nil }
        return FleeceValue(document: document, raw: found)
    }

    @usableFromInline
    func rawValue(of key: String) -> RawValue? {
        // Without a copy of the string, which would cost reference counting.
        let found = key.utf8.withContiguousStorageIfAvailable {
            raw.value(of: UnsafeRawBufferPointer($0), in: document)
        }
        return found ?? rawValue(ofBridged: key)
    }

    /// The same for a bridged string that is not stored as UTF-8.
    private func rawValue(ofBridged key: String) -> RawValue? {
        var key = key
        return key.withUTF8 { raw.value(of: UnsafeRawBufferPointer($0), in: document) }
    }

    /// Returns the value of a prepared key; nil if there is none or if it is `undefined`.
    ///
    /// The key stores the position at which it was found. In a dictionary of the same shape, the
    /// next lookup takes one comparison.
    ///
    /// ```swift
    /// var age = FleeceKey("age")
    /// var sum: Int64 = 0
    /// for person in fleeceArray {
    ///     sum += person.dictionary?.value(&age)?.int ?? 0
    /// }
    /// ```
    ///
    /// - Parameter key: the prepared key, which is updated. It must be used by one thread at a
    ///   time.
    /// - Returns: the value of the key.
    public func value(_ key: inout FleeceKey) -> FleeceValue? {
        defer { extendLifetime(document) }
        return key.value(in: raw, document.keys).map { FleeceValue(document: document, raw: $0) }
    }

    /// The value of a prepared key; nil if there is none or if it is `undefined`.
    ///
    /// The key itself is not updated: ``value(_:)`` is faster for repeated lookups.
    ///
    /// - Parameter key: the prepared key.
    public subscript(key: FleeceKey) -> FleeceValue? {
        var key = key
        return value(&key)
    }

    /// The number of pairs, including pairs whose key cannot be read and pairs whose value is
    /// `undefined`.
    ///
    /// It takes constant time, except for a dictionary that inherits from another: then all pairs
    /// are merged.
    public var count: Int { raw.parent == nil ? raw.count : Array(RawPairs(raw)).count }

    /// Whether it has no pairs; as expensive as ``count``.
    public var isEmpty: Bool { count == 0 }

    /// The keys in stored order: numeric keys by number, then strings by their bytes.
    ///
    /// Each call creates a new array. Keys that cannot be read are left out.
    public var keys: [String] { map(\.key) }
}

extension FleeceDictionary: Sequence {
    /// A key and its value, as iteration yields them.
    public typealias Element = (key: String, value: FleeceValue)

    /// Returns an iterator over the pairs in stored order, merged with inherited ones.
    ///
    /// A pair whose key cannot be read, or is a number that ``FleeceDocument/sharedKeys`` lacks, is
    /// left out; writing JSON reports an error instead. If pairs are inherited, all of them are
    /// merged now; otherwise nothing is copied.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over the pairs of a dictionary. Each step creates the `String` of a key.
    ///
    /// To iterate without creating strings, use ``UnsafeFleeceDictionary/forEachPair(_:)``.
    public struct Iterator: IteratorProtocol {
        private let document: FleeceDocument
        private let own: RawCollection
        /// All pairs, if some are inherited.
        private let merged: [RawPairs.Pair]?
        private let count: Int
        private var index = 0

        init(_ dictionary: FleeceDictionary) {
            document = dictionary.document
            own = dictionary.raw
            merged = own.parent == nil ? nil : Array(RawPairs(own))
            count = merged?.count ?? own.count
        }

        /// Returns the next pair whose key can be read; nil after the last one.
        public mutating func next() -> Element? {
            while index < count {
                let position = index
                index = position &+ 1
                if merged == nil, let name = document.keyName(Int(own.keyBits(position))) {
                    let value = own.value(at: position) ?? .undefined
                    return (name, FleeceValue(document: document, raw: value))
                }
                if let element = otherElement(position) { return element }
            }
            return nil
        }

        /// A pair whose key is not a number, or that may be inherited.
        @inline(never)
        private func otherElement(_ position: Int) -> Element? {
            let pair =
                merged?[position]
                ?? RawPairs.Pair(key: own.key(position), value: own.value(at: position))
            let value = FleeceValue(document: document, raw: pair.value ?? .undefined)
            return switch pair.key {
            case .string(let text): (String(decoding: text, as: UTF8.self), value)
            case .number(let number): document.keyName(number).map { ($0, value) }
            case nil: nil
            }
        }
    }
}

extension FleeceDocument {
    /// The text of a shared key; nil if its table lacks the number.
    @inline(__always)
    fileprivate func keyName(_ number: Int) -> String? {
        keys._withUnsafeGuaranteedRef { table in
            number >= 0 && number < table.count ? table.name(at: number) : nil
        }
    }
}

extension FleeceDictionary {
    /// Passes this dictionary and all nested ones to `operation`, the outer ones first.
    ///
    /// Each is passed once, however often it is referred to: a small document can refer to its
    /// parts repeatedly.
    package func forEachDictionary(_ operation: (FleeceDictionary) throws -> Void) rethrows {
        defer { extendLifetime(document) }
        var waiting: [RawCollection] = [raw]
        var seen: Set<Int> = [raw.offset]
        while let next = waiting.popLast() {
            if next.isDictionary { try operation(FleeceDictionary(document: document, raw: next)) }
            for index in (0..<next.slotCount).reversed() {
                guard let (collection, _) = next.slot(index)?.slots,
                    seen.insert(collection.offset).inserted
                else { continue }
                waiting.append(collection)
            }
        }
    }
}

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
