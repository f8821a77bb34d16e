internal import FleeceLite

/// A document for each record of a file of values; the headings name the properties.
///
/// An empty value is none. What is not in quotes and is a number, `true`, `false` or `null` is
/// that, and not a text.
struct CSVSource: DocumentSource {
    private var reader: CSVReader
    /// What comes before each value: `"name":`
    private let keys: [JSONText]
    private let idColumn: Int?
    private let keepsTexts: Bool
    var name: String { reader.name }
    var totalBytes: Int { reader.totalBytes }
    var consumed: Int { reader.consumed }
    var hasLines: Bool { true }

    /// - Parameter keepsTexts: whether every value is a text.
    init(_ reader: CSVReader, keepsTexts: Bool) throws {
        self.reader = reader
        self.keepsTexts = keepsTexts
        let headings = try self.reader.next() ?? []
        guard Set(headings.map(\.bytes)).count == headings.count else {
            throw ToolError("\(self.reader.name), line 1: two columns have the same heading")
        }
        idColumn = headings.firstIndex { $0.text == "_id" }
        keys = headings.map {
            var key = JSONText()
            key.append(quoted: $0.text)
            key.append(":")
            return key
        }
    }

    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
        guard let values = try reader.next() else { return false }
        guard values.count <= keys.count else {
            throw ToolError(
                "\(name), line \(reader.line): \(Text.count(values.count, "value")) for "
                    + Text.count(keys.count, "heading"))
        }
        var text = JSONText()
        text.append("{")
        for (index, value) in values.enumerated() where !value.bytes.isEmpty || value.isQuoted {
            if text.utf8.count > 1 { text.append(",") }
            text.utf8 += keys[index].utf8
            if !keepsTexts, !value.isQuoted, index != idColumn, CSVLiteral.isOne(value.bytes) {
                text.utf8 += value.bytes
            } else {
                text.append(quoted: value.text)
            }
        }
        text.append("}")
        try text.utf8.withUnsafeBytes { try body(SourceDocument(json: $0, line: reader.line)) }
        return true
    }
}

/// A value of a file of values that is no text: a number of JSON, `true`, `false`, `null`.
enum CSVLiteral {
    /// More digits than a 64-bit integer may have would be lost in a double.
    private static let maximumDigits = 19

    static func isOne(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4 where bytes == Array("true".utf8) || bytes == Array("null".utf8): true
        case 5 where bytes == Array("false".utf8): true
        default: isNumber(bytes)
        }
    }

    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        guard let first = rest.first, isDigit(first) else { return false }
        let whole = rest.prefix(while: isDigit)
        guard first != UInt8(ascii: "0") || whole.count == 1 else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.isEmpty { return whole.count <= maximumDigits }
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty, whole.count + digits.count <= maximumDigits else {
                return false
            }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let mark = rest.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        rest.removeFirst()
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
            rest.removeFirst()
        }
        guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return false }
        return Double(String(decoding: bytes, as: UTF8.self))?.isFinite == true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
