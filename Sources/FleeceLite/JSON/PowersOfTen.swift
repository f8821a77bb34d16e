/// Constant tables of powers of ten for the conversion of decimal digits to a double.
enum PowersOfTen {
    /// 10⁰ to 10²², which a double represents exactly.
    nonisolated(unsafe) static let exact: UnsafePointer<Double> = {
        let powers = UnsafeMutablePointer<Double>.allocate(capacity: 23)
        var power = 1.0
        for exponent in 0...22 {
            (powers + exponent).initialize(to: power)
            power *= 10
        }
        return UnsafePointer(powers)
    }()

    /// The largest exponent of `exact`.
    static let largestExact = 22

    /// The exponents of the powers in `truncated`: beyond them a double with 19
    /// digits is zero or infinite.
    static let range = -342...308

    /// For each exponent of `range` the first 128 bits of 5 to that power, the highest one set:
    /// the upper word, then the lower. Rounded down, but up for small negative exponents, whose
    /// power never ends (D. Lemire, "Number parsing at a gigabyte per second", 2021).
    nonisolated(unsafe) static let truncated: UnsafePointer<UInt64> = {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: range.count * 2)
        var power = LongNumber(bit: 0)
        for exponent in 0...range.upperBound {
            store(power.leadingBits, at: exponent, words)
            power.multiplyByFive()
        }
        // Far more bits than 5³⁴² has, so that 128 of them are correct after all divisions.
        power = LongNumber(bit: 64 * 18)
        for exponent in 1...(-range.lowerBound) {
            power.divideByFive()
            var bits = power.leadingBits
            if exponent <= 27 {
                bits.low &+= 1
                if bits.low == 0 { bits.high &+= 1 }
            }
            store(bits, at: -exponent, words)
        }
        return UnsafePointer(words)
    }()

    private static func store(
        _ bits: (high: UInt64, low: UInt64), at exponent: Int, _ words: UnsafeMutablePointer<UInt64>
    ) {
        let entry = words + (exponent - range.lowerBound) * 2
        entry.initialize(to: bits.high)
        (entry + 1).initialize(to: bits.low)
    }
}

/// A natural number of many words, the lowest first, with the operations that powers of five need.
private struct LongNumber {
    private var words: [UInt64]

    /// A power of two.
    init(bit: Int) {
        words = Array(repeating: 0, count: bit / 64) + [1 << UInt64(bit % 64)]
    }

    mutating func multiplyByFive() {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = words[index].multipliedFullWidth(by: 5)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            carry = product.high + (overflow ? 1 : 0)
        }
        if carry != 0 { words.append(carry) }
    }

    mutating func divideByFive() {
        var rest: UInt64 = 0
        for index in words.indices.reversed() {
            (words[index], rest) = (5 as UInt64).dividingFullWidth((rest, words[index]))
        }
        while words.last == 0 { words.removeLast() }
    }

    /// The first 128 bits, the highest of them set.
    var leadingBits: (high: UInt64, low: UInt64) {
        let top = word(0)
        let shift = UInt64(top.leadingZeroBitCount)
        return (
            top << shift | word(1) >> (64 - shift), word(1) << shift | word(2) >> (64 - shift)
        )
    }

    /// A word counted from the highest one.
    private func word(_ index: Int) -> UInt64 {
        index < words.count ? words[words.count - 1 - index] : 0
    }
}
