import Foundation
import SampleData

/// Draws numbers from 0 on, of which the small ones are frequent: the probability of `k` is
/// proportional to `1 / (k + 1)^theta`.
///
/// The method of "Quickly Generating Billion-Record Synthetic Databases" (Gray et al., 1994), which
/// YCSB uses, too: exact for the numbers 0 and 1, a close approximation for the others, and
/// constant time for each number.
package struct ZipfianGenerator: Sendable {
    /// The exponent that YCSB specifies.
    package static let standardTheta = 0.99

    /// The number of different numbers.
    package let count: Int
    /// The exponent.
    package let theta: Double
    private let zeta: Double
    private let alpha: Double
    private let eta: Double

    /// Creates a generator of numbers below `count`, which must be 2 or more.
    package init(count: Int, theta: Double = Self.standardTheta) {
        precondition(count >= 2, "a zipfian distribution needs two numbers or more")
        self.count = count
        self.theta = theta
        zeta = Self.zeta(count, theta)
        alpha = 1 / (1 - theta)
        eta =
            (1 - pow(2 / Double(count), 1 - theta)) / (1 - Self.zeta(2, theta) / zeta)
    }

    /// Draws a number.
    package func next(_ random: inout SeededGenerator) -> Int {
        let uniform = random.unit()
        let scaled = uniform * zeta
        if scaled < 1 { return 0 }
        if scaled < 1 + pow(0.5, theta) { return 1 }
        let number = Int(Double(count) * pow(eta * uniform - eta + 1, alpha))
        return min(max(number, 0), count - 1)
    }

    /// The probability of a number in the exact distribution.
    package func probability(of number: Int) -> Double {
        pow(Double(number + 1), -theta) / zeta
    }

    /// The sum of `1 / i^theta` for `i` from 1 to `count`.
    ///
    /// The first 100,000 terms are added, and the others approximated by the Euler–Maclaurin
    /// formula, whose error there is far below that of the addition.
    package static func zeta(_ count: Int, _ theta: Double) -> Double {
        let exact = min(count, 100_000)
        var sum = 0.0
        // The smallest first, which rounds least.
        for term in stride(from: exact, through: 1, by: -1) { sum += pow(Double(term), -theta) }
        guard count > exact else { return sum }
        let (low, high) = (Double(exact), Double(count))
        let integral = (pow(high, 1 - theta) - pow(low, 1 - theta)) / (1 - theta)
        return sum + integral + (pow(high, -theta) - pow(low, -theta)) / 2
    }
}

extension SeededGenerator {
    /// A number from 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
