package import DocumentStore

/// A document for each record of a CSV file; the header names the properties.
///
/// An unquoted empty value is omitted. An unquoted number, `true`, `false` or `null` becomes that
/// JSON value instead of a string.
struct CSVSource: DocumentSource {
    private var reader: CSVReader
    /// The JSON before each value: `"name":`
    private let keys: [JSONText]
    private let idColumn: Int?
    private let keepsStrings: Bool
    var name: String { reader.name }
    var totalBytes: Int { reader.totalBytes }
    var consumed: Int { reader.consumed }
    var hasLines: Bool { true }

    /// - Parameters:
    ///   - keepsStrings: whether all values become strings.
    ///   - isSeparatorKnown: whether the user specified the separator.
    init(_ reader: CSVReader, keepsStrings: Bool, isSeparatorKnown: Bool = true) throws {
        self.reader = reader
        self.keepsStrings = keepsStrings
        let headings = try self.reader.next() ?? []
        try Self.requireText(headings, self.reader.name)
        if !isSeparatorKnown { Self.noteOneColumn(headings, self.reader.name) }
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
            if !keepsStrings, !value.isQuoted, index != idColumn, CSVLiteral.isOne(value.bytes) {
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

// Checks of the header.
extension CSVSource {
    /// Throws for UTF-16 without a byte order mark, which is valid UTF-8, too: every other byte is
    /// zero.
    private static func requireText(_ headings: [CSVReader.Value], _ name: String) throws {
        let bytes = headings.flatMap(\.bytes)
        guard bytes.count > 1, bytes.count(where: { $0 == 0 }) * 3 > bytes.count else { return }
        throw ToolError(
            "\(name), line 1: the header contains zero bytes, like UTF-16; use --encoding utf-16le "
                + "or utf-16be")
    }

    /// Reports a header with one column that another separator would split.
    private static func noteOneColumn(_ headings: [CSVReader.Value], _ name: String) {
        guard headings.count == 1, !headings[0].isQuoted,
            let other = [";", "\t", "|", ","].first(where: { (mark: String) in
                headings[0].text.contains(mark)
            })
        else { return }
        let option = other == "\t" ? "tab" : "'\(other)'"
        let words = other == "\t" ? "tabs" : other
        StandardError.current.write(
            "note: \(name) has one column, \"\(Text.line(headings[0].text))\"; if \(words) "
                + "separate its values, use --delimiter \(option)")
    }
}

/// An unquoted CSV value that is not a string: a JSON number, `true`, `false`, or `null`.
enum CSVLiteral {
    /// The maximum number of digits. A double would lose more digits than a 64-bit integer has.
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

/// Writes a header and a CSV record for each document; values that are arrays or objects are JSON.
/// Empty strings, and strings that would be read as another type, are quoted.
package struct CSVSink: DocumentSink {
    private let output: ByteOutput
    private let columns: [String]
    private let separator: UInt8
    private var line: [UInt8] = []

    package init(output: ByteOutput, columns: [String], separator: UInt8) throws {
        self.output = output
        self.columns = columns
        self.separator = separator
        try output.write(CSV.line(columns, separator))
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        let document = try FleeceDocument(json: json.string)
        let properties = document.root.dictionary
        line.removeAll(keepingCapacity: true)
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(separator) }
            if let value = properties?[column] { try append(value) }
        }
        line.append(0x0A)
        try output.write(line)
    }

    package mutating func finish() throws { try output.finish() }

    private mutating func append(_ value: FleeceValue) throws {
        switch value.kind {
        case .string: append(text: value.string ?? "", isText: true)
        case .undefined: break
        default: append(text: try value.json(), isText: false)
        }
    }

    private mutating func append(text: String, isText: Bool) {
        let bytes = Array(text.utf8)
        let isSpecial = bytes.contains {
            $0 == separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D
        }
        let isMistakable = isText && (bytes.isEmpty || CSVLiteral.isOne(bytes))
        guard isSpecial || isMistakable else {
            line += bytes
            return
        }
        line.append(0x22)
        for byte in bytes {
            if byte == 0x22 { line.append(byte) }
            line.append(byte)
        }
        line.append(0x22)
    }
}
