/// Random numbers that are the same on every machine for the same seed: SplitMix64.
///
/// It makes random tests repeatable: print the seed when a test fails, and run it again. As a
/// `RandomNumberGenerator` it also works with the standard library, whose algorithms may change
/// between versions of Swift; ``below(_:)`` and ``pick(_:)`` do not.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// let dice = (0..<3).map { _ in 1 + random.below(6) }
/// let name = random.pick(["Ada", "Grace", "Edsger"])
/// let order = Array(0..<10).shuffled(using: &random)
/// ```
///
/// It is not suitable for keys or other secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; each seed gives another sequence.
    ///
    /// - Parameter seed: any number. A copy of a generator continues with the same numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    ///
    /// - Returns: a number of which all bits are random.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A number below `bound`, which must be positive.
    ///
    /// The standard library may change how it draws from a range; this does not change. Small
    /// bounds are uniform for all practical purposes.
    ///
    /// - Parameter bound: the upper limit, which is not included.
    /// - Returns: a number from 0 to `bound` - 1.
    public mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// One of `choices`, which must not be empty.
    ///
    /// - Parameter choices: what to choose from; each is as likely as the others.
    /// - Returns: the chosen one.
    public mutating func pick<T>(_ choices: [T]) -> T {
        choices[below(choices.count)]
    }
}
