import Foundation
import SampleData

/// The seeded generator of the samples, with a seed that is printed and can be chosen.
extension SeededGenerator {
    /// Starts at the seed of the environment variable `STORE_SEED`, or else at a fixed one.
    init(for test: String) {
        let chosen = ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? 20_261_121
        print("\(test): STORE_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// True once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool {
        below(count) == 0
    }

    /// The elements in another order, on every machine the same for the same seed.
    mutating func shuffled<T>(_ elements: [T]) -> [T] {
        var elements = elements
        for index in elements.indices.dropFirst() { elements.swapAt(index, below(index + 1)) }
        return elements
    }
}
