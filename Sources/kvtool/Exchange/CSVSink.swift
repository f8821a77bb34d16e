internal import DocumentStore

/// A record of values for each document, headings first; values that are arrays or objects are
/// JSON. A text that would be read as something else stands in quotes, and so does an empty one.
struct CSVSink: DocumentSink {
    private let output: ByteOutput
    private let columns: [String]
    private let separator: UInt8
    private var line: [UInt8] = []

    init(output: ByteOutput, columns: [String], separator: UInt8) throws {
        self.output = output
        self.columns = columns
        self.separator = separator
        try output.write(CSV.line(columns, separator))
    }

    mutating func write(_ json: borrowing JSONText, id: String) throws {
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

    mutating func finish() throws { try output.finish() }

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
