internal import DocumentStore

/// Formats values for console output.
package enum Text {
    /// The letters of the flags that are set, with a dash for each that is not.
    static func flags(_ flags: DocumentFlags) -> String {
        let letters: [(DocumentFlags, String)] = [
            (.deleted, "d"), (.conflicted, "c"), (.hasAttachments, "a"), (.synced, "s"),
            (.rejected, "r"),
        ]
        return letters.map { flags.contains($0.0) ? $0.1 : "-" }.joined()
    }

    /// A number of bytes in binary multiples, with one decimal.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        let units = ["B", "KB", "MB", "GB", "TB"]
        // A value that rounds to 1024.0 becomes 1.0 of the next unit.
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Milliseconds since 1970 as an ISO 8601 date in UTC; a number if it is out of range.
    static func date(milliseconds: Int64) -> String {
        let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
        guard range.contains(milliseconds) else { return "\(milliseconds) ms" }
        return FleeceTimestamp(milliseconds: milliseconds).text()
    }

    /// A duration in seconds: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
    package static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 8_640_000 else { return "long" }
        if seconds < 0.0009995 { return "\(Int((seconds * 1e6).rounded())) µs" }
        if seconds < 0.9995 { return "\(fraction(seconds * 1000)) ms" }
        if seconds < 9.95 { return "\(fraction(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// With one decimal, except for large numbers.
    private static func fraction(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths >= 1000 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// `1 document`, `2 documents`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Text on one line: control characters are shown as `\u{…}`, so that they cannot affect the
    /// terminal.
    package static func line(_ text: String) -> String {
        // Fast path without Unicode tables.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        turnsDirection(scalar.value) || scalar.properties.generalCategory == .control
    }

    /// Bidirectional formatting marks, which change the order of the following text.
    private static func turnsDirection(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

// Text that is written unchanged, such as JSON.
extension Text {
    /// The number of bytes at the end of a piece that start a character that `escapingMarks` may
    /// have to escape.
    static func openMarkBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let last = bytes.last else { return 0 }
        if [0xC2, 0xD8, 0xE2].contains(last) { return 1 }
        let isOpen = last & 0xC0 == 0x80 && bytes.count > 1 && bytes[bytes.count - 2] == 0xE2
        return isOpen ? 2 : 0
    }

    /// UTF-8 with an escape such as `\u202E` for each bidirectional mark and each control character
    /// except line feed and tab; nil if there are none.
    ///
    /// The result is equivalent in JSON.
    ///
    /// - Parameter keepsColours: whether to keep sequences of `Colour`.
    static func escapingMarks(
        _ bytes: UnsafeRawBufferPointer, keepsColours: Bool = false
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while position < bytes.count {
            guard let (scalar, length) = mark(bytes[position...]) else {
                position += 1
                continue
            }
            if keepsColours, scalar == 0x1B, Colour.begins(bytes[position...]) {
                position += 1
                continue
            }
            let digits = String(scalar, radix: 16, uppercase: true)
            result += bytes[copied..<position]
            result += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            position += length
            copied = position
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// The mark at the beginning of bytes, and its length in bytes.
    private static func mark(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> (scalar: UInt32, length: Int)? {
        switch bytes.first {
        case 0x09, 0x0A: return nil
        case let control? where control < 0x20 || control == 0x7F: return (UInt32(control), 1)
        case 0xC2, 0xD8, 0xE2: break
        default: return nil
        }
        // The payload bits of the continuation bytes.
        let rest = bytes.dropFirst().prefix(2).prefix { $0 & 0xC0 == 0x80 }.map {
            UInt32($0 & 0x3F)
        }
        switch (bytes.first, rest.first) {
        case (0xC2, let last?) where last < 0x20: return (0x80 | last, 2)
        case (0xD8, 0x1C): return (0x061C, 2)
        case (0xE2, _) where rest.count == 2:
            let scalar = 0x2000 | rest[0] << 6 | rest[1]
            return turnsDirection(scalar) ? (scalar, 3) : nil
        default: return nil
        }
    }
}

extension RevisionID {
    /// The timestamp of the revision in milliseconds since 1970, by the clock of its author; nil
    /// for a digest, which has no timestamp.
    var time: Int64? {
        guard case .vector(let vector) = self, !vector.first.isLegacy,
            LogicalTime.valid.contains(vector.first.time)
        else { return nil }
        return Int64(vector.first.time.rawValue / 1_000_000)
    }
}
