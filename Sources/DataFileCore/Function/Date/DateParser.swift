internal import FleeceLite

/// Reads dates as LiteCore does: `YYYY-MM-DD`, then optionally `T` or a blank and
/// `hh:mm[:ss[.fff]]`, then optionally `Z`, `±hh:mm` or `±hhmm`. Without a zone it is that of the
/// machine.
struct DateParser {
    private let text: UnsafeRawBufferPointer
    private var position = 0

    /// The date of a text, nil if it is none.
    static func date(_ value: FunctionValue) -> CivilDate? {
        guard let text = value.text, text.count <= 64 else { return nil }
        var parser = DateParser(text: text)
        return parser.parse()
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
        let number = GregorianDay.number(year: year, month: month, day: day)
        var shown = Int64(number) * CivilDate.dayLength
        guard position < text.count else { return CivilDate(local: shown) }
        guard take("T") || take("t") || take(" "), let time = time() else { return nil }
        shown += time
        guard position < text.count else { return CivilDate(local: shown) }
        guard let zone = zone(), position == text.count else { return nil }
        return CivilDate(shown: shown, zone: zone)
    }

    /// Milliseconds of the day; hour 24 is the next day's first.
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
            time += Int64(digit) * unit
            unit /= 10
            digits += 1
        }
        return digits > 0 ? time : nil
    }

    /// Minutes before UTC.
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

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }
}
