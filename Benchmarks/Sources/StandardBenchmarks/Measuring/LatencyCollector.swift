/// The times of operations, by kind.
package final class LatencyCollector {
    private var nanoseconds: [String: [UInt64]] = [:]

    /// Creates a collector without times.
    package init() {}

    /// Adds the time of an operation.
    package func add(_ kind: String, nanoseconds time: UInt64) {
        nanoseconds[kind, default: []].append(time)
    }

    /// Removes all times.
    package func removeAll() { nanoseconds = [:] }

    /// The distributions, sorted by kind.
    package var summaries: [LatencySummary] {
        nanoseconds.sorted { $0.key < $1.key }.map { LatencySummary($0, nanoseconds: $1) }
    }
}

/// The distribution of the times of one kind of operation.
package struct LatencySummary: Sendable, Equatable {
    /// The kind.
    package let kind: String
    /// The number of operations.
    package let count: Int
    /// The seconds that half of the operations, 95 and 99 % of them did not exceed.
    package let p50: Double, p95: Double, p99: Double
    /// The longest time.
    package let maximum: Double

    /// Summarizes times; all are 0 without any.
    package init(_ kind: String, nanoseconds: [UInt64]) {
        let sorted = nanoseconds.sorted()
        let percentile = { (percent: Int) -> Double in
            guard !sorted.isEmpty else { return 0 }
            // The smallest time that so many do not exceed.
            let rank = (sorted.count * percent + 99) / 100
            return Double(sorted[max(rank, 1) - 1]) / 1e9
        }
        self.kind = kind
        count = sorted.count
        (p50, p95, p99) = (percentile(50), percentile(95), percentile(99))
        maximum = Double(sorted.last ?? 0) / 1e9
    }
}
