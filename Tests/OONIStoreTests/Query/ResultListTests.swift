import DocumentStore
import Testing

@testable import OONIStore

@Suite("Lists of results")
struct ResultListTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    @Test("the newest comes first; of those that began together, the one inserted last")
    func order() throws {
        for time: Int64 in [5, 9, 5, -3, 9, 5] { try store.begin(at: time) }
        #expect(try store.listed() == [5, 2, 6, 3, 1, 4])
        #expect(
            try store.read { try store.results.ids(in: $0) }.map(\.number) == [5, 2, 6, 3, 1, 4])
        #expect(try store.read { try store.results.latest(in: $0) }?.id.number == 5)
    }

    @Test("a part of a list has a hundred results, as many as are asked for, or at least one")
    func limits() throws {
        try store.write { transaction in
            for time in 0..<120 {
                _ = try store.results.insert(
                    .init(name: "websites"), at: .at(Int64(time)), in: transaction)
            }
        }
        #expect(try store.read { try store.results.page(in: $0) }.results.count == 100)
        #expect(try store.listed(limit: 3) == [120, 119, 118])
        #expect(try store.listed(limit: 0) == [120])
        #expect(try store.listed(limit: -7) == [120])
        #expect(try store.listed(limit: .max).count == 120)
        let exact = try store.read { try store.results.page(limit: 120, in: $0) }
        #expect(exact.results.count == 120 && exact.next == nil)
    }

    @Test("what is inserted or deleted between two parts moves no other result to another part")
    func paging() throws {
        for time: Int64 in [1, 2, 2, 2, 3, 4] { try store.begin(at: time) }
        let first = try store.read { try store.results.page(limit: 3, in: $0) }
        #expect(first.results.map(\.id.number) == [6, 5, 4])
        // One newer, one with the time of the cursor, one older; the cursor's own goes.
        for time: Int64 in [9, 2, 1] { try store.begin(at: time) }
        let place = try #require(first.results.last?.id)
        _ = try store.write { try store.results.delete([place], in: $0) }
        let second = try store.read {
            try store.results.page(after: first.next, limit: 3, in: $0)
        }
        #expect(second.results.map(\.id.number) == [3, 2, 9])
        let third = try store.read {
            try store.results.page(after: second.next, limit: 3, in: $0)
        }
        #expect(third.results.map(\.id.number) == [1])
        #expect(third.next == nil)
    }

    @Test("filters by descriptor go by the name of a card and by the number of a link")
    func descriptors() throws {
        try store.install("10004", 1)
        try store.install("00104", 1)
        try store.begin("websites", at: 1)
        try store.begin("websites", key: .init("00104", revision: 1), at: 2)
        try store.begin(nil, key: .init("10004", revision: 1), at: 3)
        try store.begin("performance", at: 4)
        try store.begin("experimental", at: 5)
        #expect(try store.listed(.init(descriptors: ["websites"])) == [2, 1])
        #expect(try store.listed(.init(descriptors: ["00104"])) == [2])
        #expect(try store.listed(.init(descriptors: ["10004", "performance"])) == [4, 3])
        #expect(try store.listed(.init(descriptors: ["1000", "100044"])) == [])
        #expect(try store.listed(.init(descriptors: [])) == [])
        #expect(try store.listed(.init(descriptors: nil)) == [5, 4, 3, 2, 1])
        #expect(try store.read { try store.results.lastDone(of: "websites", in: $0) } == nil)
        _ = try store.write { try store.results.markAsDone(.init(1), in: $0) }
        _ = try store.write { try store.results.markAsDone(.init(3), in: $0) }
        let done = try store.read { snapshot in
            try ["websites", "00104", "10004"].map {
                try store.results.lastDone(of: $0, in: snapshot)?.id.number
            }
        }
        #expect(done == [1, nil, 3])
    }

    @Test("filters by network find its results; none at all finds none")
    func networks() throws {
        let (one, other) = (try store.join("AS1"), try store.join("AS2"))
        try store.begin(at: 1, network: one)
        try store.begin(at: 2, network: other)
        try store.begin(at: 3)
        #expect(try store.listed(.init(networks: [one])) == [1])
        #expect(try store.listed(.init(networks: [one, other])) == [2, 1])
        #expect(try store.listed(.init(networks: [.init(77)])) == [])
        #expect(try store.listed(.init(networks: [])) == [])
    }

    @Test("filters by origin and by time; the end of a time is not in it")
    func originAndTime() throws {
        try store.begin(at: 10, .ooniRun)
        try store.begin(at: 20, .autorun)
        try store.begin(at: 30, .init(rawValue: "by-the-cat"))
        #expect(try store.listed(.init(taskOrigin: .autorun)) == [2])
        #expect(try store.listed(.init(taskOrigin: .init(rawValue: "by-the-cat"))) == [3])
        #expect(try store.listed(.init(startTime: .at(10)..<(.at(30)))) == [2, 1])
        #expect(try store.listed(.init(startTime: .at(11)..<(.at(31)))) == [3, 2])
        #expect(try store.listed(.init(startTime: .at(20)..<(.at(20)))) == [])
        let both = OONIStore.ResultFilter(taskOrigin: .autorun, startTime: .at(21)..<(.at(31)))
        #expect(try store.listed(both) == [])
    }

    @Test("a filter for no network leaves out all, so it is not a filter for all")
    func isAll() {
        #expect(OONIStore.ResultFilter.all.isAll)
        #expect(!OONIStore.ResultFilter(descriptors: []).isAll)
        #expect(!OONIStore.ResultFilter(networks: []).isAll)
        #expect(!OONIStore.ResultFilter(networks: [.init(1)]).isAll)
        #expect(!OONIStore.ResultFilter(descriptors: ["websites"]).isAll)
        #expect(!OONIStore.ResultFilter(taskOrigin: .autorun).isAll)
        #expect(!OONIStore.ResultFilter(startTime: .at(0)..<(.at(1))).isAll)
        let many = OONIStore.ResultFilter(
            descriptors: ["a", "b"], networks: [.init(1)], taskOrigin: .autorun)
        #expect(many.count == 4)
    }

    @Test("totals count all that a filter finds, each network once, whatever a part's limit is")
    func totals() throws {
        let (one, other) = (try store.join("AS1"), try store.join("AS2"))
        for (time, network) in [(1, one), (2, one), (3, other), (4, nil)]
            as [(Int64, OONIStore.Network.ID?)]
        {
            let result = try store.begin(at: time, network: network)
            _ = try store.write {
                try store.results.update(result.id, in: $0) {
                    ($0.dataUsageUpKiB, $0.dataUsageDownKiB) = (time, time * 10)
                }
            }
        }
        let all = try store.read { try store.results.totals(in: $0) }
        #expect(all == .init(results: 4, networks: 2, dataUsageUpKiB: 10, dataUsageDownKiB: 100))
        let some = try store.read { try store.results.totals(.init(networks: [one]), in: $0) }
        #expect(some == .init(results: 2, networks: 1, dataUsageUpKiB: 3, dataUsageDownKiB: 30))
        let none = try store.read {
            try store.results.totals(.init(taskOrigin: .autorun), in: $0)
        }
        #expect(none == .init())
    }

    @Test("the last run is all results of the newest tap on Run")
    func lastRun() throws {
        func lastRun() throws -> [Int64] {
            try store.read { try store.results.lastRun(in: $0) }.map(\.id.number)
        }
        #expect(try lastRun() == [])
        try store.begin(at: 1)
        try store.begin(at: 2)
        #expect(try lastRun() == [2])
        try store.begin(at: 3, run: "a")
        try store.begin(at: 5, run: "b")
        try store.begin(at: 4, run: "b")
        // Newer, but it does not say what it belongs to.
        try store.begin(at: 9)
        #expect(try lastRun() == [4, 5])
        // One that begins later and was run earlier counts by when it began.
        try store.begin(at: 6, run: "a")
        #expect(try lastRun() == [7, 3])
    }

    @Test("with a key the name is that of its card, whatever was specified")
    func names() throws {
        for link in ["00104", "10004"] { try store.install(link, 1) }
        let card = try store.begin(nil, key: .init("00104", revision: 1))
        let link = try store.begin("websites", key: .init("10004", revision: 1))
        #expect(card.descriptor.name == "websites" && link.descriptor.name == nil)
        let moved = try store.write {
            try store.results.update(link.id, in: $0) { $0.descriptor.name = "performance" }
        }
        #expect(moved.descriptor.name == nil)
        #expect(try store.listed(.init(descriptors: ["websites"])) == [1])
    }

    @Test("a list is shown with descriptors and networks")
    func shown() throws {
        let descriptor = try store.install("10004", 1)
        let network = try store.join("AS1")
        try store.begin(nil, key: descriptor.key, at: 1, network: network)
        try store.begin("performance", at: 2)
        let shown = try store.read { snapshot in
            let page = try store.results.page(in: snapshot)
            return try store.results.shown(page.results, in: snapshot)
        }
        #expect(shown.map(\.id.number) == [2, 1])
        #expect(shown.map(\.network?.details.asn) == [nil, "AS1"])
        #expect(
            shown.map(\.descriptor) == [
                .placeholder(.init(name: "performance")), .known(descriptor),
            ])
        let latest = try store.read { try store.descriptors.latest(of: ["10004", "9"], in: $0) }
        #expect(latest == [descriptor])
    }
}
