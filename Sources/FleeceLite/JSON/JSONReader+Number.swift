extension JSONReader {
    /// What a number's text consists of.
    private struct Digits {
        var mantissa: UInt64 = 0
        /// Digits after the point, and the exponent, as a power of ten.
        var exponent = 0
        /// More digits came than `mantissa` can hold.
        var isOverflown = false
    }

    /// Powers of ten that a double holds exactly.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    mutating func readNumber(into encoder: inout FleeceEncoder) throws {
        let start = position
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var digits = Digits()
        try readInteger(&digits)
        let isFraction = try readFraction(&digits)
        let isExponent = try readExponent(&digits)
        if !isFraction, !isExponent, !digits.isOverflown {
            if !isNegative { return encoder.writeUInt(digits.mantissa) }
            if digits.mantissa <= UInt64(Int64.max) + 1 {
                return encoder.writeInt(Int64(truncatingIfNeeded: 0 &- digits.mantissa))
            }
        }
        try encoder.writeDouble(try double(digits, isNegative, start))
    }

    @inline(__always)
    private mutating func readDigits(_ digits: inout Digits) throws -> Int {
        let start = position
        while case let digit = next &- UInt8(ascii: "0"), digit < 10 {
            let (scaled, over) = digits.mantissa.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(UInt64(digit))
            if over || carry || digits.isOverflown {
                digits.isOverflown = true
            } else {
                digits.mantissa = sum
            }
            position += 1
        }
        guard position > start else { throw error("a digit is expected") }
        return position - start
    }

    private mutating func readInteger(_ digits: inout Digits) throws {
        let isZero = next == UInt8(ascii: "0")
        let count = try readDigits(&digits)
        if isZero, count > 1 { throw error("a number begins with 0", at: position - count) }
    }

    private mutating func readFraction(_ digits: inout Digits) throws -> Bool {
        guard next == UInt8(ascii: ".") else { return false }
        position += 1
        digits.exponent -= try readDigits(&digits)
        return true
    }

    private mutating func readExponent(_ digits: inout Digits) throws -> Bool {
        guard next | 0x20 == UInt8(ascii: "e") else { return false }
        position += 1
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { position += 1 }
        var exponent = Digits()
        _ = try readDigits(&exponent)
        // Beyond this a double is zero or infinite, whatever its digits.
        let value = exponent.isOverflown ? 100_000 : Int(min(exponent.mantissa, 100_000))
        digits.exponent += isNegative ? -value : value
        return true
    }

    private func double(_ digits: Digits, _ isNegative: Bool, _ start: Int) throws -> Double {
        // Clinger's fast path: both factors are exact, so the one rounding is the right one.
        if !digits.isOverflown, digits.mantissa <= 1 << 53, abs(digits.exponent) <= 22 {
            let power = Self.exactPowers[abs(digits.exponent)]
            let mantissa = Double(digits.mantissa)
            let value = digits.exponent < 0 ? mantissa / power : mantissa * power
            return isNegative ? -value : value
        }
        let text = String(decoding: input[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw error("the number is beyond the range of a double", at: start)
        }
        return value
    }
}
