// Not expressible by `nil`: it would be null where an optional is meant, as
// in `a["b"] = c ? d : nil`.
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

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array of elements.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self = .array(MutableFleeceArray(elements))
    }

    /// A dictionary; of equal keys the last one wins.
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self = .dictionary(MutableFleeceDictionary(pairs))
    }
}

extension MutableFleeceArray: ExpressibleByArrayLiteral {
    /// Creates an array of elements.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self.init(elements)
    }
}

extension MutableFleeceDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary of pairs; of equal keys the last one wins.
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self.init(pairs)
    }
}

// Initializers for variables, which are not literals.
extension MutableFleeceValue {
    /// An integer, signed unless it exceeds the range of `Int64`.
    ///
    /// - Precondition: The number fits in 64 bits.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(number))
    }

    /// A number.
    public init(_ number: Double) { self = .double(number) }

    /// A Boolean.
    public init(_ bool: Bool) { self = .bool(bool) }

    /// A string.
    public init(_ text: String) { self = .string(text) }
}
