import DocumentStore
import Foundation
import Testing

import OONIStore

@Suite("Ranges of days")
struct DayRangeTests {
    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    private func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    /// A moment in ISO 8601.
    private func at(_ text: String) throws -> OONIStore.Instant { .init(try date(text)) }

    @Test("a day ends where the next one begins: its last millisecond is in it, midnight is not")
    func lastMillisecond() throws {
        let store = try OONIStore.inMemory()
        // 2026-03-11 in Tokyo, from 15:00 of the day before in UTC.
        let (start, end) = (try at("2026-03-10T15:00:00Z"), try at("2026-03-11T15:00:00Z"))
        for time in [
            start.milliseconds - 1, start.milliseconds, end.milliseconds - 999,
            end.milliseconds - 1, end.milliseconds,
        ] {
            try store.begin(at: time)
        }
        let day = Range.day(of: try date("2026-03-11T03:00:00Z"), in: try zone("Asia/Tokyo"))
        #expect(day == start..<end)
        #expect(try store.listed(.init(startTime: day)) == [4, 3, 2])
    }

    @Test(
        "days on which clocks change are as long as they are",
        arguments: [
            // Zone, a moment of the day, its beginning, its end.
            // One hour less and one more in Berlin.
            (
                "Europe/Berlin", "2026-03-29T10:00:00Z", "2026-03-28T23:00:00Z",
                "2026-03-29T22:00:00Z"
            ),
            (
                "Europe/Berlin", "2026-10-25T10:00:00Z", "2026-10-24T22:00:00Z",
                "2026-10-25T23:00:00Z"
            ),
            // The clock goes on at midnight: the day begins at one o'clock.
            (
                "America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z",
                "2018-11-05T02:00:00Z"
            ),
            // The day before it ends at that moment.
            (
                "America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-03T03:00:00Z",
                "2018-11-04T03:00:00Z"
            ),
            // The clock goes back at midnight: the day before has 25 hours.
            (
                "America/Sao_Paulo", "2018-02-17T12:00:00Z", "2018-02-17T02:00:00Z",
                "2018-02-18T03:00:00Z"
            ),
            // The hour after midnight comes twice.
            (
                "America/Havana", "2025-11-02T12:00:00Z", "2025-11-02T04:00:00Z",
                "2025-11-03T05:00:00Z"
            ),
            // Half an hour.
            (
                "Australia/Lord_Howe", "2026-04-05T00:00:00Z", "2026-04-04T13:00:00Z",
                "2026-04-05T13:30:00Z"
            ),
            // The day after this one was left out.
            (
                "Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-29T10:00:00Z",
                "2011-12-30T10:00:00Z"
            ),
        ])
    func clocks(_ name: String, _ timestamp: String, _ start: String, _ end: String) throws {
        let day = Range.day(of: try date(timestamp), in: try zone(name))
        #expect(day.lowerBound == (try at(start)))
        #expect(day.upperBound == (try at(end)))
    }

    @Test("ranges count the day of today, and a month has the same day of the month before")
    func spans() throws {
        let (now, zone) = (try date("2026-03-31T22:30:00Z"), try zone("Europe/Berlin"))
        let week = Range.lastDays(7, before: now, in: zone)
        #expect(week == (try at("2026-03-25T23:00:00Z"))..<(try at("2026-04-01T22:00:00Z")))
        #expect(Range.lastDays(0, before: now, in: zone) == Range.day(of: now, in: zone))
        #expect(Range.lastDays(-5, before: now, in: zone) == Range.day(of: now, in: zone))
        let month = Range.lastMonth(before: now, in: zone)
        #expect(month == (try at("2026-02-28T23:00:00Z"))..<(try at("2026-04-01T22:00:00Z")))
        let leap = Range.lastMonth(before: try date("2024-03-31T12:00:00Z"), in: .gmt)
        #expect(leap == (try at("2024-02-29T00:00:00Z"))..<(try at("2024-04-01T00:00:00Z")))
        let turned = Range.days(from: now, through: try date("2026-01-01T00:00:00Z"), in: zone)
        #expect(turned == Range.day(of: now, in: zone))
    }

    @Test(
        "a date far away makes a range, whatever there is in it",
        arguments: [
            -.infinity, -1e300, -1e17, -1e14, -1e12, 1e12, 1e14, 1e17, 1e300, .infinity, .nan,
        ] as [Double])
    func farAway(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let now = Date(timeIntervalSince1970: 0)
        let ranges = [
            Range.day(of: date, in: .gmt), .days(from: date, through: now, in: .gmt),
            .days(from: now, through: date, in: .gmt), .lastDays(7, before: date, in: .gmt),
            .lastMonth(before: date, in: .gmt), .lastDays(.max, before: now, in: .gmt),
        ]
        for range in ranges { #expect(range.lowerBound <= range.upperBound) }
        let store = try OONIStore.inMemory()
        try store.measure(of: store.begin(at: 1).id)
        let statistics = try store.read { try store.statistics(at: date, zone: .gmt, in: $0) }
        #expect(statistics.total == 1)
        let deleted = try store.write {
            try store.results.apply(
                .init(months: .max), at: date, zone: .gmt, in: $0)
        }
        #expect(deleted.results.count <= 1)
    }

    @Test("more months than there were keep everything", arguments: [0.0, 1_790_000_000, -1e12])
    func months(_ seconds: Double) throws {
        let store = try OONIStore.inMemory()
        try store.begin(at: 1)
        try store.write { try store.results.markAllAsDone(in: $0) }
        let now = Date(timeIntervalSince1970: seconds)
        let deleted = try store.write {
            try store.results.apply(.init(months: .max), at: now, zone: .gmt, in: $0)
        }
        #expect(deleted.results == [])
    }

    @Test("instants have whole milliseconds, and are clamped to their range")
    func instants() {
        #expect(OONIStore.Instant(Date(timeIntervalSince1970: 1.2345)).milliseconds == 1_235)
        #expect(OONIStore.Instant(.init(timeIntervalSince1970: 1e300)).milliseconds == .max)
        #expect(OONIStore.Instant(.init(timeIntervalSince1970: -1e300)).milliseconds == .min)
        #expect(
            OONIStore.Instant.at(1_773_187_200_123).date.timeIntervalSince1970
                == 1_773_187_200.123)
        for far: Int64 in [.min, .max] { #expect(!"\(OONIStore.Instant.at(far))".isEmpty) }
    }

    @Test("instants are described to the millisecond")
    func descriptions() {
        #expect("\(OONIStore.Instant.at(1_773_187_200_007))" == "2026-03-11T00:00:00.007Z")
        #expect("\(OONIStore.Instant.at(-1))" == "1969-12-31T23:59:59.999Z")
    }
}
