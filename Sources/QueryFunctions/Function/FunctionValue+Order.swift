internal import FleeceLite

extension FunctionValue {
    /// Negative, zero or positive as `left` is before, equal to or after `right`: missing, null,
    /// false, true, numbers, strings, data, arrays, objects; see `FleeceValue`.
    static func order(_ left: FunctionValue, _ right: FunctionValue) -> Int {
        let (leftRank, rightRank) = (left.rank, right.rank)
        if leftRank != rightRank { return leftRank - rightRank }
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return left < right ? -1 : (left > right ? 1 : 0)
        case (.text(let left), .text(let right)), (.data(let left), .data(let right)):
            return UnsafeFleeceValue.order(left, right)
        case (.collection(let left), .collection(let right)):
            return left.order(right)
        default:
            guard let left = left.content, let right = right.content else { return 0 }
            return UnsafeFleeceValue.order(left, right)
        }
    }

    /// Whether both values are equal.
    static func equal(_ left: FunctionValue, _ right: FunctionValue) -> Bool {
        order(left, right) == 0
    }

    private var rank: Int {
        switch self {
        case .missing: 0
        case .null: 1
        case .boolean(let bool): bool ? 3 : 2
        case .integer, .unsigned, .real: 4
        case .text: 5
        case .data: 6
        case .collection(let value): value.kind == .array ? 7 : 8
        }
    }

    private var content: UnsafeFleeceContent? {
        switch self {
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .real(let number): .double(number)
        default: nil
        }
    }
}

extension FunctionValue {
    /// An array; nil for anything else.
    var array: UnsafeFleeceValue? {
        guard case .collection(let value) = self, value.kind == .array else { return nil }
        return value
    }

    /// An object; nil for anything else.
    var object: UnsafeFleeceDictionary? {
        guard case .collection(let value) = self else { return nil }
        return value.dictionary
    }

    /// A number as a double; nil for anything else.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// A number as a double, with Booleans as 1 and 0 as in SQL; nil for anything else.
    var number: Double? {
        if case .boolean(let bool) = self { return bool ? 1 : 0 }
        return double
    }

    /// A number as an integer, truncated and clamped to 64 bits; a Boolean is 1 or 0; nil for
    /// anything else.
    var wholeNumber: Int64? {
        switch self {
        case .boolean(let bool): bool ? 1 : 0
        case .integer(let number): number
        case .unsigned: .max
        case .real(let number) where number.isNaN: nil
        case .real(let number):
            Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        default: nil
        }
    }

    /// A number truncated to an integer; nil for anything else.
    var integer: Int? {
        switch self {
        case .integer(let number): Int(number)
        case .real(let number): Int(exactly: number.rounded(.towardZero))
        default: nil
        }
    }

    /// A string; nil for anything else.
    var text: UnsafeRawBufferPointer? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// Whether it is neither missing nor null.
    var isValued: Bool {
        switch self {
        case .missing, .null: false
        default: true
        }
    }
}

extension UnsafeFleeceValue {
    /// The elements of an array; null in place of values that JSON does not have.
    var elements: [FunctionValue] {
        var elements: [FunctionValue] = []
        elements.reserveCapacity(elementCount)
        forEachElement { elements.append($0.asElement) }
        return elements
    }

    /// The value as an array element, where missing becomes null.
    var asElement: FunctionValue {
        let value = FunctionValue(self)
        if case .missing = value { return .null }
        return value
    }
}

extension UnsafeFleeceDictionary {
    /// The properties, without those that JSON does not have, sorted by the bytes of their keys.
    var properties: [(key: UnsafeRawBufferPointer, value: FunctionValue)] {
        var properties: [(key: UnsafeRawBufferPointer, value: FunctionValue)] = []
        forEachPair { key, value in
            let value = FunctionValue(value)
            if case .missing = value { return }
            properties.append((key, value))
        }
        return properties.sorted { UnsafeFleeceValue.order($0.key, $1.key) < 0 }
    }
}
