internal import CICU

/// Turns text of another encoding into UTF-8, piece by piece.
final class TextDecoder {
    /// Bytes that are not text of the encoding, and where they stand.
    struct Failure {
        let place: TextPlace
        let message: String
    }

    private let encoding: String
    private let converter: OpaquePointer
    /// What belongs to a character that the next piece completes.
    private var rest: [UInt8] = []
    /// Where the next character stands.
    private var place = TextPlace(line: 1, column: 1)

    /// Throws for an encoding that is not known.
    init(_ encoding: String) throws {
        guard let converter = icu_converter_open(encoding) else {
            throw ToolError(
                "the encoding \(Text.line(encoding)) is not known; such are latin1, windows-1252, "
                    + "utf-16, shift_jis and gb18030", status: .usage)
        }
        (self.encoding, self.converter) = (encoding, converter)
    }

    deinit { icu_converter_close(converter) }

    /// The encoding, if it is another one than UTF-8, which needs no decoder.
    static func needed(_ encoding: String?) -> String? {
        let name = encoding?.lowercased().filter { $0 != "-" && $0 != "_" }
        return name == "utf8" ? nil : encoding
    }

    /// The text of the next bytes, none of which says that it ends; and what is wrong behind it.
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
            return (text, Failure(place: place, message: message(status)))
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
        let inside = TextPlace(offset: text.count, in: text[...], firstLine: place.line)
        let column = inside.line == place.line ? place.column - 1 : 0
        place = TextPlace(line: inside.line, column: inside.column + column)
    }

    private func message(_ status: Int32) -> String {
        guard status == Int32(ICU_CONVERTER_INVALID) else {
            return "the text cannot be converted from \(encoding)"
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = Int(icu_converter_invalid(converter, &bytes))
        guard count > 0 else { return "the text is not \(encoding)" }
        let digits = bytes.prefix(count).map { "0x" + Text.hexadecimal([$0]).uppercased() }
        return count == 1
            ? "the byte \(digits[0]) is not \(encoding)"
            : "the bytes \(digits.joined(separator: " ")) are not \(encoding)"
    }
}
