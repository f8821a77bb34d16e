internal import StorePlatform

/// Parses `YYYY-MM-DD`, or a sign and 4 to 12 digits for the year, then `T` or a space and `HH:MM`,
/// `:SS`, `.fraction`, `Z` or `±HH:MM`. Everything after the day is optional; the default zone is
/// UTC. Returns nil for any other text.
func secondsSince1970(iso8601 text: String) -> Double? {
    var reader = DigitReader(bytes: Array(text.utf8))
    guard let year = reader.year(), reader.skip("-"),
        let month = reader.number(digits: 2), reader.skip("-"),
        let day = reader.number(digits: 2), (1...12).contains(month),
        (1...GregorianDay.count(year: year, month: month)).contains(day)
    else { return nil }
    let days = GregorianDay.number(year: year, month: month, day: day)
    guard abs(days) <= mostDays else { return nil }
    let midnight = days * 86_400
    if reader.isAtEnd { return Double(midnight) }
    guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
        let seconds = reader.secondsOfDay(), let zone = reader.zoneSeconds(), reader.isAtEnd
    else { return nil }
    return Double(midnight + seconds.whole - zone) + seconds.fraction
}

/// Returns `2001-02-03T04:05:06.789000Z`, to the microsecond. Years outside 0 to 9999 have a sign.
/// Nil for NaN, infinity, and a date more than `mostDays` away.
func iso8601(secondsSince1970 seconds: Double) -> String? {
    let below = seconds.rounded(.down)
    guard var whole = Int(exactly: below) else { return nil }
    var fraction = Int(((seconds - below) * 1e6).rounded())
    if fraction == 1_000_000 { (whole, fraction) = (whole + 1, 0) }
    let (days, second) = floorDivide(whole, 86_400)
    guard abs(days) <= mostDays else { return nil }
    let date = GregorianDay.date(days)
    let day = [yearText(date.year), pad(date.month, 2), pad(date.day, 2)].joined(separator: "-")
    let time = [second / 3600, second / 60 % 60, second % 60].map { pad($0, 2) }
    return "\(day)T\(time.joined(separator: ":")).\(pad(fraction, 6))Z"
}

/// About 274 billion years: their seconds, and a few days more, still fit in an `Int`.
private let mostDays = 100_000_000_000_000

private func yearText(_ year: Int) -> String {
    if (0...9999).contains(year) { return pad(year, 4) }
    return (year < 0 ? "-" : "+") + pad(abs(year), 4)
}

private func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func floorDivide(_ number: Int, _ divisor: Int) -> (Int, Int) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

private struct DigitReader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else {
            return false
        }
        position += 1
        return true
    }

    /// Parses exactly `digits` digits.
    mutating func number(digits: Int) -> Int? {
        var result = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            result = result * 10 + digit
        }
        return result
    }

    /// Parses four digits, or a sign and as many digits as `mostDays` may need.
    mutating func year() -> Int? {
        let sign = skip("-") ? -1 : 1
        guard sign < 0 || skip("+") else { return number(digits: 4) }
        guard var year = number(digits: 4) else { return nil }
        for _ in 4..<12 {
            guard let digit = digit() else { break }
            year = year * 10 + digit
        }
        return sign * year
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
        position += 1
        return Int(bytes[position - 1]) - 48
    }

    /// Parses `HH:MM`, optionally followed by `:SS` with a fraction.
    mutating func secondsOfDay() -> (whole: Int, fraction: Double)? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2),
            minute < 60
        else { return nil }
        let minutes = hour * 3600 + minute * 60
        guard skip(":") else { return (minutes, 0) }
        // 60 is a leap second.
        guard let second = number(digits: 2), second <= 60 else { return nil }
        guard skip(".") else { return (minutes + second, 0) }
        return fraction().map { (minutes + second, $0) }
    }

    private mutating func fraction() -> Double? {
        let start = position
        var (digits, scale) = (0.0, 1.0)
        while let digit = digit() {
            // Digits beyond the precision of a double change nothing, and would only overflow.
            if position - start > 15 { continue }
            digits = digits * 10 + Double(digit)
            scale *= 10
        }
        return position > start ? digits / scale : nil
    }

    /// Parses `Z`, `±HH:MM`, `±HHMM`, `±HH` or nothing; returns the offset from
    /// UTC in seconds to the east.
    mutating func zoneSeconds() -> Int? {
        if isAtEnd || skip("Z") || skip("z") { return 0 }
        let sign = skip("-") ? -1 : 1
        guard sign < 0 || skip("+"), let hour = number(digits: 2), hour < 24 else { return nil }
        if isAtEnd { return sign * hour * 3600 }
        _ = skip(":")
        guard let minute = number(digits: 2), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }
}
