import DocumentStore
import Testing

import OONIStore

@Suite("Results: what is changed, viewed and done")
struct ResultMarkTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func get(_ id: OONIStore.TestResult.ID) throws -> OONIStore.TestResult {
        try #require(try store.read { try store.results.get(id, in: $0) })
    }

    @Test("a new result has a number, and is neither done nor viewed; what it is given stays")
    func insert() throws {
        let network = try store.join("AS1")
        let result = try store.begin(
            "performance", at: -7, .autorun, run: "internal_run_1", network: network)
        #expect(result.id.number == 1)
        #expect(!result.isDone && !result.isViewed && result.counts == .init())
        #expect(result.runID == "internal_run_1" && result.networkID == network)
        #expect(try get(result.id) == result)
        #expect(try store.begin().taskOrigin == .ooniRun)
        #expect(try store.read { try store.results.get(.init(3), in: $0) } == nil)
    }

    @Test("a result of a missing network or descriptor is rejected, and leaves nothing")
    func references() throws {
        #expect { try store.begin(network: .init(4)) } throws: {
            ($0 as? OONIStoreError)?.code == .unknownNetwork
        }
        try store.install("10004", 2)
        #expect { try store.begin(key: .init("10004", revision: 1)) } throws: {
            ($0 as? OONIStoreError)?.code == .unknownDescriptor
        }
        let first = try store.begin(key: .init("10004", revision: 2))
        #expect(first.id.number == 1)
        #expect {
            try store.write {
                try store.results.update(first.id, in: $0) { $0.networkID = .init(4) }
            }
        } throws: {
            ($0 as? OONIStoreError)?.code == .unknownNetwork
        }
        #expect(try get(first.id) == first)
    }

    @Test("a refused result takes no number, also where its error is caught")
    func refusedNumber() throws {
        let number = try store.write { transaction in
            let network = OONIStore.Network.ID(9)
            _ = try? store.results.insert(
                .init(name: "websites"), at: .at(1), networkID: network, in: transaction)
            return try store.results.insert(.init(name: "websites"), at: .at(1), in: transaction)
                .id.number
        }
        #expect(number == 1)
    }

    @Test("a change writes what was changed; one of a removed result is an error")
    func update() throws {
        let result = try store.begin()
        let changed = try store.write {
            try store.results.update(result.id, in: $0) {
                $0.failureMessage = "no network\nno engine"
                $0.dataUsageUpKiB += 5
                $0.startTime = .at(77)
            }
        }
        #expect(changed.failureMessage == "no network\nno engine")
        #expect(try get(result.id) == changed)
        #expect(changed.startTime == .at(77) && changed.dataUsageUpKiB == 5)
        #expect {
            try store.write { try store.results.update(.init(9), in: $0) { $0.runID = "x" } }
        } throws: {
            ($0 as? OONIStoreError)?.code == .unknownResult
        }
    }

    @Test("a change that puts another result in place leaves what the store itself keeps")
    func replaced() throws {
        let (one, other) = (try store.begin(at: 1), try store.begin(at: 2))
        try store.measure(of: one.id)
        _ = try store.write { try store.results.markAsDone(one.id, in: $0) }
        _ = try store.write { try store.results.update(one.id, in: $0) { $0 = other } }
        #expect(try get(other.id) == other)
        let now = try get(one.id)
        #expect(now.id == one.id && now.isDone && now.counts.done == 1)
        #expect(now.startTime == .at(2))
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("a result is marked once: the second time nothing is written")
    func once() throws {
        let result = try store.begin()
        #expect(try store.write { try store.results.markAsViewed(result.id, in: $0) })
        #expect(try store.write { try store.results.markAsDone(result.id, in: $0) })
        let keyStore = store.results.collection.keyStore
        let before = try store.read { try keyStore.lastSequence(in: $0) }
        #expect(try store.write { try !store.results.markAsViewed(result.id, in: $0) })
        #expect(try store.write { try !store.results.markAsDone(result.id, in: $0) })
        #expect(try store.write { try store.results.markAllAsViewed(in: $0) } == 0)
        #expect(try store.write { try store.results.markAllAsDone(in: $0) } == 0)
        _ = try store.write { try store.results.update(result.id, in: $0) { $0.runID = nil } }
        #expect(try store.read { try keyStore.lastSequence(in: $0) } == before)
        #expect {
            try store.write { try store.results.markAsViewed(.init(5), in: $0) }
        } throws: {
            ($0 as? OONIStoreError)?.code == .unknownResult
        }
    }

    @Test("all that a filter finds are marked as viewed, and no other")
    func viewed() throws {
        for time: Int64 in 1...4 { try store.begin(at: time, time > 2 ? .autorun : .ooniRun) }
        let count = try store.write {
            try store.results.markAllAsViewed(.init(taskOrigin: .autorun), in: $0)
        }
        #expect(count == 2)
        let viewed = try store.read { try store.results.page(in: $0) }.results
        #expect(viewed.map(\.isViewed) == [true, true, false, false])
    }

    @Test("not viewed are results that have ended, with a measurement that has")
    func notViewed() throws {
        func count() throws -> Int { try store.read { try store.results.notViewedCount(in: $0) } }
        let empty = try store.begin()
        let unfinished = try store.begin()
        let ended = try store.begin()
        try store.measure(of: unfinished.id) { $0.isDone = false }
        try store.measure(of: ended.id)
        #expect(try count() == 0)
        #expect(try store.write { try store.results.markAllAsDone(in: $0) } == 3)
        #expect(try count() == 1)
        _ = try store.write { try store.results.markAsViewed(empty.id, in: $0) }
        #expect(try count() == 1)
        _ = try store.write { try store.results.markAsViewed(ended.id, in: $0) }
        #expect(try count() == 0)
    }

    @Test("missing uploads are counted by result, whether or not there is a report at OONI")
    func missingUpload() throws {
        func count() throws -> Int {
            try store.read { try store.results.missingUploadCount(in: $0) }
        }
        let (one, other) = (try store.begin(), try store.begin())
        try store.measure(of: one.id)
        let second = try store.measure(of: one.id)
        try store.measure(of: other.id) { ($0.isDone, $0.isUploaded) = (true, true) }
        #expect(try count() == 1)
        #expect(try get(other.id).counts.isAllUploaded)
        // Uploaded without a report's name counts as uploaded.
        _ = try store.write {
            try store.measurements.update(second.id, in: $0) { $0.isUploaded = true }
        }
        #expect(try get(one.id).counts.notUploaded == 1)
        #expect(try count() == 1)
        #expect(try !store.read { try store.results.areTooManyWaiting(in: $0) })
    }

    @Test("at fifty results that wait for their upload no test should begin by itself")
    func tooMany() throws {
        for _ in 0..<49 { try store.measure(of: store.begin().id) }
        #expect(try !store.read { try store.results.areTooManyWaiting(in: $0) })
        try store.measure(of: store.begin().id)
        #expect(try store.read { try store.results.areTooManyWaiting(in: $0) })
    }
}
