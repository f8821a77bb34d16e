import DocumentStore
import Testing

@testable import OONIStore

@Suite("Values from outside")
struct HostileValueTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    @Test("any instant has its position in a list, also across pages")
    func timestamps() throws {
        let timestamps: [Int64] = [
            .min, .max, 0, 9_007_199_254_740_993, 9_007_199_254_740_992, .max - 1, .min + 1, -1,
            .max, .min,
        ]
        for timestamp in timestamps { try store.begin(at: timestamp) }
        let right: [Int64] = [9, 2, 6, 4, 5, 3, 8, 7, 10, 1]
        var (seen, cursor): ([Int64], OONIStore.ResultCursor?) = ([], nil)
        repeat {
            let page = try store.read {
                try store.results.page(after: cursor, limit: 1, in: $0)
            }
            seen += page.results.map(\.id.number)
            cursor = page.next
        } while cursor != nil && seen.count <= timestamps.count
        #expect(seen == right)
        #expect(
            try store.listed(.init(startTime: .at(.min)..<(.at(.max)))) == Array(right.dropFirst(2))
        )
        let narrow = OONIStore.ResultFilter(
            startTime: .at(9_007_199_254_740_993)..<(.at(.max - 1)))
        #expect(try store.listed(narrow) == [4])
    }

    @Test("any words and sets of any size can be filtered by")
    func filters() throws {
        let words = ["a\0b", "", "'\"`$x", "\u{1F980}\n", String(repeating: "x", count: 5_000)]
        for (time, word) in words.enumerated() {
            let result = try store.begin(at: Int64(time), .init(rawValue: word), run: word)
            // A name that an import may bring.
            try store.write { [store] transaction in
                var named = result
                named.descriptor.name = word
                try store.results.put(named, in: transaction)
            }
        }
        for (index, word) in words.enumerated() {
            let number = Int64(index + 1)
            #expect(try store.listed(.init(descriptors: [word])) == [number])
            #expect(try store.listed(.init(taskOrigin: .init(rawValue: word))) == [number])
        }
        #expect(try store.read { try store.results.lastRun(in: $0) }.map(\.runID) == [words[4]])
        let many = Set((0..<20_000).map { "\($0)" } + ["a\0b"])
        #expect(try store.listed(.init(descriptors: many)) == [1])
        let network = try store.join("AS1")
        try store.begin(at: 9, network: network)
        let networks = Set((1...20_000).map { OONIStore.Network.ID(Int64($0)) })
        #expect(try store.listed(.init(networks: networks)) == [6])
    }

    @Test("sums of data usage that no number holds are the greatest there is")
    func sums() throws {
        for up: Int64 in [.max, .max, 5] {
            let result = try store.begin()
            _ = try store.write {
                try store.results.update(result.id, in: $0) {
                    ($0.dataUsageUpKiB, $0.dataUsageDownKiB) = (up, -up)
                }
            }
        }
        let totals = try store.read { try store.results.totals(in: $0) }
        #expect(totals.results == 3)
        #expect(totals.dataUsageUpKiB == .max && totals.dataUsageDownKiB == .min)
    }

    @Test(
        "numbers that JSON does not have are written and read",
        arguments: [
            Double.infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ])
    func doubles(_ value: Double) throws {
        let made = try store.measure(.ndt, of: store.begin().id) {
            $0.runtimeSeconds = value
            $0.testKeys = .init(summary: .init(ping: value))
        }
        let read = try store.read { try store.measurements.get(made.id, in: $0) }
        #expect(read?.runtimeSeconds == value && read?.testKeys?.summary?.ping == value)
    }

    @Test("ids that no document can have are of nothing")
    func ids() throws {
        try store.measure(of: store.begin().id)
        let numbers: [Int64] = [.min, -1, 0, 2, 1_000_000_000_001, .max]
        try store.read { snapshot in
            for number in numbers {
                let result = try store.results.get(.init(number), in: snapshot)
                let measurements = try store.measurements.all(of: .init(number), in: snapshot)
                let network = try store.networks.get(.init(number), in: snapshot)
                #expect(result == nil && measurements.isEmpty && network == nil)
            }
            for link in ["", "/", "_", "\u{10FFFF}", "1/000000000001", "a\0"] {
                let latest = try store.descriptors.latest(link, in: snapshot)
                let one = try store.descriptors.get(.init(link, revision: .min), in: snapshot)
                #expect(latest == nil && one == nil)
            }
        }
        let deleted = try store.write {
            try store.results.delete(numbers.map { .init($0) }, in: $0)
        }
        #expect(deleted == .init())
        #expect(try store.listed() == [1])
    }
}
