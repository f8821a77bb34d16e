internal import DocumentStore

/// Moments and lengths of time as people write them.
enum MomentText {
    /// Milliseconds since 1970 of `2030-01-31`, `2030-01-31T12:00`, `2030-01-31T12:00:00+01:00`,
    /// which is in UTC if no zone is named; or of a number of milliseconds.
    static func date(_ text: String) -> Int64? {
        if text.utf8.count > 9, let milliseconds = Int64(text) { return milliseconds }
        return FleeceTimestamp(parsing: text)?.milliseconds
    }

    /// Milliseconds of `90s`, `15m`, `12h`, `7d`, `2w`, `1h30m`; a number alone is in seconds.
    static func duration(_ text: String) -> Int64? {
        if let seconds = Int64(text) {
            return seconds >= 0 ? product(seconds, 1000) : nil
        }
        var total: Int64 = 0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest[digits.endIndex...].prefix { $0.isASCII && $0.isLetter }
            guard let number = Int64(digits), let factor = milliseconds[String(unit)],
                let part = product(number, factor)
            else { return nil }
            let (sum, isTooLarge) = total.addingReportingOverflow(part)
            guard !isTooLarge else { return nil }
            total = sum
            rest = rest[unit.endIndex...]
        }
        return text.isEmpty ? nil : total
    }

    private static let milliseconds: [String: Int64] = [
        "ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000,
        "w": 604_800_000,
    ]

    private static func product(_ number: Int64, _ factor: Int64) -> Int64? {
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }
}
