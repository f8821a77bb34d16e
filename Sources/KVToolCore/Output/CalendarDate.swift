/// A moment as a date of the Gregorian calendar, in UTC.
///
/// By hand, since formatters would be most of the time that the tool takes to start.
struct CalendarDate: CustomStringConvertible {
    let year: Int
    let month: Int
    let day: Int
    let secondOfDay: Int
    let millisecond: Int

    /// Milliseconds since 1970, of the years 1 to 9999.
    init(milliseconds: Int64) {
        let second = Self.floored(milliseconds, 1000)
        let dayNumber = Self.floored(second.quotient, 86_400)
        millisecond = Int(second.rest)
        secondOfDay = Int(dayNumber.rest)
        // Years begin in March, so that a leap day is the last of one; 400 of them are an era.
        let shifted = dayNumber.quotient + 719_468
        let era = Self.floored(shifted, 146_097)
        let dayOfEra = Int(era.rest)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + Int(era.quotient) * 400 + (month <= 2 ? 1 : 0)
    }

    private static func floored(_ value: Int64, _ unit: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
        return rest < 0 ? (quotient - 1, rest + unit) : (quotient, rest)
    }

    /// `2024-02-29T12:30:00Z`, with milliseconds if there are any.
    var description: String {
        let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
            .map { Self.digits($0, 2) }.joined(separator: ":")
        let fraction = millisecond == 0 ? "" : ".\(Self.digits(millisecond, 3))"
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
        return "\(date)T\(time)\(fraction)Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
