/// Values with commas (RFC 4180) or tabs between them.
enum CSV {
    static let comma = UInt8(ascii: ",")
    static let tab = UInt8(ascii: "\t")

    /// A line, with its end. Values that hold a separator, a quote or a line's end are quoted.
    static func line(_ values: [String], _ separator: UInt8) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(separator) }
            append(value, separator, to: &line)
        }
        line.append(0x0A)
        return line
    }

    private static func append(_ value: String, _ separator: UInt8, to line: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let isPlain = value.utf8.allSatisfy {
            $0 != separator && $0 != quote && $0 != 0x0A && $0 != 0x0D
        }
        guard !isPlain else { return line.append(contentsOf: value.utf8) }
        line.append(quote)
        for byte in value.utf8 {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }
}
