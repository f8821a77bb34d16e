extension MutableFleeceValue: Hashable {
    /// Whether both mean the same, wherever they are: as values of documents are compared.
    public static func == (left: MutableFleeceValue, right: MutableFleeceValue) -> Bool {
        // A loop, for values may go down far: all pairs must be equal, in whatever order.
        var pairs = [(left, right)]
        while let (left, right) = pairs.popLast() {
            switch (left, right) {
            case (.value(let left), .value(let right)): if left != right { return false }
            default: guard equal(left, right, &pairs) else { return false }
            }
        }
        return true
    }

    /// Of a collection only the size counts: values that differ deep inside may have one hash.
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

    /// Compares scalars, and sizes; what is in collections is added to the pairs to compare.
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
    /// Whether both have equal elements, wherever they are.
    public static func == (left: MutableFleeceArray, right: MutableFleeceArray) -> Bool {
        MutableFleeceValue.array(left) == .array(right)
    }

    /// Takes the count into the hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension MutableFleeceDictionary: Hashable {
    /// Whether both have equal values for the same keys, wherever they are.
    public static func == (left: MutableFleeceDictionary, right: MutableFleeceDictionary) -> Bool {
        MutableFleeceValue.dictionary(left) == .dictionary(right)
    }

    /// Takes the count into the hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
