internal import StorePlatform

/// Reads the records of a CSV or TSV file (RFC 4180), in constant memory. A quoted value may
/// contain separators and line endings.
struct CSVReader {
    /// A value of a record.
    struct Value {
        var bytes: [UInt8] = []
        /// Whether the value was quoted.
        var isQuoted = false

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private var lines: LineReader
    private let separator: UInt8
    /// The line in which the last record started.
    private(set) var line = 0
    var name: String { lines.name }
    var totalBytes: Int { lines.totalBytes }
    var consumed: Int { lines.consumed }

    init(_ lines: LineReader, separator: UInt8) {
        self.lines = lines
        self.separator = separator
    }

    /// Returns the next record, skipping empty lines; nil at the end of the file.
    mutating func next() throws -> [Value]? {
        while true {
            line = lines.line + 1
            var parser = RecordParser(separator: separator)
            var isEnd = false
            repeat {
                let (name, number) = (name, lines.line + 1)
                let more: Void? = try lines.next { text in
                    try Self.requireUTF8(text, name, number)
                    parser.add(text)
                }
                if more == nil { isEnd = true }
                guard parser.count <= LineReader.maximumLine else {
                    throw ToolError(
                        "\(name), line \(line): the record is longer than "
                            + Text.size(LineReader.maximumLine))
                }
            } while parser.isOpen && !isEnd
            guard !parser.isOpen else {
                throw ToolError("\(name), line \(line): a quoted value has no end")
            }
            if isEnd { return nil }
            if !parser.isEmpty { return parser.values }
        }
    }

    private static func requireUTF8(
        _ text: UnsafeRawBufferPointer, _ name: String, _ line: Int
    ) throws {
        guard let offset = UTF8Check.firstInvalid(in: text) else { return }
        let location = TextLocation(offset: offset, in: [UInt8](text)[...], firstLine: line)
        // A UTF-16 byte order mark, in either order.
        let isUTF16 =
            line == 1 && text.count > 1 && [0xFE, 0xFF].contains(text[0])
            && text[0] ^ text[1] == 1
        throw ToolError(
            "\(name), \(location): "
                + (isUTF16
                    ? "the file is UTF-16, not UTF-8; use --encoding utf-16"
                    : UTF8Check.message(text[offset])))
    }
}

/// Splits a record into values, line by line.
private struct RecordParser {
    let separator: UInt8
    private(set) var values: [CSVReader.Value] = []
    private(set) var count = 0
    /// Whether the line ended inside quotes.
    private(set) var isOpen = false

    init(separator: UInt8) { self.separator = separator }

    /// Whether the record is an empty line.
    var isEmpty: Bool { values.count == 1 && values[0].bytes.isEmpty && !values[0].isQuoted }

    mutating func add(_ line: UnsafeRawBufferPointer) {
        count += line.count + 1
        var value = CSVReader.Value()
        if isOpen, let open = values.popLast() {
            value = open
            value.bytes.append(0x0A)
        }
        var index = 0
        while index < line.count {
            let byte = line[index]
            if isOpen {
                guard byte == 0x22 else { value.bytes.append(byte); index += 1; continue }
                if index + 1 < line.count, line[index + 1] == 0x22 {
                    value.bytes.append(byte)
                    index += 1
                } else {
                    isOpen = false
                }
            } else if byte == separator {
                values.append(value)
                value = CSVReader.Value()
            } else if byte == 0x22, value.bytes.isEmpty, !value.isQuoted {
                value.isQuoted = true
                isOpen = true
            } else if byte != 0x0D || index + 1 < line.count {
                value.bytes.append(byte)
            }
            index += 1
        }
        values.append(value)
    }
}

/// Validates UTF-8 in untrusted bytes.
enum UTF8Check {
    /// The offset of the first byte that is not part of a character; nil if all bytes are valid.
    static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & asciiMask == 0
            {
                index += 8
                continue
            }
            let length = characterLength(bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// The message for an invalid byte, with the options that could help.
    static func message(_ byte: UInt8) -> String {
        let digits = Hexadecimal.encoded([byte]).uppercased()
        return "the byte 0x\(digits) is not UTF-8; \(hint)"
    }

    /// The option to read another encoding.
    static let hint = "for another encoding, use --encoding, e.g. latin1, windows-1252 or utf-16"

    private static let asciiMask: UInt64 = 0x8080_8080_8080_8080

    /// The number of bytes of the character that starts at an index, 0 if invalid (RFC 3629).
    private static func characterLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let first = bytes[index]
        func follows(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + offset < bytes.count && range.contains(bytes[index + offset])
        }
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: return follows(1) ? 2 : 0
        case 0xE0: return follows(1, 0xA0...0xBF) && follows(2) ? 3 : 0
        case 0xED: return follows(1, 0x80...0x9F) && follows(2) ? 3 : 0
        case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : 0
        case 0xF0: return follows(1, 0x90...0xBF) && follows(2) && follows(3) ? 4 : 0
        case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
        case 0xF4: return follows(1, 0x80...0x8F) && follows(2) && follows(3) ? 4 : 0
        default: return 0
        }
    }
}
