internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

/// An instant, with the time zone in which it is shown.
struct CivilDate {
    /// Milliseconds since 1970 in UTC, within `range`.
    let milliseconds: Int64
    /// The offset of the time zone from UTC, in minutes; positive east of Greenwich.
    let zone: Int
    /// The string specified no time zone, so it is that of the machine.
    var isLocal = false

    /// The valid milliseconds: 100 million days before and after 1970, as in ECMAScript.
    static let range: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000
    static let dayLength: Int64 = 86_400_000

    /// Nil for an instant outside of `range`, or an offset of more than a day.
    init?(milliseconds: Int64, zone: Int) {
        guard Self.range.contains(milliseconds), zone.magnitude <= 1440 else { return nil }
        self.milliseconds = milliseconds
        self.zone = zone
    }

    /// The instant at which a clock of the zone shows a time.
    init?(shown: Int64, zone: Int) {
        self.init(milliseconds: shown - Int64(zone) * 60_000, zone: zone)
    }

    /// The instant at which a clock of the machine shows a time.
    init?(local shown: Int64) {
        guard Self.range.contains(shown) else { return nil }
        self.init(
            shown: shown, zone: LocalZone.minutes(atLocal: Self.quotient(shown, 1000)))
        isLocal = true
    }

    /// A number of milliseconds, in UTC; a Boolean counts as 1 or 0; nil for any other value.
    init?(_ value: FunctionValue, zone: Int = 0) {
        guard let number = value.wholeNumber else { return nil }
        self.init(milliseconds: number, zone: zone)
    }

    /// A number of milliseconds, in the machine's zone.
    init?(local value: FunctionValue) {
        guard let utc = CivilDate(value) else { return nil }
        let seconds = Self.quotient(utc.milliseconds, 1000)
        self.init(milliseconds: utc.milliseconds, zone: LocalZone.minutes(atUTC: seconds))
    }

    /// The local time in its zone, in milliseconds.
    var shown: Int64 { milliseconds + Int64(zone) * 60_000 }

    /// The local date in its zone, in days since 1970.
    var day: Int { Int(Self.quotient(shown, Self.dayLength)) }

    /// Milliseconds since local midnight.
    var timeOfDay: Int64 { shown - Int64(day) * Self.dayLength }

    /// Year, month and day in its zone.
    var date: (year: Int, month: Int, day: Int) { GregorianDay.date(day) }

    /// The quotient rounded down, also for negative numbers.
    static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    /// The same local time on the first day of a month, given as months since year 0, plus `days`.
    func moved(toMonth months: Int, days: Int) -> CivilDate? {
        let year = Int(Self.quotient(Int64(months), 12))
        guard year.magnitude <= 400_000 else { return nil }
        let first = GregorianDay.number(year: year, month: months - 12 * year + 1, day: 1)
        return shown(at: Int64(first + days) * Self.dayLength + timeOfDay)
    }

    /// The date with another local time in the same zone; in the machine's zone, with its offset at
    /// that time.
    func shown(at shown: Int64) -> CivilDate? {
        isLocal ? CivilDate(local: shown) : CivilDate(shown: shown, zone: zone)
    }
}
