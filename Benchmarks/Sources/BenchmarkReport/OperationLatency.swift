/// The times of one kind of operation in all rounds of a workload.
public struct OperationLatency: Codable, Sendable, Equatable {
    /// The kind, such as "read".
    public var kind: String
    /// The number of operations.
    public var count: Int
    /// The seconds that half of the operations did not exceed.
    public var p50: Double
    /// The seconds that 95 of 100 operations did not exceed.
    public var p95: Double
    /// The seconds that 99 of 100 operations did not exceed.
    public var p99: Double
    /// The seconds of the longest operation.
    public var maximum: Double

    /// Creates the times from their parts.
    public init(
        kind: String, count: Int, p50: Double, p95: Double, p99: Double, maximum: Double
    ) {
        self.kind = kind
        self.count = count
        self.p50 = p50
        self.p95 = p95
        self.p99 = p99
        self.maximum = maximum
    }
}

extension WorkloadResult {
    /// Whether it belongs to a benchmark that other databases have, too, and that reports
    /// throughput and latencies.
    var isStandard: Bool { operations != nil }

    /// The number of items, or bytes, in a second; of the median round, by the clock.
    var perSecond: Double? { wall.median > 0 ? Double(amount) / wall.median : nil }
}
