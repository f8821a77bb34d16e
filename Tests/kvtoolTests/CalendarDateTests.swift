import Foundation
import SampleData
import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("A moment as a date")
struct CalendarDateTests {
    @Test(
        "is that of the Gregorian calendar, in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_827_696_789, "2000-02-29T12:34:56.789Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func known(_ milliseconds: Int64, _ text: String) {
        #expect(CalendarDate(milliseconds: milliseconds).description == text)
    }

    @Test("is the one that Foundation finds")
    func foundation() throws {
        let seed: UInt64 = 1582
        var random = SeededGenerator(seed: seed)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for _ in 0..<5000 {
            // Foundation's calendar is the Julian one before 1582.
            let second = Int64(random.below(264_000_000_000)) - 12_000_000_000
            let date = CalendarDate(milliseconds: second * 1000)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: Double(second)))
            #expect(
                [date.year, date.month, date.day] == [parts.year, parts.month, parts.day],
                "\(second), seed \(seed)")
            #expect(
                date.secondOfDay
                    == (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0),
                "\(second), seed \(seed)")
        }
    }
}
