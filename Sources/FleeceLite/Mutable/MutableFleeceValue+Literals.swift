// Not by `nil`: it would be null where an optional is meant, as in `a["b"] = c ? d : nil`.
extension MutableFleeceValue: ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self = .array(MutableFleeceArray(elements))
    }

    /// A dictionary; of equal keys the last one wins.
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self = .dictionary(MutableFleeceDictionary(pairs))
    }
}

extension MutableFleeceArray: ExpressibleByArrayLiteral {
    /// An array of these elements.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self.init(elements)
    }
}

extension MutableFleeceDictionary: ExpressibleByDictionaryLiteral {
    /// A dictionary of these pairs; of equal keys the last one wins.
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self.init(pairs)
    }
}

// A variable is not a literal; these take one.
extension MutableFleeceValue {
    /// An integer, signed unless it is beyond the range of `Int64`.
    ///
    /// - Precondition: 64 bits hold it.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(number))
    }

    /// A number.
    public init(_ number: Double) { self = .double(number) }

    /// A Boolean.
    public init(_ bool: Bool) { self = .bool(bool) }

    /// Text.
    public init(_ text: String) { self = .string(text) }
}
