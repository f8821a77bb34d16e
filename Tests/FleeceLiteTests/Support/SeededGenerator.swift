import Foundation

/// Random numbers that are the same in every run: SplitMix64 from a seed that is printed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Begins at the seed of the environment variable `STORE_SEED`, or else at a fixed one.
    init(for test: String) {
        let chosen = ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? 20_261_121
        print("\(test): STORE_SEED=\(seed)")
        self.init(seed: seed)
    }

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is above 0.
    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// True once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool {
        below(count) == 0
    }

    /// One of the elements, of which there is at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
