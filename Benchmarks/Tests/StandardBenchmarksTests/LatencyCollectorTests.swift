import Testing

@testable import StandardBenchmarks

@Suite("Latencies")
struct LatencyCollectorTests {
    @Test("have percentiles that so many operations do not exceed")
    func percentiles() {
        let summary = LatencySummary("read", nanoseconds: (1...200).map { $0 * 1000 })
        #expect(summary.count == 200)
        #expect(summary.p50 == 100e-6)
        #expect(summary.p95 == 190e-6)
        #expect(summary.p99 == 198e-6)
        #expect(summary.maximum == 200e-6)
    }

    @Test("of a single operation, or of none, are its time, or 0")
    func few() {
        let one = LatencySummary("read", nanoseconds: [7000])
        #expect(one.p50 == 7e-6 && one.p99 == 7e-6 && one.maximum == 7e-6)
        let none = LatencySummary("read", nanoseconds: [])
        #expect(none.count == 0 && none.p99 == 0)
    }

    @Test("are collected by kind, and forgotten")
    func kinds() {
        let collector = LatencyCollector()
        collector.add("update", nanoseconds: 5)
        collector.add("read", nanoseconds: 1)
        collector.add("read", nanoseconds: 3)
        #expect(collector.summaries.map(\.kind) == ["read", "update"])
        #expect(collector.summaries.map(\.count) == [2, 1])
        collector.removeAll()
        #expect(collector.summaries.isEmpty)
    }
}
