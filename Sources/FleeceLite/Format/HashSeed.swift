/// Two random words, one pair for the process: with them nobody outside it can aim keys at a slot
/// of a hash table.
struct HashSeed {
    let first: UInt64
    let second: UInt64

    private static let process = (
        UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)
    )

    init() {
        self.init(Self.process)
    }

    /// A seed that is known.
    init(_ words: (UInt64, UInt64)) {
        (first, second) = words
    }

    /// A hash of two words: the product's upper half depends on all of their bits.
    @inline(__always)
    func hash(_ low: UInt64, _ high: UInt64) -> Int {
        let product = (low ^ first).multipliedFullWidth(by: high ^ second)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }
}
