import DocumentStore
import Foundation
import Testing

import OONIStore

@Suite("Statistics and retention")
struct StatisticsTests {
    private let store: OONIStore
    private let now: Date
    private let zone: TimeZone

    /// Wednesday, 2026-04-01, 00:30 in Berlin, where clocks were changed on the Sunday before.
    init() throws {
        store = try OONIStore.inMemory()
        now = try Date("2026-03-31T22:30:00Z", strategy: .iso8601)
        zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    }

    private func begin(_ text: String) throws -> OONIStore.TestResult {
        try store.begin(at: OONIStore.Instant(Date(text, strategy: .iso8601)).milliseconds)
    }

    @Test("counts are of what is done since midnight, Monday and the first, in the zone named")
    func counts() throws {
        let result = try store.begin()
        for text in [
            "2026-03-31T22:00:00Z", "2026-03-31T21:59:59Z", "2026-03-29T22:00:00Z",
            "2026-03-29T21:59:59Z", "2001-01-01T00:00:00Z",
        ] {
            let time = OONIStore.Instant(try Date(text, strategy: .iso8601)).milliseconds
            try store.measure(of: result.id, at: time)
            try store.measure(of: result.id, at: time) { $0.isFailed = true }
        }
        func counts(_ zone: TimeZone) throws -> [Int] {
            let counts = try store.read { try store.statistics(at: now, zone: zone, in: $0) }
            return [counts.today, counts.thisWeek, counts.thisMonth, counts.total]
        }
        #expect(try counts(zone) == [1, 3, 1, 5])
        #expect(try counts(.gmt) == [2, 2, 4, 5])
    }

    @Test("systems and countries are counted once, and nothing is not a country")
    func networks() throws {
        let details: [OONIStore.NetworkDetails] = [
            .init(asn: "AS1", countryCode: "IT"), .init(name: "n", asn: "AS1", countryCode: "DE"),
            .init(asn: "AS2", countryCode: ""), .init(), .init(name: "m", countryCode: "IT"),
        ]
        try store.write { for one in details { _ = try store.networks.register(one, in: $0) } }
        let statistics = try store.read { try store.statistics(at: now, zone: zone, in: $0) }
        #expect(statistics.networks == 2 && statistics.countries == ["DE", "IT"])
    }

    @Test("results older than so many months go; the day itself stays, whole")
    func months() throws {
        for text in ["2026-01-31T22:59:59Z", "2026-01-31T23:00:00Z", "2026-03-31T00:00:00Z"] {
            try store.measure(of: begin(text).id)
        }
        let deleted = try store.write {
            try store.results.markAllAsDone(in: $0)
            return try store.results.apply(.init(months: 2), at: now, zone: zone, in: $0)
        }
        #expect(deleted.results.map(\.number) == [1])
        #expect(deleted.measurements.count == 1 && deleted.fileNames.count == 2)
        // Less than one month is one.
        let none = try store.write {
            try store.results.markAllAsDone(in: $0)
            return try store.results.apply(.init(months: -3), at: now, zone: zone, in: $0)
        }
        #expect(none.results.map(\.number) == [2])
    }

    @Test("a result that still runs stays, however old it is")
    func running() throws {
        for time: Int64 in [10, 20, 30] { try store.begin(at: time) }
        try store.write { try store.results.markAsDone(.init(2), in: $0) }
        let deleted = try store.write {
            try store.results.apply(.init(results: 0), at: now, zone: zone, in: $0)
        }
        #expect(deleted.results.map(\.number) == [2])
    }

    @Test("a number of newest results stay; together with months, either limit removes")
    func count() throws {
        for time: Int64 in [30, 10, 20, 20] { try store.begin(at: time) }
        func apply(_ retention: OONIStore.Retention) throws -> [Int64] {
            try store.write {
                try store.results.markAllAsDone(in: $0)
                return try store.results.apply(retention, at: now, zone: zone, in: $0)
            }.results.map(\.number)
        }
        #expect(try apply(.init()) == [])
        #expect(try apply(.init(results: 4)) == [])
        #expect(try apply(.init(results: 2)) == [3, 2])
        let recent = try begin("2026-03-31T00:00:00Z").id.number
        #expect(try apply(.init(months: 1, results: 2)).sorted() == [1, 4])
        #expect(try store.listed() == [recent])
        #expect(try apply(.init(results: -1)) == [recent])
    }
}
