/// Reads a file, or standard input, line by line, in constant memory.
package struct LineReader {
    private var window: ByteWindow
    /// The number of the last line read.
    private(set) var line = 0
    /// The number of bytes of the lines read.
    private(set) var consumed = 0
    /// The name of the file for messages.
    var name: String { window.name }
    /// The size of the file in bytes, 0 if unknown.
    var totalBytes: Int { window.totalBytes }

    /// The maximum length of a line, which exceeds the size of documents that replication
    /// transfers.
    static let maximumLine = 64 << 20

    /// Opens `path`; `-` is standard input.
    ///
    /// - Parameter encoding: the encoding to convert to UTF-8; nil for UTF-8.
    package init(path: String, encoding: String? = nil) throws {
        window = try ByteWindow(path: path, encoding: encoding)
    }

    /// Starts at the position of a window.
    init(_ window: ByteWindow) { self.window = window }

    /// Passes the next line, without its line ending, to `body`; returns nil at the end of the
    /// file.
    package mutating func next<T>(_ body: (UnsafeRawBufferPointer) throws -> T) throws -> T? {
        var searched = 0
        while true {
            let length = window.withBytes {
                System.firstIndex(of: 0x0A, in: $0, from: searched)
            }
            if let length { return try deliver(length, end: 1, body) }
            guard !window.isAtEnd else { break }
            searched = window.count
            guard searched <= Self.maximumLine else {
                let location = TextLocation(line: line + 1, column: 1)
                throw ToolError(
                    "\(name), \(location): the line is longer than \(Text.size(Self.maximumLine))")
            }
            try window.fill()
        }
        return window.count > 0 ? try deliver(window.count, end: 0, body) : nil
    }

    private mutating func deliver<T>(
        _ length: Int, end: Int, _ body: (UnsafeRawBufferPointer) throws -> T
    ) throws -> T {
        line += 1
        consumed += length + end
        defer { window.skip(length + end) }
        let isFirst = line == 1
        return try window.withBytes {
            let text = UnsafeRawBufferPointer(rebasing: $0.prefix(length))
            // A UTF-8 byte order mark has no meaning and is not part of the JSON.
            guard isFirst, ByteOrderMark.begins(text) else { return try body(text) }
            return try body(UnsafeRawBufferPointer(rebasing: text[ByteOrderMark.length...]))
        }
    }
}

/// The UTF-8 byte order mark, which some editors write at the beginning of a file.
enum ByteOrderMark {
    static let length = 3

    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= length && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }
}
