extension MutableFleeceValue: Hashable {
    /// Returns whether both values are equal, in memory or in documents, as values of documents are
    /// compared.
    ///
    /// Numbers are equal whatever their type is, strings if their bytes are, dictionaries
    /// regardless of the order of keys. Nested values are compared in a loop, so the depth does not
    /// matter.
    public static func == (left: MutableFleeceValue, right: MutableFleeceValue) -> Bool {
        // A loop, since values may be deeply nested: all pairs must be equal, in any order.
        var pairs = [(left, right)]
        while let (left, right) = pairs.popLast() {
            switch (left, right) {
            case (.value(let left), .value(let right)): if left != right { return false }
            default: guard equal(left, right, &pairs) else { return false }
            }
        }
        return true
    }

    /// Hashes a scalar's value, but only the size of a collection: values that differ inside may
    /// have the same hash.
    public func hash(into hasher: inout Hasher) {
        if let number {
            number.hash(into: &hasher)
        } else if let string {
            ExactString(string).hash(into: &hasher)
        } else {
            hasher.combine(kind)
            hasher.combine(bool)
            hasher.combine(data)
            hasher.combine(array?.count ?? dictionary?.count)
        }
    }

    /// Compares scalars and sizes; the items of collections are added to the pairs to compare.
    private static func equal(
        _ left: MutableFleeceValue, _ right: MutableFleeceValue,
        _ pairs: inout [(MutableFleeceValue, MutableFleeceValue)]
    ) -> Bool {
        if let left = left.number, let right = right.number {
            return left.compared(to: right) == 0
        }
        guard left.kind == right.kind else { return false }
        switch left.kind {
        case .undefined, .null: return true
        case .bool: return left.bool == right.bool
        case .integer, .double: return false
        case .string:
            return left.string?.utf8.elementsEqual(right.string?.utf8 ?? "".utf8) ?? false
        case .data: return left.data == right.data
        case .array:
            let (left, right) = (left.array ?? [], right.array ?? [])
            guard left.count == right.count else { return false }
            pairs += zip(left, right)
            return true
        case .dictionary:
            let (left, right) = (left.dictionary ?? [:], right.dictionary ?? [:])
            guard left.count == right.count else { return false }
            for (key, value) in left {
                guard let other = right[key] else { return false }
                pairs.append((value, other))
            }
            return true
        }
    }

    private var number: FleeceNumber? {
        switch self {
        case .int(let number): FleeceNumber(number)
        case .uint(let number): FleeceNumber(number)
        case .float(let number): FleeceNumber(Double(number))
        case .double(let number): FleeceNumber(number)
        case .value(let value): FleeceNumber(value.raw)
        default: nil
        }
    }
}

extension MutableFleeceArray: Hashable {
    /// Returns whether both have equal elements in the same order, in memory or in documents.
    public static func == (left: MutableFleeceArray, right: MutableFleeceArray) -> Bool {
        MutableFleeceValue.array(left) == .array(right)
    }

    /// Hashes only the count, so arrays of the same size have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension MutableFleeceDictionary: Hashable {
    /// Returns whether both have equal values for the same keys, in memory or in documents.
    public static func == (left: MutableFleeceDictionary, right: MutableFleeceDictionary) -> Bool {
        MutableFleeceValue.dictionary(left) == .dictionary(right)
    }

    /// Hashes only the count, so dictionaries of the same size have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
