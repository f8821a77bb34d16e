/// Numbers with SQL's arithmetic.
enum ModelNumber: Equatable {
    case integer(Int64)
    case real(Double)

    var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        }
    }

    /// The number without its fraction, clamped to `Int64`.
    var whole: Int64 {
        switch self {
        case .integer(let number): number
        case .real(let number):
            Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        }
    }

    var value: ModelValue {
        switch self {
        case .integer(let number): .integer(number)
        case .real(let number): number.isNaN ? .missing : .real(number)
        }
    }

    static func order(_ one: ModelNumber, _ other: ModelNumber) -> Int {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): sign(one, other)
        case (.real(let one), .real(let other)): sign(one, other)
        case (.integer(let one), .real(let other)): order(one, other)
        case (.real(let one), .integer(let other)): -order(other, one)
        }
    }

    private static func sign<T: Comparable>(_ one: T, _ other: T) -> Int {
        one < other ? -1 : (one > other ? 1 : 0)
    }

    private static func order(_ one: Int64, _ other: Double) -> Int {
        let whole = other.rounded(.down)
        guard let floor = Int64(exactly: whole) else { return other > 0 ? -1 : 1 }
        return one != floor ? sign(one, floor) : sign(whole, other)
    }
}

/// How strings are compared.
enum ModelOrder {
    case binary
    /// ASCII letters are equal in both cases.
    case noCase

    func order(_ one: ModelString, _ other: ModelString) -> Int {
        let (one, other) = (folded(one.utf8), folded(other.utf8))
        if one == other { return 0 }
        return one.lexicographicallyPrecedes(other) ? -1 : 1
    }

    func folded(_ bytes: [UInt8]) -> [UInt8] {
        self == .binary ? bytes : bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }
}

extension ModelValue {
    /// A number or a Boolean.
    var plainNumber: ModelNumber? {
        switch self {
        case .boolean(let bool): .integer(bool ? 1 : 0)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .integer(Int64(bitPattern: number))
        case .real(let number): .real(number)
        default: nil
        }
    }

    /// The value in arithmetic: for a string the number at its start, for other values 0; nil for
    /// MISSING.
    var number: ModelNumber? {
        switch self {
        case .missing: nil
        case .text(let text): Self.number(at: text.utf8)
        default: plainNumber ?? .integer(0)
        }
    }

    /// The value as a condition; nil for MISSING.
    var bool: Bool? { number.map { $0.double != 0 } }

    init(_ bool: Bool?) { self = bool.map { .boolean($0) } ?? .missing }

    /// The number at the start of a string.
    private static func number(at bytes: [UInt8]) -> ModelNumber {
        let rest = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var text = ""
        var position = rest.startIndex
        func byte() -> Character? {
            position < rest.endIndex ? Character(UnicodeScalar(rest[position])) : nil
        }
        func take() { text.append(byte() ?? " "); position += 1 }
        func takeDigits() -> Int {
            let start = position
            while let next = byte(), next.isASCII, next.isNumber { take() }
            return position - start
        }
        if byte() == "-" || byte() == "+" { take() }
        var digits = takeDigits()
        var isReal = false
        if byte() == "." {
            isReal = true
            if digits == 0 { text += "0" }
            take()
            let fraction = takeDigits()
            if fraction == 0 { text += "0" }
            digits += fraction
        }
        guard digits > 0 else { return .integer(0) }
        if byte() == "e" || byte() == "E" {
            let (before, start) = (text, position)
            take()
            if byte() == "-" || byte() == "+" { take() }
            if takeDigits() > 0 { isReal = true } else { (text, position) = (before, start) }
        }
        if !isReal, let whole = Int64(text) { return .integer(whole) }
        return .real(Double(text) ?? 0)
    }

    /// Whether the whole string is a number, except for blanks.
    var isNumericText: Bool {
        guard case .text(let text) = self else { return false }
        let trimmed = text.string.filter { $0 != " " }
        return Double(trimmed) != nil && trimmed.contains(where: \.isNumber)
            && !trimmed.lowercased().contains("x")
    }

    /// The sort rank: numbers, strings, then values that are blobs in SQL.
    var rank: Int {
        switch self {
        case .missing: 0
        case .boolean, .integer, .unsigned, .real: 1
        case .text: 2
        case .null, .data, .array, .object: 3
        }
    }
}

// Arithmetic: MISSING if an operand is; integers that overflow become floating-point.
extension ModelValue {
    static func reckon(
        _ one: ModelValue, _ other: ModelValue,
        _ exact: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ real: (Double, Double) -> Double
    ) -> ModelValue {
        guard let one = one.number, let other = other.number else { return .missing }
        if case .integer(let left) = one, case .integer(let right) = other {
            let (result, isTooLarge) = exact(left, right)
            if !isTooLarge { return .integer(result) }
        }
        return ModelNumber.real(real(one.double, other.double)).value
    }

    static func sum(_ one: ModelValue, _ other: ModelValue) -> ModelValue {
        reckon(one, other, { $0.addingReportingOverflow($1) }, +)
    }

    static func difference(_ one: ModelValue, _ other: ModelValue) -> ModelValue {
        reckon(one, other, { $0.subtractingReportingOverflow($1) }, -)
    }

    static func product(_ one: ModelValue, _ other: ModelValue) -> ModelValue {
        reckon(one, other, { $0.multipliedReportingOverflow(by: $1) }, *)
    }

    /// The exact quotient: 5 / 15 is a third. Null for values other than numbers and Booleans, and
    /// for a division by zero.
    static func quotient(_ one: ModelValue, _ other: ModelValue) -> ModelValue {
        if one.isMissing || other.isMissing { return .missing }
        guard let one = one.mathsNumber, let other = other.mathsNumber, other != 0 else {
            return .null
        }
        return .real(one / other)
    }

    /// The remainder of whole numbers.
    static func remainder(_ one: ModelValue, _ other: ModelValue) -> ModelValue {
        guard let one = one.number, let other = other.number, other.whole != 0 else {
            return .missing
        }
        let rest = other.whole == -1 ? 0 : one.whole % other.whole
        if case .integer = one, case .integer = other { return .integer(rest) }
        return .real(Double(rest))
    }
}
