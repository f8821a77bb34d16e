extension RawBody {
    /// Whether it has every key of another dictionary, and its nested dictionaries every key of
    /// those at the same position in the other one, in arrays as well, down to a depth.
    ///
    /// False also if that cannot be determined quickly: if keys have other numbers, or properties
    /// are inherited.
    package func hasAllKeys(of other: FleeceDictionary, depth: Int) -> Bool {
        defer { extendLifetime(other.document) }
        guard sharedKeys.isExtension(of: other.document.sharedKeys) else { return false }
        return Self.hasAllKeys(root, of: other.raw, depth: depth)
    }

    private static func hasAllKeys(
        _ own: RawCollection, of other: RawCollection, depth: Int
    ) -> Bool {
        guard !own.hasParentKey, !other.hasParentKey else { return false }
        var position = 0
        for index in 0..<other.count {
            // Both are in the same order.
            while position < own.count, !isSame(own, position, other, index) { position += 1 }
            guard position < own.count else { return false }
            guard hasAllKeys(own.value(at: position), of: other.value(at: index), depth: depth)
            else {
                return false
            }
            position += 1
        }
        return true
    }

    /// Values of different kinds have no keys that could be missing.
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
        _ own: RawCollection, _ position: Int, _ other: RawCollection, _ index: Int
    ) -> Bool {
        let (bits, otherBits) = (own.keyBits(position), other.keyBits(index))
        if bits < 0x1000 || otherBits < 0x1000 { return bits == otherBits }
        return isSameText(own.key(position), other.key(index))
    }

    @inline(never)
    private static func isSameText(_ left: RawCollection.Key?, _ right: RawCollection.Key?) -> Bool
    {
        guard case .string(let left) = left, case .string(let right) = right else { return false }
        return left.elementsEqual(right)
    }
}
