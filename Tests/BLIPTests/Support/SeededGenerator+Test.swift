import Foundation
import SampleData

/// The seeded generator of the samples, with a seed that is printed and can be chosen.
extension SeededGenerator {
    /// The seed of the environment variable `STORE_SEED`, or else a fixed one.
    static let testSeed: UInt64 =
        ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) } ?? 20_261_130

    /// True once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// Bytes that do not compress.
    mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var start = 0
            while start < count {
                withUnsafeBytes(of: next()) { word in
                    let length = min(word.count, count - start)
                    for offset in 0..<length { buffer[start + offset] = word[offset] }
                    start += length
                }
            }
            initialized = count
        }
    }

    /// Bytes that compress: runs of some strings.
    mutating func compressibleBytes(_ count: Int) -> [UInt8] {
        let words = (0..<8).map { _ in bytes(1 + below(40)) }
        var result: [UInt8] = []
        while result.count < count { result += pick(words) }
        return Array(result.prefix(count))
    }
}
