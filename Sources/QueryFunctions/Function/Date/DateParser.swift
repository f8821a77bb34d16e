internal import FleeceLite
internal import StorePlatform

/// Parses dates as LiteCore does: `YYYY-MM-DD`, then optionally `T` or blanks and
/// `hh:mm[:ss[.fff]]`, then optionally `Z`, `±hh:mm` or `±hhmm`, with surrounding blanks. The
/// default zone is that of the machine. A time alone is on 1 January 2000.
struct DateParser {
    private let text: UnsafeRawBufferPointer
    private var position = 0

    /// The date in a string; nil if it is not valid.
    static func date(_ value: FunctionValue) -> CivilDate? { day(value) ?? time(value) }

    /// The date in a string that specifies a day; nil for any other.
    static func day(_ value: FunctionValue) -> CivilDate? {
        guard let text = value.text, text.count <= 64 else { return nil }
        var parser = DateParser(text: text)
        return parser.parse()
    }

    private static func time(_ value: FunctionValue) -> CivilDate? {
        guard let text = value.text, text.count <= 64 else { return nil }
        var parser = DateParser(text: text)
        let day = GregorianDay.number(year: 2000, month: 1, day: 1)
        return parser.parseTime(on: Int64(day) * CivilDate.dayLength)
    }

    private init(text: UnsafeRawBufferPointer) {
        self.text = text
    }

    private mutating func parse() -> CivilDate? {
        let isNegative = take("-")
        guard var year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2), (1...12).contains(month)
        else { return nil }
        if isNegative { year = -year }
        guard (1...GregorianDay.count(year: year, month: month)).contains(day) else { return nil }
        let midnight =
            Int64(GregorianDay.number(year: year, month: month, day: day)) * CivilDate.dayLength
        let end = position
        while takeBlank() || take("T") {}
        guard position < text.count else { return CivilDate(local: midnight) }
        return position > end ? parseTime(on: midnight) : nil
    }

    /// Reads the time of day, and the zone.
    private mutating func parseTime(on midnight: Int64) -> CivilDate? {
        guard let time = time() else { return nil }
        while takeBlank() {}
        guard position < text.count else { return CivilDate(local: midnight + time) }
        guard let zone = zone() else { return nil }
        while takeBlank() {}
        return position == text.count ? CivilDate(shown: midnight + time, zone: zone) : nil
    }

    /// Milliseconds of the day; hour 24 is the first hour of the next day.
    private mutating func time() -> Int64? {
        guard let hour = number(2), hour <= 24, take(":"), let minute = number(2), minute < 60
        else { return nil }
        var time = Int64(hour * 60 + minute) * 60_000
        guard take(":") else { return time }
        guard let second = number(2), second < 60 else { return nil }
        time += Int64(second) * 1000
        guard take(".") else { return time }
        var (unit, digits): (Int64, Int) = (100, 0)
        while let digit = digit() {
            // The fourth digit rounds the third.
            time += digits == 3 ? (digit >= 5 ? 1 : 0) : Int64(digit) * unit
            unit /= 10
            digits += 1
        }
        return digits > 0 ? time : nil
    }

    /// The offset from UTC in minutes.
    private mutating func zone() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), hours <= 14 else { return nil }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    private mutating func number(_ digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int? {
        guard position < text.count, text[position] >= 0x30, text[position] <= 0x39 else {
            return nil
        }
        position += 1
        return Int(text[position - 1]) - 0x30
    }

    /// Skips white space.
    private mutating func takeBlank() -> Bool {
        guard position < text.count else { return false }
        let isBlank = text[position] == 0x20 || (0x09...0x0D).contains(text[position])
        position += isBlank ? 1 : 0
        return isBlank
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }
}
