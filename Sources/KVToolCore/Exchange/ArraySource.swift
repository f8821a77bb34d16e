/// Reads the elements of one JSON array, in constant memory.
struct ArraySource: DocumentSource {
    private var window: ByteWindow
    private(set) var consumed = 0
    private var line = 1
    private var column = 1
    private var hasStarted = false
    private var isEnded = false
    var name: String { window.name }
    var totalBytes: Int { window.totalBytes }
    var hasLines: Bool { false }

    init(_ window: ByteWindow) { self.window = window }

    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
        guard !isEnded else { return false }
        let isFirst = !hasStarted
        if isFirst { try begin() }
        guard var byte = try nextByte() else { throw wrong("the array has no end") }
        if byte == UInt8(ascii: "]") { return try end() }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw wrong("',' or ']' is expected") }
            advance(1)
            guard let following = try nextByte() else { throw wrong("the array has no end") }
            byte = following
        }
        let length = try elementLength()
        guard length > 0 else { throw wrong("an object is expected") }
        let document = (line, column)
        defer { advance(length) }
        try window.withBytes {
            try body(
                SourceDocument(
                    json: UnsafeRawBufferPointer(rebasing: $0.prefix(length)), line: document.0,
                    column: document.1))
        }
        return true
    }

    private mutating func begin() throws {
        hasStarted = true
        if try nextByte() == 0xEF, window.withBytes({ ByteOrderMark.begins($0) }) {
            window.skip(ByteOrderMark.length)
        }
        guard try nextByte() == UInt8(ascii: "[") else { throw wrong("'[' is expected") }
        advance(1)
    }

    private mutating func end() throws -> Bool {
        isEnded = true
        advance(1)
        guard try nextByte() == nil else { throw wrong("something follows the array") }
        return false
    }

    /// Returns the next byte that is not white space, nil at the end of the file.
    private mutating func nextByte() throws -> UInt8? {
        while true {
            let found = window.withBytes { bytes in bytes.firstIndex { !$0.isBlank } }
            if let found {
                advance(found)
                return window.withBytes { $0[0] }
            }
            advance(window.count)
            guard !window.isAtEnd else { return nil }
            try window.fill()
        }
    }

    private mutating func elementLength() throws -> Int {
        var scanner = ValueScanner()
        var searched = 0
        while true {
            if let end = window.withBytes({ scanner.end(in: $0, from: searched) }) { return end }
            searched = window.count
            // The JSON parser reports a truncated element.
            guard !window.isAtEnd else { return searched }
            guard searched <= LineReader.maximumLine else {
                throw wrong("the object is longer than \(Text.size(LineReader.maximumLine))")
            }
            try window.fill()
        }
    }

    /// Skips bytes, counting lines and columns.
    private mutating func advance(_ count: Int) {
        guard count > 0 else { return }
        window.withBytes { bytes in
            let passed = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            var start = 0
            while let end = System.firstIndex(of: 0x0A, in: passed, from: start) {
                line += 1
                column = 1
                start = end + 1
            }
            column += passed[start...].count { $0 & 0xC0 != 0x80 }
        }
        consumed += count
        window.skip(count)
    }

    private func wrong(_ message: String) -> ToolError {
        ToolError("\(name), \(TextLocation(line: line, column: column)): \(message)")
    }
}
