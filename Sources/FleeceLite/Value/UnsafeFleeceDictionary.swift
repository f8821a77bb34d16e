/// A dictionary that does not keep its document; see `UnsafeFleeceValue`.
public struct UnsafeFleeceDictionary {
    let raw: RawCollection
    let keys: Unmanaged<SharedKeyTable>

    @inline(__always)
    init(_ raw: RawCollection, _ keys: Unmanaged<SharedKeyTable>) {
        self.raw = raw
        self.keys = keys
    }

    /// The number of its own pairs: without those it inherits, and with those whose key cannot
    /// be read.
    public var ownCount: Int { raw.count }

    /// The value of a key, nil if there is none or if it is `undefined`. Binary search.
    public subscript(key: String) -> UnsafeFleeceValue? {
        // Without a copy of the string, which would cost a count of references.
        let found = key.utf8.withContiguousStorageIfAvailable { value(of: $0) }
        return found ?? valueOfBridged(key)
    }

    @inline(__always)
    private func value(of text: UnsafeBufferPointer<UInt8>) -> UnsafeFleeceValue? {
        let found = keys._withUnsafeGuaranteedRef {
            raw.value(of: UnsafeRawBufferPointer(text), in: $0)
        }
        return found.map { UnsafeFleeceValue($0, keys) }
    }

    /// A string that comes from elsewhere and is not UTF-8 yet.
    private func valueOfBridged(_ key: String) -> UnsafeFleeceValue? {
        var key = key
        return key.withUTF8 { value(of: $0) }
    }

    /// The value of a prepared key, which remembers where it was found.
    public func value(_ key: inout FleeceKey) -> UnsafeFleeceValue? {
        key.value(in: raw, keys).map { UnsafeFleeceValue($0, keys) }
    }

    /// Calls `body` with the key and value of each pair, in the order they are stored in,
    /// inherited ones merged in.
    ///
    /// The key is its text; pairs whose key cannot be read are left out.
    public func forEachPair<E: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard !raw.hasParentKey else { return try forEachMergedPair(body) }
        for index in 0..<raw.count {
            guard let text = raw.shortKey(index) ?? text(of: raw.key(index)) else { continue }
            try body(text, UnsafeFleeceValue(raw.value(at: index) ?? .undefined, keys))
        }
    }

    private func forEachMergedPair<E: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        for pair in RawPairs(raw) {
            if let text = text(of: pair.key) {
                try body(text, UnsafeFleeceValue(pair.value ?? .undefined, keys))
            }
        }
    }

    @inline(__always)
    private func text(of key: RawCollection.Key?) -> UnsafeRawBufferPointer? {
        switch key {
        case .string(let text): text
        case .number(let number):
            keys._withUnsafeGuaranteedRef {
                number >= 0 && number < $0.count ? $0.text(at: number) : nil
            }
        case nil: nil
        }
    }
}
