internal import DataFileCore

/// How values are shown to people.
enum Text {
    /// The letters of the flags that are set, a dash for each that is not.
    static func flags(_ flags: DocumentFlags) -> String {
        let letters: [(DocumentFlags, String)] = [
            (.deleted, "d"), (.conflicted, "c"), (.hasAttachments, "a"), (.synced, "s"),
            (.rejected, "r"),
        ]
        return letters.map { flags.contains($0.0) ? $0.1 : "-" }.joined()
    }

    /// A number of bytes in binary multiples, one decimal.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        let units = ["B", "KB", "MB", "GB", "TB"]
        // What is rounded to 1024.0 is 1.0 of the next one.
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Milliseconds since 1970 as an ISO 8601 date in UTC; a number if it is far from today.
    static func date(milliseconds: Int64) -> String {
        let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
        guard range.contains(milliseconds) else { return "\(milliseconds) ms" }
        return CalendarDate(milliseconds: milliseconds).description
    }

    /// Seconds as people say them: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
    static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 8_640_000 else { return "long" }
        if seconds < 0.0009995 { return "\(Int((seconds * 1e6).rounded())) µs" }
        if seconds < 0.9995 { return "\(fraction(seconds * 1000)) ms" }
        if seconds < 9.95 { return "\(fraction(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// With one decimal, but for a large number.
    private static func fraction(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths >= 1000 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Bytes as lowercase hexadecimal.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `1 document`, `2 documents`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Text in one line: control characters are shown as `\u{…}`, so that no id can play tricks
    /// on a terminal.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Marks that turn the direction of writing, and with it the order of what follows.
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
