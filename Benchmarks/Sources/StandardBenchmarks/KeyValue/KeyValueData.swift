import SampleData

/// The keys and values of the key-value workloads.
package struct KeyValueData: Sendable {
    /// The number of bytes in a value.
    package static let valueSize = 100
    /// The number of bytes in a key.
    package static let keySize = 16

    /// The number of pairs in a filled database.
    package let entries: Int
    /// The different values.
    private let values: [[UInt8]]

    /// Creates data.
    package init(entries: Int) {
        self.entries = entries
        var random = SeededGenerator(seed: 301)
        values = (0..<1000).map { _ in
            (0..<Self.valueSize).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    /// The key with a number: 16 digits.
    package static func key(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: keySize - digits.count) + digits
    }

    /// A key between those of a number and the next one, which no database has.
    package static func missingKey(_ number: Int) -> String { key(number) + "." }

    /// The value with a number; each thousandth is the same.
    package func value(_ number: Int) -> [UInt8] { values[number % values.count] }

    /// The pairs of a filled database, in ascending order.
    package func pairs(_ numbers: Range<Int>) -> [KeyValuePair] {
        numbers.map { KeyValuePair(Self.key($0), value($0)) }
    }

    /// Stores all pairs.
    package func fill(_ connection: any KeyValueConnection) throws {
        let batch = 10_000
        for first in stride(from: 0, to: entries, by: batch) {
            try connection.put(pairs(first..<min(first + batch, entries))[...])
        }
    }
}
