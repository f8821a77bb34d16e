internal import StorePlatform

extension FleeceTimestamp {
    /// Parses ISO 8601 text: a date, optionally followed by a time and a zone.
    ///
    /// The date is `[-]YYYY-MM-DD`. The time follows after `T` or spaces: `HH:MM`, `HH:MM:SS` or
    /// `HH:MM:SS.fraction`; the fraction is rounded to milliseconds, and hour 24 is the first hour
    /// of the next day. The zone is `Z`, `±HH:MM` or `±HHMM`, up to 14 hours.
    ///
    /// ```swift
    /// let day = FleeceTimestamp(parsing: "1970-01-02")?.milliseconds  // 86400000
    /// let local = FleeceTimestamp(parsing: "1970-01-01T02:00", zoneMinutes: 120)  // 0:00 UTC
    /// let invalid = FleeceTimestamp(parsing: "2009-02-29")  // nil
    /// ```
    ///
    /// - Parameters:
    ///   - text: the text, which must start with the date.
    ///   - zoneMinutes: the offset from UTC, in minutes to the east, of a text without a zone
    ///     (default: 0). (The reference uses the machine's time zone.)
    /// - Returns: nil if the text is not a date, or if anything but spaces follows it.
    public init?(parsing text: String, zoneMinutes: Int = 0) {
        var text = text
        let timestamp = text.withUTF8 {
            FleeceTimestamp(parsing: UnsafeRawBufferPointer($0), zoneMinutes: zoneMinutes)
        }
        guard let timestamp else { return nil }
        self = timestamp
    }

    /// Parses ISO 8601 text in UTF-8.
    init?(parsing utf8: UnsafeRawBufferPointer, zoneMinutes: Int = 0) {
        var parser = TimestampParser(text: utf8)
        guard let milliseconds = parser.parse(zoneMinutes: zoneMinutes) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The timestamp as text: `YYYY-MM-DDTHH:MM:SS`, three digits of milliseconds if they are not
    /// zero, then `Z`, or `±HHMM` for a zone other than UTC.
    ///
    /// A year beyond 9999 has more digits, a negative one a sign; ``init(parsing:zoneMinutes:)``
    /// reads years of four digits only.
    ///
    /// - Parameter zoneMinutes: the zone's offset from UTC, in minutes to the east (default: nil,
    ///   UTC).
    /// - Returns: the text, in ASCII.
    public func text(zoneMinutes: Int? = nil) -> String {
        withText(zoneMinutes: zoneMinutes) { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes the text to `operation` in a temporary buffer.
    func withText<T>(
        zoneMinutes: Int? = nil, _ operation: (UnsafeRawBufferPointer) throws -> T
    ) rethrows -> T {
        try withUnsafeTemporaryAllocation(
            byteCount: TimestampWriter.capacity, alignment: 1
        ) { buffer in
            var writer = TimestampWriter(buffer)
            writer.write(self, zoneMinutes: zoneMinutes)
            return try operation(UnsafeRawBufferPointer(rebasing: buffer[..<writer.count]))
        }
    }
}

/// Writes the text of a timestamp into a buffer.
private struct TimestampWriter {
    /// The maximum length of a text: 34 bytes, and more for an invalid zone.
    static let capacity = 64

    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        self.buffer = buffer
    }

    mutating func write(_ timestamp: FleeceTimestamp, zoneMinutes: Int?) {
        let (shift, isFar) = Int64(zoneMinutes ?? 0).multipliedReportingOverflow(by: 60_000)
        let (local, isOutside) = timestamp.milliseconds.addingReportingOverflow(shift)
        let zone = isFar || isOutside ? nil : zoneMinutes
        let shown = zone == nil ? timestamp.milliseconds : local
        var (day, time) = shown.quotientAndRemainder(dividingBy: GregorianDay.milliseconds)
        if time < 0 { (day, time) = (day - 1, time + GregorianDay.milliseconds) }
        writeDate(Int(day))
        write("T")
        writeTime(Int(time))
        guard let zone else { return write("Z") }
        write(zone < 0 ? "-" : "+")
        let size = Int(zone.magnitude)
        write(size / 60, digits: 2)
        write(size % 60, digits: 2)
    }

    private mutating func writeDate(_ number: Int) {
        let (year, month, day) = GregorianDay.date(number)
        if year < 0 { write("-") }
        write(abs(year), digits: 4)
        write("-")
        write(month, digits: 2)
        write("-")
        write(day, digits: 2)
    }

    private mutating func writeTime(_ milliseconds: Int) {
        let seconds = milliseconds / 1000
        write(seconds / 3600, digits: 2)
        write(":")
        write(seconds / 60 % 60, digits: 2)
        write(":")
        write(seconds % 60, digits: 2)
        guard milliseconds % 1000 != 0 else { return }
        write(".")
        write(milliseconds % 1000, digits: 3)
    }

    private mutating func write(_ letter: Unicode.Scalar) {
        buffer[count] = UInt8(ascii: letter)
        count += 1
    }

    /// Writes a number with leading zeros, of at least `digits` digits.
    private mutating func write(_ number: Int, digits: Int) {
        var needed = 1
        var rest = number / 10
        while rest > 0 { (needed, rest) = (needed + 1, rest / 10) }
        let end = count + max(digits, needed)
        rest = number
        for index in (count..<end).reversed() {
            buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count = end
    }
}

/// Parses the text of a timestamp, byte by byte.
private struct TimestampParser {
    let text: UnsafeRawBufferPointer
    private var position = 0

    init(text: UnsafeRawBufferPointer) {
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
        // The zone may be any number that a caller passes.
        let (shift, isFar) = Int64(zone).multipliedReportingOverflow(by: 60_000)
        let (timestamp, isOutside) = (Int64(day) * GregorianDay.milliseconds + milliseconds)
            .subtractingReportingOverflow(shift)
        return isFar || isOutside ? nil : timestamp
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

    /// Milliseconds, rounded; four digits suffice.
    private mutating func readFraction() -> Int64? {
        let start = position
        var tenths: Int64 = 0
        while let byte = next, byte >= 0x30, byte <= 0x39 {
            if position - start < 4 { tenths = tenths * 10 + Int64(byte - 0x30) }
            position += 1
        }
        guard position > start else { return nil }
        for _ in min(position - start, 4)..<4 { tenths *= 10 }
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
        for index in position..<(position + digits) {
            let byte = text[index]
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
