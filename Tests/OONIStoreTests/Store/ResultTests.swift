import DocumentStore
import Testing

import OONIStore

@Suite("Results")
struct ResultTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func instant(_ milliseconds: Int64) -> OONIStore.Instant {
        .init(milliseconds: milliseconds)
    }

    @Test("begin, get measurements, and count them")
    func counts() throws {
        let result = try store.write { transaction in
            let result = try store.results.insert(
                .init(name: "websites"), at: instant(1_000), in: transaction)
            for number in 0..<5 {
                let measurement = try store.measurements.insert(
                    .webConnectivity, of: result.id, url: "https://example.org/\(number)",
                    at: instant(1_000 + Int64(number)), in: transaction)
                try store.measurements.update(measurement.id, in: transaction) {
                    $0.isDone = number > 0
                    $0.isFailed = number == 1
                    $0.isAnomaly = number == 2
                    $0.isUploaded = number == 3
                }
            }
            return result
        }
        let counts = try #require(store.read { try store.results.get(result.id, in: $0) }).counts
        #expect(counts.measurements == 5)
        #expect(counts.done == 4)
        #expect([counts.failed, counts.anomalies, counts.ok] == [1, 1, 2])
        #expect(counts.notUploaded == 3)
        #expect(try store.read { try store.results.missingUploadCount(in: $0) } == 1)
        #expect(try store.read { try store.measurements.notUploaded(in: $0) }.count == 3)
        #expect(try store.read { try store.results.notViewedCount(in: $0) } == 0)
        #expect(try store.write { try store.results.markAllAsDone(in: $0) } == 1)
        #expect(try store.read { try store.results.notViewedCount(in: $0) } == 1)
        #expect(try store.write { try store.results.markAllAsViewed(in: $0) } == 1)
        #expect(try store.read { try store.results.notViewedCount(in: $0) } == 0)
    }

    @Test("keep what is the store's when they are changed")
    func changes() throws {
        let (one, other) = try store.write { transaction in
            let one = try store.results.insert(
                .init(name: "websites"), at: instant(1), in: transaction)
            let other = try store.results.insert(
                .init(name: "performance"), at: instant(2), in: transaction)
            _ = try store.measurements.insert(.ndt, of: other.id, at: instant(2), in: transaction)
            try store.results.markAsDone(other.id, in: transaction)
            return (one, try #require(try store.results.get(other.id, in: transaction)))
        }
        try store.write { try store.results.update(one.id, in: $0) { $0 = other } }
        let changed = try #require(store.read { try store.results.get(one.id, in: $0) })
        #expect(changed.descriptor.name == "performance")
        #expect(changed.id == one.id && changed.counts == .init() && !changed.isDone)
        #expect(try store.read { try store.verify(in: $0) }.isEmpty)
    }
}
