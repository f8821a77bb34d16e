import Foundation
import SampleData
import StorePlatform
import Testing

@Suite("The number of a day")
struct GregorianDayTests {
    @Test(
        "counts from 1970, and leads back to the date",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (47_540, 2100, 2, 28),
            (47_541, 2100, 3, 1), (2_932_896, 9999, 12, 31), (-719_162, 1, 1, 1),
            (-719_528, 0, 1, 1), (-719_529, -1, 12, 31),
        ])
    func known(_ number: Int, _ year: Int, _ month: Int, _ day: Int) {
        #expect(GregorianDay.number(year: year, month: month, day: day) == number)
        #expect(GregorianDay.date(number) == (year, month, day))
    }

    @Test("is the one that Foundation counts")
    func foundation() throws {
        let seed: UInt64 = 1582
        var random = SeededGenerator(seed: seed)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for _ in 0..<5000 {
            // Foundation's calendar is the Julian one before 1582.
            let number = Int(random.below(3_055_556)) - 138_888
            let date = GregorianDay.date(number)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            #expect(
                [date.year, date.month, date.day] == [parts.year, parts.month, parts.day],
                "\(number), seed \(seed)")
        }
    }

    @Test(
        "of the last day of a month is the one before the next month's first",
        arguments: [1600, 1700, 1999, 2000, 2023, 2024])
    func months(_ year: Int) {
        for month in 1...12 {
            let first = GregorianDay.number(year: year, month: month, day: 1)
            let next = GregorianDay.number(
                year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
            #expect(next - first == GregorianDay.count(year: year, month: month))
        }
    }
}
