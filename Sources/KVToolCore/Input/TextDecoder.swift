internal import CICU
internal import DocumentStore
internal import StorePlatform

/// Converts text of another encoding to UTF-8, piece by piece.
package final class TextDecoder {
    /// Invalid bytes and their location.
    struct Failure {
        let location: TextLocation
        let message: String
    }

    private let encoding: String
    private let converter: OpaquePointer
    /// The bytes of an incomplete character at the end of the last piece.
    private var rest: [UInt8] = []
    /// The location of the next character.
    private var location = TextLocation(line: 1, column: 1)

    /// Throws for an unknown encoding.
    package init(_ encoding: String) throws {
        guard let converter = icu_converter_open(encoding) else {
            throw ToolError(
                "unknown encoding \(Text.line(encoding)); examples are latin1, windows-1252, "
                    + "utf-16, shift_jis and gb18030", status: .usage)
        }
        (self.encoding, self.converter) = (encoding, converter)
    }

    deinit { icu_converter_close(converter) }

    /// Returns the encoding unless it is UTF-8, which needs no decoder.
    package static func needed(_ encoding: String?) -> String? {
        let name = encoding?.lowercased().filter { $0 != "-" && $0 != "_" }
        return name == "utf8" ? nil : encoding
    }

    /// Converts the next bytes; empty bytes end the input. A failure follows the returned text.
    func decode(_ bytes: [UInt8]) -> (text: [UInt8], failure: Failure?) {
        let isEnd = bytes.isEmpty
        let source = rest + bytes
        rest = []
        var text: [UInt8] = []
        var start = 0
        var status = Int32(ICU_CONVERTER_MORE)
        while status == Int32(ICU_CONVERTER_MORE) {
            let (piece, consumed) = convert(source[start...], isEnd, &status)
            text += piece
            start += consumed
        }
        advance(over: text)
        guard status == Int32(ICU_CONVERTER_DONE) else {
            return (text, Failure(location: location, message: message(status)))
        }
        rest = Array(source[start...])
        return (text, nil)
    }

    private func convert(
        _ source: ArraySlice<UInt8>, _ isEnd: Bool, _ status: inout Int32
    ) -> (text: [UInt8], consumed: Int) {
        var (consumed, written): (Int32, Int32) = (0, 0)
        let text = [UInt8](unsafeUninitializedCapacity: Int(ICU_CONVERTER_TARGET)) {
            target, count in
            guard let base = target.baseAddress else { return }
            status = source.withUnsafeBufferPointer {
                icu_converter_convert(
                    converter, $0.baseAddress, Int32($0.count), isEnd, base, &consumed, &written)
            }
            count = Int(written)
        }
        return (text, Int(consumed))
    }

    private func advance(over text: [UInt8]) {
        let inside = TextLocation(offset: text.count, in: text[...], firstLine: location.line)
        let column = inside.line == location.line ? location.column - 1 : 0
        location = TextLocation(line: inside.line, column: inside.column + column)
    }

    private func message(_ status: Int32) -> String {
        guard status == Int32(ICU_CONVERTER_INVALID) else {
            return "the text cannot be converted from \(encoding)"
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = Int(icu_converter_invalid(converter, &bytes))
        guard count > 0 else { return "the text is not \(encoding)" }
        let digits = bytes.prefix(count).map { "0x" + Hexadecimal.encoded([$0]).uppercased() }
        return count == 1
            ? "the byte \(digits[0]) is not \(encoding)"
            : "the bytes \(digits.joined(separator: " ")) are not \(encoding)"
    }
}

/// A location in text: line and column, both starting with 1, the column in characters.
package struct TextLocation: CustomStringConvertible {
    let line: Int
    let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The location of an offset in UTF-8; `firstLine` is the number of the text's first line.
    package init(offset: Int, in text: ArraySlice<UInt8>, firstLine: Int = 1) {
        let before = text.prefix(offset)
        line = firstLine + before.count { $0 == 0x0A }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        // Continuation bytes do not start a character.
        column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
    }

    package var description: String { "line \(line), column \(column)" }
}

/// Timestamps and durations as command-line arguments.
package enum TimestampArgument {
    /// Milliseconds since 1970 of `2030-01-31`, `2030-01-31T12:00`, `2030-01-31T12:00:00+01:00`,
    /// which is in UTC if no time zone is specified, or of a number of milliseconds.
    package static func date(_ text: String) -> Int64? {
        if text.utf8.count > 9, let milliseconds = Int64(text) { return milliseconds }
        return FleeceTimestamp(parsing: text)?.milliseconds
    }

    /// Milliseconds of `90s`, `15m`, `12h`, `7d`, `2w`, `1h30m`; a plain number is in seconds.
    package static func duration(_ text: String) -> Int64? {
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
