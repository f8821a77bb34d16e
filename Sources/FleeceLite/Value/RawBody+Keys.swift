extension RawBody {
    /// Whether it has every key that another dictionary has, and its dictionaries every key that
    /// the other's of the same name have, down to a depth.
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
            if depth > 0, let inner = other.value(at: index)?.dictionary,
                let ownInner = own.value(at: place)?.dictionary,
                !hasAllKeys(ownInner, of: inner, depth: depth - 1)
            {
                return false
            }
            place += 1
        }
        return true
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
