extension JSONReader {
    /// Reads a number and writes it: eight digits at a time, with fast paths for integers and
    /// fractions of few digits.
    @inline(__always)
    mutating func readNumber(into encoder: inout FleeceEncoder) -> Bool {
        let isNegative = next == UInt8(ascii: "-")
        let first = position + (isNegative ? 1 : 0)
        let digits = word(first)
        let count = Self.digitCount(digits)
        let isPlain = count == 1 || count > 1 && count < 8 && digits & 0xFF != 0x30
        guard isPlain else { return readOtherNumber(into: &encoder) }
        let integer = Self.number(digits, count: count)
        let rest = first + count
        let byte = rest.load(as: UInt8.self)
        if byte == UInt8(ascii: ".") {
            return readFraction(integer, isNegative, from: rest + 1, into: &encoder)
        }
        if byte | 0x20 == UInt8(ascii: "e") { return readOtherNumber(into: &encoder) }
        position = rest
        if isNegative {
            encoder.writeInt(0 &- Int64(truncatingIfNeeded: integer))
        } else {
            encoder.writeUInt(integer)
        }
        return true
    }

    /// Fewer than eight digits before the point: with as few after it, one division is exact.
    @inline(__always)
    private mutating func readFraction(
        _ integer: UInt64, _ isNegative: Bool, from location: UnsafeRawPointer,
        into encoder: inout FleeceEncoder
    ) -> Bool {
        let digits = word(location)
        let count = Self.digitCount(digits)
        let rest = location + count
        guard count > 0, count < 8, rest.load(as: UInt8.self) | 0x20 != UInt8(ascii: "e") else {
            return readOtherNumber(into: &encoder)
        }
        // Both are below 10⁷, so their digits together are exact in a double.
        let power = powers[count]
        let value = (Double(integer) * power + Double(Self.number(digits, count: count))) / power
        position = rest
        encoder.writeNumber(isNegative ? -value : value)
        return true
    }

    /// The number of decimal digits among eight bytes, from the lowest on.
    @inline(__always)
    private static func digitCount(_ word: UInt64) -> Int {
        let digits = word ^ 0x3030_3030_3030_3030
        let others = (digits &+ 0x0606_0606_0606_0606 | digits) & 0xF0F0_F0F0_F0F0_F0F0
        return others.trailingZeroBitCount &>> 3
    }

