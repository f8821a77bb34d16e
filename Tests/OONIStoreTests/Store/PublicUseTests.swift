import DocumentStore
import Foundation
import OONIStore
import Testing

// As a program sees the library, which is not let in by @testable.
@Suite("A program's use of the store")
struct PublicUseTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("from the first link to the last file")
    func life() async throws {
        let store = try OONIStore.inMemory()
        let links = try OONIStore.TestDescriptor.read(
            json: """
                {"oonirun_link_id": "10004", "revision": "1", "name": "Mine",
                 "nettests": [{"test_name": "web_connectivity", "inputs": ["https://a.example/"]}]}
                """
        ).descriptors
        let link = try #require(links.first)
        let timestamp = OONIStore.Instant(now)
        try await store.write { try store.descriptors.install(link, at: timestamp, in: $0) }

        let result = try await store.write { transaction in
            let network = try store.networks.register(
                .init(name: "Net", asn: "AS1", countryCode: "CH", type: .wifi), in: transaction)
            return try store.results.insert(
                .init(link), at: timestamp, runID: "run", networkID: network.id, in: transaction)
        }
        let first = try #require(link.nettests?.first)
        for input in first.inputs {
            let measurement = try await store.write {
                try store.measurements.insert(
                    first.testName, of: result.id, url: input, at: timestamp, in: $0)
            }
            try await store.write {
                try store.measurements.update(measurement.id, in: $0) {
                    $0.isDone = true
                    $0.isAnomaly = true
                }
            }
        }
        try await store.write { try store.results.markAsDone(result.id, in: $0) }
        let sweep = try await store.uploadMissing { _ in .uploaded(uid: "u", verification: nil) }
        #expect(sweep.uploaded == 1 && sweep.left == 0)

        let day = OONIStore.ResultFilter(descriptors: ["10004"], networks: [.init(1)])
        let page = try await store.read { try store.results.page(day, in: $0) }
        #expect(page.results.map(\.counts.anomalies) == [1] && page.next == nil)
        let shown = try await store.read { try store.measurements.all(of: result.id, in: $0) }
        #expect(shown.map(\.url?.url) == ["https://a.example/"])
        #expect(shown.map(\.measurement.outcome) == [.anomaly] && shown.map(\.id.number) == [1])
        let statistics = try await store.read {
            try store.statistics(at: now, zone: .gmt, in: $0)
        }
        #expect(statistics.total == 1 && statistics.countries == ["CH"])
        let gone = try await store.write { try store.results.delete(day, in: $0) }
        #expect(gone.fileNames.count == 2 && gone.networks == [.init(1)])
    }

    @Test("each list can be observed, or those of some collections")
    func observed() async throws {
        let store = try OONIStore.inMemory()
        let (wide, narrow) = (
            store.observe { try store.measurements.all(of: .init(1), in: $0) },
            store.observe(of: [store.results.collection]) {
                try store.results.notViewedCount(in: $0) + store.urls.all(in: $0).count
            }
        )
        var (shown, count) = (wide.makeAsyncIterator(), narrow.makeAsyncIterator())
        #expect(try await shown.next() == [])
        #expect(try await count.next() == 0)
        // It is no matter of the narrow one, which sees it with the next result only.
        try await store.write { try store.urls.register(.init("https://b.example/"), in: $0) }
        try await store.write { transaction in
            let result = try store.results.insert(
                .init(name: "websites"), at: .init(now), in: transaction)
            _ = try store.measurements.insert(
                .signal, of: result.id, at: .init(now), in: transaction)
        }
        #expect(try await shown.next()?.map(\.measurement.testName) == [.signal])
        #expect(try await count.next() == 1)
    }

    @Test("a result is of a card or of a link")
    func references() async throws {
        let store = try OONIStore.inMemory()
        let unknown: [OONIStore.DescriptorReference] = [
            .init(), .init(name: "webstes"), .init(key: .init("10004", revision: 1)),
        ]
        for reference in unknown {
            let error = await #expect(throws: OONIStoreError.self) {
                try await store.write {
                    try store.results.insert(reference, at: .init(now), in: $0)
                }
            }
            #expect(error?.code == .unknownDescriptor)
        }
        #expect(try await store.read { try store.results.ids(in: $0) } == [])
    }
}
