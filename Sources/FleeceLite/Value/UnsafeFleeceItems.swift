/// The elements of an array, or a dictionary's own pairs, by their place; see `UnsafeFleeceValue`.
package struct UnsafeFleeceItems: BitwiseCopyable {
    private let raw: RawCollection
    private let document: Unmanaged<FleeceDocument>

    /// Nil if the value is neither an array nor a dictionary.
    package init?(_ value: UnsafeFleeceValue) {
        guard let raw = value.raw.array ?? value.raw.dictionary else { return nil }
        self.raw = raw
        document = value.document
    }

    /// How many there are.
    package var count: Int { raw.count }

    /// Whether they are pairs.
    package var isDictionary: Bool { raw.isDictionary }

    /// Whether there are other pairs, which are inherited; the first of its own is then none.
    package var isHeir: Bool { raw.isDictionary && raw.hasParentKey }

    /// A value, below `count`; `undefined` where the bytes are corrupt.
    package func value(at index: Int) -> UnsafeFleeceValue {
        let raw = raw.isDictionary ? raw.value(at: index) : raw.slot(index)
        return UnsafeFleeceValue(raw ?? .undefined, document)
    }

    /// The key of a pair, below `count`; nil if it cannot be read, and for an element.
    package func key(at index: Int) -> UnsafeRawBufferPointer? {
        guard raw.isDictionary else { return nil }
        return document._withUnsafeGuaranteedRef {
            $0.keys._withUnsafeGuaranteedRef { $0.text(of: raw.key(index)) }
        }
    }

    /// How many elements are neither null nor undefined.
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
