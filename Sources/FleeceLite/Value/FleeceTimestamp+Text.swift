extension FleeceTimestamp {
    /// Reads ISO 8601 text: a date, then optionally a time, then optionally a zone.
    ///
    /// The date is `[-]YYYY-MM-DD`. The time follows after `T` or spaces: `HH:MM`, `HH:MM:SS` or
    /// `HH:MM:SS.fraction`, the fraction rounded to milliseconds; hour 24 is the next day's first.
    /// The zone is `Z`, `±HH:MM` or `±HHMM`, up to 14 hours.
    ///
    /// - Parameters:
    ///   - text: the text, with nothing before the date.
    ///   - zoneMinutes: how many minutes the zone of a text that names none is east of UTC. (The
    ///     reference takes the machine's own zone; here the caller says which.)
    /// - Returns: nil if the text is no date.
    public init?(parsing text: String, zoneMinutes: Int = 0) {
        var parser = TimestampParser(text: Array(text.utf8))
        guard let milliseconds = parser.parse(zoneMinutes: zoneMinutes) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The text: `YYYY-MM-DDTHH:MM:SS`, three digits of milliseconds if they are not zero, then
    /// `Z`, or `±HHMM` for a zone other than UTC.
    ///
    /// - Parameter zoneMinutes: how many minutes the zone is east of UTC; nil for UTC.
    public func text(zoneMinutes: Int? = nil) -> String {
        let (local, overflow) = milliseconds.addingReportingOverflow(
            Int64(zoneMinutes ?? 0) * 60_000)
        let shown = overflow ? milliseconds : local
        var (day, time) = shown.quotientAndRemainder(dividingBy: GregorianDay.milliseconds)
        if time < 0 { (day, time) = (day - 1, time + GregorianDay.milliseconds) }
        let (year, month, dayOfMonth) = GregorianDay.date(Int(day))
        let date =
            (year < 0 ? "-" : "") + "\(Self.padded(abs(year), 4))-\(Self.padded(month, 2))"
            + "-\(Self.padded(dayOfMonth, 2))"
        let seconds = time / 1000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .map { Self.padded(Int($0), 2) }.joined(separator: ":")
        let fraction = time % 1000 == 0 ? "" : ".\(Self.padded(Int(time % 1000), 3))"
        return "\(date)T\(clock)\(fraction)\(Self.zone(overflow ? nil : zoneMinutes))"
    }

    private static func zone(_ minutes: Int?) -> String {
        guard let minutes else { return "Z" }
        let size = abs(minutes)
        return (minutes < 0 ? "-" : "+") + padded(size / 60, 2) + padded(size % 60, 2)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Reads the text of a moment, byte by byte.
private struct TimestampParser {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) {
        self.text = text
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    mutating func parse(zoneMinutes: Int) -> Int64? {
        guard let day = readDate() else { return nil }
        skip { $0 == UInt8(ascii: "T") || $0 == 0x20 }
        var milliseconds: Int64 = 0
        var zone = zoneMinutes
        if next != nil {
            guard let time = readTime() else { return nil }
            milliseconds = time
            skip { $0 == 0x20 }
            if next != nil {
                guard let named = readZone() else { return nil }
                zone = named
                skip { $0 == 0x20 }
            }
        }
        guard next == nil else { return nil }
        return Int64(day) * GregorianDay.milliseconds + milliseconds - Int64(zone) * 60_000
    }

    private mutating func readDate() -> Int? {
        let isNegative = take("-")
        guard let year = readNumber(4), take("-"), let month = readNumber(2), take("-"),
            let day = readNumber(2), (1...12).contains(month)
        else { return nil }
        let signed = isNegative ? -year : year
        guard (1...GregorianDay.count(year: signed, month: month)).contains(day) else {
            return nil
        }
        return GregorianDay.number(year: signed, month: month, day: day)
    }

    private mutating func readTime() -> Int64? {
        guard let hour = readNumber(2), hour <= 24, take(":"), let minute = readNumber(2),
            minute <= 59
        else { return nil }
        var time = Int64(hour * 3600 + minute * 60) * 1000
        if take(":") {
            guard let second = readNumber(2), second <= 59 else { return nil }
            time += Int64(second) * 1000
            if take(".") {
                guard let fraction = readFraction() else { return nil }
                time += fraction
            }
        }
        return time
    }

    /// Milliseconds, rounded; four digits say enough.
    private mutating func readFraction() -> Int64? {
        let start = position
        skip { $0 >= 0x30 && $0 <= 0x39 }
        guard position > start else { return nil }
        let digits = text[start..<position].prefix(4) + Array(repeating: 0x30, count: 4)
        let tenths = digits.prefix(4).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return (tenths + 5) / 10
    }

    private mutating func readZone() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard isWest || next == UInt8(ascii: "+") else { return nil }
        position += 1
        guard let hours = readNumber(2), hours <= 14 else { return nil }
        _ = take(":")
        guard let minutes = readNumber(2), minutes <= 59 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    private mutating func readNumber(_ digits: Int) -> Int? {
        guard text.count - position >= digits else { return nil }
        var number = 0
        for byte in text[position..<(position + digits)] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        position += digits
        return number
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { position += 1 }
    }
}
