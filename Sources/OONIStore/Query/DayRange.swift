public import Foundation

extension Range<OONIStore.Instant> {
    /// From the beginning of one day to the end of another, in a time zone.
    ///
    /// The end is the first moment that is not in it any more, so that no millisecond of the last
    /// day is lost, however long that day is.
    public static func days(from first: Date, through last: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let start = OONIStore.Instant(calendar.startOfDay(for: first))
        let lastStart = calendar.startOfDay(for: Swift.max(first, last))
        let next = calendar.date(byAdding: .day, value: 1, to: lastStart) ?? lastStart
        // Calendars do not know dates very far away: such a day has nothing in it.
        return start..<Swift.max(start, OONIStore.Instant(calendar.startOfDay(for: next)))
    }

    /// The day of a date.
    public static func day(of date: Date, in zone: TimeZone) -> Self {
        days(from: date, through: date, in: zone)
    }

    /// The last so many days, with today.
    public static func lastDays(_ count: Int, before now: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .day, value: 1 - Swift.max(count, 1), to: now) ?? now
        return days(from: first, through: now, in: zone)
    }

    /// The days since the same day of last month.
    public static func lastMonth(before now: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .month, value: -1, to: now) ?? now
        return days(from: first, through: now, in: zone)
    }
}

extension Calendar {
    /// The calendar by which weeks begin on Monday.
    static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }
}
