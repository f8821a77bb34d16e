/// A dictionary that does not retain its document; see ``UnsafeFleeceValue``.
///
/// It is taken from a value with ``UnsafeFleeceValue/dictionary``, and is valid as long as that
/// value is. Lookups and iteration include inherited pairs, as those of ``FleeceDictionary`` do.
///
/// ```swift
/// let longest = fleece.withUnsafeRoot { root in
///     var longest = 0
///     root.dictionary?.forEachPair { key, value in
///         longest = max(longest, key.count)
///     }
///     return longest
/// }
/// ```
public struct UnsafeFleeceDictionary {
    @usableFromInline let raw: RawCollection
    @usableFromInline let document: Unmanaged<FleeceDocument>

    @inlinable @inline(__always)
    init(_ raw: RawCollection, _ document: Unmanaged<FleeceDocument>) {
        self.raw = raw
        self.document = document
    }

    /// The number of its own pairs: excluding inherited ones, including those whose key cannot be
    /// read.
    @inlinable public var ownCount: Int { raw.count }

    /// The value of a key; nil if there is none or if it is `undefined`. Binary search.
    ///
    /// A ``FleeceKey`` is faster for the same key in many dictionaries; see ``value(_:)``.
    public subscript(key: String) -> UnsafeFleeceValue? {
        // Without a copy of the string, which would cost reference counting.
        let found = key.utf8.withContiguousStorageIfAvailable { value(of: $0) }
        return found ?? valueOfBridged(key)
    }

    @inline(__always)
    private func value(of text: UnsafeBufferPointer<UInt8>) -> UnsafeFleeceValue? {
        let found = document._withUnsafeGuaranteedRef {
            raw.value(of: UnsafeRawBufferPointer(text), in: $0)
        }
        return found.map { UnsafeFleeceValue($0, document) }
    }

    /// Looks up a bridged string that is not stored as UTF-8.
    private func valueOfBridged(_ key: String) -> UnsafeFleeceValue? {
        var key = key
        return key.withUTF8 { value(of: $0) }
    }

    /// Returns the value of a prepared key, which caches the position of the key.
    ///
    /// In dictionaries of the same shape, one comparison finds the key again.
    ///
    /// - Parameter key: the prepared key, which is updated. It must be used by one thread at a
    ///   time.
    /// - Returns: the value; nil if there is none or if it is `undefined`.
    @inlinable @inline(__always)
    public func value(_ key: inout FleeceKey) -> UnsafeFleeceValue? {
        let keys = document._withUnsafeGuaranteedRef { $0.keys }
        return key.value(in: raw, keys).map { UnsafeFleeceValue($0, document) }
    }

    /// Calls `operation` with the key and value of each pair in stored order, merged with inherited
    /// ones.
    ///
    /// The key is passed as UTF-8, which is valid only during the call; pairs whose key cannot be
    /// read are left out. No strings are created, and unless pairs are inherited nothing is
    /// allocated.
    ///
    /// - Parameter operation: a closure that receives the key and the value.
    /// - Throws: only what the closure throws, which ends the iteration.
    @inlinable
    public func forEachPair<E: Error>(
        _ operation: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard !raw.isWide, !raw.hasParentKey else { return try forEachOtherPair(operation) }
        var position = raw.start
        for index in 0..<raw.count {
            let value = raw.slot(at: position &+ 2, isWide: false) ?? .undefined
            if let text = raw.shortText(at: position) ?? otherKey(index) {
                try operation(text, UnsafeFleeceValue(value, document))
            }
            position &+= 4
        }
    }

    @usableFromInline
    func forEachOtherPair<E: Error>(
        _ operation: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard raw.hasParentKey else {
            for index in 0..<raw.count {
                guard let text = otherKey(index) else { continue }
                try operation(text, UnsafeFleeceValue(raw.value(at: index) ?? .undefined, document))
            }
            return
        }
        for pair in RawPairs(raw) {
            if let text = text(of: pair.key) {
                try operation(text, UnsafeFleeceValue(pair.value ?? .undefined, document))
            }
        }
    }

    /// The text of a key that is not in the most common form.
    @inline(never)
    @usableFromInline
    func otherKey(_ index: Int) -> UnsafeRawBufferPointer? { text(of: raw.key(index)) }

    @inline(__always)
    private func text(of key: RawCollection.Key?) -> UnsafeRawBufferPointer? {
        switch key {
        case .string(let text): text
        case .number(let number):
            document._withUnsafeGuaranteedRef {
                $0.keys._withUnsafeGuaranteedRef {
                    number >= 0 && number < $0.count ? $0.text(at: number) : nil
                }
            }
        case nil: nil
        }
    }
}

/// The elements of an array, or a dictionary's own pairs, by index; see `UnsafeFleeceValue`.
package struct UnsafeFleeceItems: BitwiseCopyable {
    private let raw: RawCollection
    private let document: Unmanaged<FleeceDocument>

    /// Nil if the value is neither an array nor a dictionary.
    package init?(_ value: UnsafeFleeceValue) {
        guard let raw = value.raw.array ?? value.raw.dictionary else { return nil }
        self.raw = raw
        document = value.document
    }

    /// The number of items.
    package var count: Int { raw.count }

    /// Whether the items are pairs.
    package var isDictionary: Bool { raw.isDictionary }

    /// Whether there are inherited pairs as well; the first own pair is then the parent's.
    package var inheritsFromParent: Bool { raw.isDictionary && raw.hasParentKey }

    /// The value at an index below `count`; `undefined` if its bytes are corrupt.
    package func value(at index: Int) -> UnsafeFleeceValue {
        let raw = raw.isDictionary ? raw.value(at: index) : raw.slot(index)
        return UnsafeFleeceValue(raw ?? .undefined, document)
    }

    /// The key of the pair at an index below `count`; nil if it cannot be read, and for an element.
    package func key(at index: Int) -> UnsafeRawBufferPointer? {
        guard raw.isDictionary else { return nil }
        return document._withUnsafeGuaranteedRef {
            $0.keys._withUnsafeGuaranteedRef { $0.text(of: raw.key(index)) }
        }
    }

    /// The number of elements that are neither null nor undefined.
    package var valuedCount: Int {
        var count = 0
        for index in 0..<raw.count where !isNothing(raw.slot(index)) { count &+= 1 }
        return count
    }

    private func isNothing(_ value: RawValue?) -> Bool {
        guard let value, value.has(2) else { return true }
        let first = value.byte(0)
        return first >> 4 == FleeceTag.special && first != FleeceSpecial.true
            && first != FleeceSpecial.false
    }
}
