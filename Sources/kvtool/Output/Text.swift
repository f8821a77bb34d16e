internal import DataFileCore
internal import Foundation

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
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return String(format: "%.1f %@", value, units[unit])
    }

    /// Milliseconds since 1970 as an ISO 8601 date in UTC; a number if it is far from today.
    static func date(milliseconds: Int64) -> String {
        let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
        guard range.contains(milliseconds) else { return "\(milliseconds) ms" }
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(.iso8601)
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