    /// The number that the first `count` digits stand for, 1 to 8 of them.
    @inline(__always)
    private static func number(_ word: UInt64, count: Int) -> UInt64 {
        // The digits move up, after leading zeros; then pairs, fours and all eight are joined.
        var digits = word ^ 0x3030_3030_3030_3030
        digits &<<= UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        digits = ((digits & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8
        digits = ((digits & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
        return ((digits & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
    }
}

/// A number of any length, digit by digit.
extension JSONReader {
    /// The digits and exponent of a number.
    private struct Digits {
        /// The first 19 digits, without leading zeros.
        var mantissa: UInt64 = 0
        var count = 0
        /// A power of ten, from the point, the exponent and the digits beyond those 19.
        var exponent = 0
        /// Whether there are more digits than `mantissa` can hold, and not all of them zeros.
        var isCut = false

        @inline(__always)
        mutating func append(_ digit: UInt8) {
            if count < 19 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                if mantissa != 0 { count &+= 1 }
            } else {
                exponent &+= 1
                if digit != 0 { isCut = true }
            }
        }
    }

    @inline(never)
    mutating func readOtherNumber(into encoder: inout FleeceEncoder) -> Bool {
        let start = position
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var digits = Digits()
        let first = position
        guard readDigits(&digits) else { return false }
        if first.load(as: UInt8.self) == UInt8(ascii: "0"), position - first > 1 {
            return fail("a number begins with 0", at: first)
        }
        let byte = byteOrZero
        guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else {
            return writeInteger(from: first, isNegative, digits, &encoder)
        }
        guard readFractionDigits(&digits), readExponent(&digits) else { return false }
        return writeDouble(from: start, digits, isNegative, &encoder)
    }

    private mutating func readFractionDigits(_ digits: inout Digits) -> Bool {
        guard byteOrZero == UInt8(ascii: ".") else { return true }
        position += 1
        let first = position
        guard readDigits(&digits) else { return false }
        digits.exponent -= position - first
        return true
    }

    /// The next byte; 0 at the end, beyond which a long input must not be read.
    private var byteOrZero: UInt8 { position < end ? next : 0 }

    private mutating func readDigits(_ digits: inout Digits) -> Bool {
        let start = position
        while case let digit = byteOrZero &- UInt8(ascii: "0"), digit < 10 {
            digits.append(digit)
            position += 1
        }
        return position > start || fail("a digit is expected")
    }

    private mutating func readExponent(_ digits: inout Digits) -> Bool {
        guard byteOrZero | 0x20 == UInt8(ascii: "e") else { return true }
        position += 1
        let isNegative = byteOrZero == UInt8(ascii: "-")
        if isNegative || byteOrZero == UInt8(ascii: "+") { position += 1 }
        let start = position
        var exponent = 0
        while case let digit = byteOrZero &- UInt8(ascii: "0"), digit < 10 {
            // Beyond this a double is zero or infinite, unless there are as many digits.
            exponent = min(exponent * 10 + Int(digit), 1 << 40)
            position += 1
        }
        guard position > start else { return fail("a digit is expected") }
        digits.exponent += isNegative ? -exponent : exponent
        return true
    }

    private mutating func writeInteger(
        from first: UnsafeRawPointer, _ isNegative: Bool, _ digits: Digits,
        _ encoder: inout FleeceEncoder
    ) -> Bool {
        let text = UnsafeRawBufferPointer(start: first, count: position - first)
        guard let magnitude = digits.exponent == 0 ? digits.mantissa : Self.magnitude(text) else {
            let start = isNegative ? first - 1 : first
            return writeDouble(from: start, digits, isNegative, &encoder)
        }
        if !isNegative {
            encoder.writeUInt(magnitude)
        } else if magnitude <= UInt64(Int64.max) + 1 {
            encoder.writeInt(Int64(truncatingIfNeeded: 0 &- magnitude))
        } else {
            return writeDouble(from: first - 1, digits, isNegative, &encoder)
        }
        return true
    }

    /// An integer of 20 digits or more; nil if it exceeds 64 bits.
    private static func magnitude(_ text: UnsafeRawBufferPointer) -> UInt64? {
        UInt64(String(decoding: text, as: UTF8.self))
    }

    private mutating func writeDouble(
        from start: UnsafeRawPointer, _ digits: Digits, _ isNegative: Bool,
        _ encoder: inout FleeceEncoder
    ) -> Bool {
        guard let value = double(digits, isNegative, from: start), value.isFinite else {
            return fail("the number is beyond the range of a double", at: start)
        }
        encoder.writeNumber(value)
        return true
    }

    private func double(
        _ digits: Digits, _ isNegative: Bool, from start: UnsafeRawPointer
    ) -> Double? {
        let power = digits.exponent
        if !digits.isCut {
            // Clinger's fast path: both factors are exact, so the single rounding is correct.
            if digits.mantissa <= 1 << 53, abs(power) <= PowersOfTen.largestExact {
                let mantissa = Double(digits.mantissa)
                let value = power < 0 ? mantissa / powers[-power] : mantissa * powers[power]
                return isNegative ? -value : value
            }
            let decimal = DecimalNumber(digits: digits.mantissa, exponent: power)
            if let value = decimal.double { return isNegative ? -value : value }
        }
        let text = UnsafeRawBufferPointer(start: start, count: position - start)
        return Double(String(decoding: text, as: UTF8.self))
    }
}
