extension RawBody {
    /// Whether it has every key that another dictionary has, and its dictionaries every key that
    /// the other's in the same place have, in arrays, too, down to a depth.
    ///
    /// False also where that is not found out at a glance: where keys are numbered otherwise, or
    /// properties inherited.
    package func hasAllKeys(of other: FleeceDictionary, depth: Int) -> Bool {
        defer { extendLifetime(other.document) }
        guard sharedKeys.isExtension(of: other.document.sharedKeys) else { return false }
        return Self.hasAllKeys(root, of: other.raw, depth: depth)
    }

    private static func hasAllKeys(
        _ own: RawCollection, of other: RawCollection, depth: Int
    ) -> Bool {
        guard !own.hasParentKey, !other.hasParentKey else { return false }
        var place = 0
        for index in 0..<other.count {
            // Both are in the same order.
            while place < own.count, !isSame(own, place, other, index) { place += 1 }
            guard place < own.count else { return false }
            guard hasAllKeys(own.value(at: place), of: other.value(at: index), depth: depth) else {
                return false
            }
            place += 1
        }
        return true
    }

    /// What is not of the same kind in both has no keys that could be missing.
    @inline(__always)
    private static func hasAllKeys(
        _ own: RawValue?, of other: RawValue?, depth: Int
    ) -> Bool {
        guard depth > 0, let (other, count) = other?.slots, count > 0, let own = own?.slots?.0,
            own.isDictionary == other.isDictionary
        else { return true }
        if own.isDictionary { return hasAllKeys(own, of: other, depth: depth - 1) }
        return hasAllKeys(inElementsOf: own, other, depth: depth - 1)
    }

    @inline(never)
    private static func hasAllKeys(
        inElementsOf own: RawCollection, _ other: RawCollection, depth: Int
    ) -> Bool {
        (0..<min(own.count, other.count)).allSatisfy {
            hasAllKeys(own.slot($0), of: other.slot($0), depth: depth)
        }
    }

    @inline(__always)
    private static func isSame(
        _ own: RawCollection, _ place: Int, _ other: RawCollection, _ index: Int
    ) -> Bool {
        let (bits, otherBits) = (own.keyBits(place), other.keyBits(index))
        if bits < 0x1000 || otherBits < 0x1000 { return bits == otherBits }
        return isSameText(own.key(place), other.key(index))
    }

    @inline(never)
    private static func isSameText(_ left: RawCollection.Key?, _ right: RawCollection.Key?) -> Bool
    {
        guard case .string(let left) = left, case .string(let right) = right else { return false }
        return left.elementsEqual(right)
    }
}
