extension FleeceValue: Comparable {
    /// Whether both mean the same, in whichever documents and forms they are.
    ///
    /// 1, 1 as unsigned and 1.0 are equal, also 0.0 and −0.0; strings are equal if their bytes
    /// are; dictionaries if they have equal values for the same keys, those that are `undefined`
    /// aside.
    public static func == (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) == 0
    }

    /// Orders by kind first: `undefined`, null, false, true, numbers, strings, data, arrays,
    /// dictionaries. Strings and data are ordered by their bytes, arrays by their first difference,
    /// dictionaries by that of their keys and values, sorted by key.
    public static func < (left: FleeceValue, right: FleeceValue) -> Bool {
        order(left, right) < 0
    }

    private static func order(_ left: FleeceValue, _ right: FleeceValue) -> Int {
        var comparison = ValueComparison(.init(left.document), .init(right.document))
        return withExtendedLifetime((left, right)) { comparison.compare(left.raw, right.raw) }
    }
}

extension FleeceValue: Hashable {
    /// Of a collection only the size counts: values that differ deep inside may have one hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ValueComparison.rank(raw))
        if let number = FleeceNumber(raw) {
            number.hash(into: &hasher)
        } else if let bytes = raw.string ?? raw.bytes(tag: FleeceTag.data) {
            hasher.combine(bytes: bytes)
        } else if let array = raw.array {
            hasher.combine(array.count)
        } else if let dictionary = dictionary {
            hasher.combine(dictionary.count { $0.value.kind != .undefined })
        }
    }
}
