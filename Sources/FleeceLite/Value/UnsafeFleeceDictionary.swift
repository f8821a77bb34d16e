/// A dictionary that does not keep its document; see `UnsafeFleeceValue`.
public struct UnsafeFleeceDictionary {
    @usableFromInline let raw: RawCollection
    @usableFromInline let document: Unmanaged<FleeceDocument>

    @inlinable @inline(__always)
    init(_ raw: RawCollection, _ document: Unmanaged<FleeceDocument>) {
        self.raw = raw
        self.document = document
    }

    /// The number of its own pairs: without those it inherits, and with those whose key cannot
    /// be read.
    @inlinable public var ownCount: Int { raw.count }

    /// The value of a key, nil if there is none or if it is `undefined`. Binary search.
    public subscript(key: String) -> UnsafeFleeceValue? {
        // Without a copy of the string, which would cost a count of references.
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

    /// A string that comes from elsewhere and is not UTF-8 yet.
    private func valueOfBridged(_ key: String) -> UnsafeFleeceValue? {
        var key = key
        return key.withUTF8 { value(of: $0) }
    }

    /// The value of a prepared key, which remembers where it was found.
    @inlinable @inline(__always)
    public func value(_ key: inout FleeceKey) -> UnsafeFleeceValue? {
        let keys = document._withUnsafeGuaranteedRef { $0.keys }
        return key.value(in: raw, keys).map { UnsafeFleeceValue($0, document) }
    }

    /// Calls `body` with the key and value of each pair, in the order they are stored in,
    /// inherited ones merged in.
    ///
    /// The key is its text; pairs whose key cannot be read are left out.
    @inlinable
    public func forEachPair<E: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard !raw.isWide, !raw.hasParentKey else { return try forEachOtherPair(body) }
        var position = raw.start
        for index in 0..<raw.count {
            let value = raw.slot(at: position &+ 2, isWide: false) ?? .undefined
            if let text = raw.shortText(at: position) ?? otherKey(index) {
                try body(text, UnsafeFleeceValue(value, document))
            }
            position &+= 4
        }
    }

    @usableFromInline
    func forEachOtherPair<E: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard raw.hasParentKey else {
            for index in 0..<raw.count {
                guard let text = otherKey(index) else { continue }
                try body(text, UnsafeFleeceValue(raw.value(at: index) ?? .undefined, document))
            }
            return
        }
        for pair in RawPairs(raw) {
            if let text = text(of: pair.key) {
                try body(text, UnsafeFleeceValue(pair.value ?? .undefined, document))
            }
        }
    }

    /// The text of a key that is not as most are.
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
