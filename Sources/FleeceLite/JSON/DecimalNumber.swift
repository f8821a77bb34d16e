/// A decimal number of at most 19 digits and a power of ten, to be rounded to a double.
struct DecimalNumber {
    let digits: UInt64
    let exponent: Int

    /// The nearest double, infinity if it is out of range; nil if 128 bits of the power of ten do
    /// not decide between two doubles.
    ///
    /// The algorithm of M. Eisel and D. Lemire.
    var double: Double? {
        if digits == 0 || exponent < PowersOfTen.range.lowerBound { return 0 }
        if exponent > PowersOfTen.range.upperBound { return .infinity }
        let shift = digits.leadingZeroBitCount
        let product = product(digits &<< UInt64(shift))
        // 128 bits of a truncated power do not show whether all the ones carry.
        if product.low == .max, exponent < -27 || exponent > 55 { return nil }
        let upperBit = Int(product.high >> 63)
        var mantissa = product.high &>> UInt64(upperBit + 64 - 52 - 3)
        var power = Self.binaryExponent(exponent) + upperBit - shift + 1023
        if power <= 0 { return subnormal(mantissa, power) }
        if isHalfway(product, mantissa, upperBit) { mantissa &= ~1 }
        mantissa = (mantissa &+ mantissa & 1) >> 1
        if mantissa >= 1 << 53 {
            mantissa = 1 << 52
            power += 1
        }
        if power >= 0x7FF { return .infinity }
        return Double(bitPattern: mantissa & ((1 << 52) - 1) | UInt64(power) << 52)
    }

    /// The digits times the first 128 bits of the power of five, as 128 bits; a second
    /// multiplication is needed only if the first one is inconclusive.
    private func product(_ normalized: UInt64) -> (high: UInt64, low: UInt64) {
        let power = PowersOfTen.truncated + (exponent - PowersOfTen.range.lowerBound) * 2
        var (high, low) = normalized.multipliedFullWidth(by: power[0])
        let precision: UInt64 = .max >> 55
        if high & precision == precision {
            let second = normalized.multipliedFullWidth(by: power[1])
            low = low &+ second.high
            if low < second.high { high &+= 1 }
        }
        return (high, low)
    }

    /// The binary exponent of a power of ten: its logarithm, times 2¹⁶, is 152,170 + 65,536.
    private static func binaryExponent(_ exponent: Int) -> Int {
        ((152_170 + 65_536) * exponent) >> 16 + 63
    }

    /// Whether the number lies exactly between two doubles, so that the even one must be chosen.
    private func isHalfway(
        _ product: (high: UInt64, low: UInt64), _ mantissa: UInt64, _ upperBit: Int
    ) -> Bool {
        product.low <= 1 && exponent >= -4 && exponent <= 23 && mantissa & 3 == 1
            && mantissa &<< UInt64(upperBit + 64 - 52 - 3) == product.high
    }

    private func subnormal(_ mantissa: UInt64, _ power: Int) -> Double {
        if 1 - power >= 64 { return 0 }
        var mantissa = mantissa >> UInt64(1 - power)
        mantissa = (mantissa &+ mantissa & 1) >> 1
        let isNormal = mantissa >= 1 << 52
        return Double(bitPattern: mantissa & ((1 << 52) - 1) | (isNormal ? 1 << 52 : 0))
    }
}
