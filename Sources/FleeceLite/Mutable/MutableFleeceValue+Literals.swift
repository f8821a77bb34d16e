// Not expressible by `nil`: it would be null where an optional is meant, as
// in `a["b"] = c ? d : nil`.
extension MutableFleeceValue: ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a Boolean from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer from a literal in the range of `Int64`.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// Creates a double from a literal with a fraction or an exponent.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array from a literal of elements of any kind.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self = .array(MutableFleeceArray(elements))
    }

    /// Creates a dictionary from a literal; of equal keys the last one wins.
    ///
    /// ```swift
    /// let person: MutableFleeceValue = ["name": "Ada", "tags": ["math"], "extra": .null]
    /// ```
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self = .dictionary(MutableFleeceDictionary(pairs))
    }
}

extension MutableFleeceArray: ExpressibleByArrayLiteral {
    /// Creates an array from a literal of elements of any kind.
    public init(arrayLiteral elements: MutableFleeceValue...) {
        self.init(elements)
    }
}

extension MutableFleeceDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from a literal; of equal keys the last one wins.
    public init(dictionaryLiteral pairs: (String, MutableFleeceValue)...) {
        self.init(pairs)
    }
}

// Initializers for variables, which are not literals.
extension MutableFleeceValue {
    /// Creates an integer, signed unless it exceeds the range of `Int64`.
    ///
    /// ```swift
    /// let count: UInt8 = 200
    /// var person: MutableFleeceDictionary = [:]
    /// person["count"] = MutableFleeceValue(count)
    /// ```
    /// - Parameter number: an integer of any type.
    /// - Precondition: The number fits in 64 bits.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(number))
    }

    /// Creates a number from a variable. NaN is an error when the value is written.
    public init(_ number: Double) { self = .double(number) }

    /// Creates a Boolean from a variable.
    public init(_ bool: Bool) { self = .bool(bool) }

    /// Creates a string from a variable.
    public init(_ text: String) { self = .string(text) }
}
