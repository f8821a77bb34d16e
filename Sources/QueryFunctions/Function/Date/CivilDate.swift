internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

/// A moment, and the zone in which it is shown.
struct CivilDate {
    /// Milliseconds since 1970 in UTC, within `range`.
    let milliseconds: Int64
    /// How many minutes the zone is before UTC.
    let zone: Int
    /// The text named no zone, so it is the machine's.
    var isLocal = false

    /// Milliseconds that are a date: 100 million days before and after 1970, as in ECMAScript.
    static let range: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000
    static let dayLength: Int64 = 86_400_000

    /// Nil for a moment beyond `range`, or a zone of more than a day.
    init?(milliseconds: Int64, zone: Int) {
        guard Self.range.contains(milliseconds), zone.magnitude <= 1440 else { return nil }
        self.milliseconds = milliseconds
        self.zone = zone
    }

    /// The moment that a clock of the zone shows.
    init?(shown: Int64, zone: Int) {
        self.init(milliseconds: shown - Int64(zone) * 60_000, zone: zone)
    }

    /// The moment that a clock of the machine shows.
    init?(local shown: Int64) {
        guard Self.range.contains(shown) else { return nil }
        self.init(
            shown: shown, zone: LocalZone.minutes(atLocal: Self.quotient(shown, 1000)))
        isLocal = true
    }

    /// A number of milliseconds, in UTC, or a Boolean, which is 1 or 0; nil for any other value.
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

    /// What a clock of its zone shows, as milliseconds.
    var shown: Int64 { milliseconds + Int64(zone) * 60_000 }

    /// Days since 1970 that a calendar of its zone shows.
    var day: Int { Int(Self.quotient(shown, Self.dayLength)) }

    /// Milliseconds since the beginning of the day.
    var timeOfDay: Int64 { shown - Int64(day) * Self.dayLength }

    /// Year, month and day of its zone.
    var date: (year: Int, month: Int, day: Int) { GregorianDay.date(day) }

    /// The quotient rounded down, also of negative numbers.
    static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    /// The same moment of the clock on the first day of a month, so many months after year 0, with
    /// `days` more.
    func moved(toMonth months: Int, days: Int) -> CivilDate? {
        let year = Int(Self.quotient(Int64(months), 12))
        guard year.magnitude <= 400_000 else { return nil }
        let first = GregorianDay.number(year: year, month: months - 12 * year + 1, day: 1)
        return shown(at: Int64(first + days) * Self.dayLength + timeOfDay)
    }

    /// The date of the same zone whose clock shows something else; in the machine's zone, what the
    /// clock is then.
    func shown(at shown: Int64) -> CivilDate? {
        isLocal ? CivilDate(local: shown) : CivilDate(shown: shown, zone: zone)
    }
}
