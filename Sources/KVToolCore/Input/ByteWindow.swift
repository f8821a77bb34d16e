/// A buffer over a file: the bytes that have been read but not consumed.
struct ByteWindow {
    /// The name of the file for messages.
    var name: String { input.name }
    /// The size of the file in bytes, 0 if it is unknown or differs from the size of the decoded
    /// text.
    var totalBytes: Int { decoder == nil ? input.size : 0 }
    /// Whether the end of the file is reached.
    private(set) var isAtEnd = false
    private let input: InputFile
    /// Nil for UTF-8.
    private let decoder: TextDecoder?
    /// The error that follows the decoded text.
    private var failure: ToolError?
    private var buffer: [UInt8] = []
    private var start = 0

    private static let chunk = 1 << 20

    /// Creates a window at the beginning of a file; `-` is standard input.
    ///
    /// - Parameter encoding: the encoding to convert to UTF-8; nil for UTF-8 or binary files.
    init(path: String, encoding: String? = nil) throws {
        decoder = try encoding.map { try TextDecoder($0) }
        input = try InputFile(path: path)
    }

    /// The number of buffered bytes.
    var count: Int { buffer.count - start }

    /// Calls `body` with the buffered bytes.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Consumes bytes.
    mutating func skip(_ bytes: Int) { start += bytes }

    /// Reads more bytes from the file.
    mutating func fill() throws {
        if start > 0 { buffer.removeSubrange(..<start) }
        start = 0
        let next = try decoder.map { try decoded($0) } ?? input.read(atMost: Self.chunk)
        isAtEnd = next.isEmpty
        if buffer.isEmpty { buffer = next } else { buffer.append(contentsOf: next) }
    }

    /// Reads the rest of the file.
    ///
    /// - Throws: an error if that is more than `maximum` bytes.
    mutating func fillToEnd(atMost maximum: Int) throws {
        while !isAtEnd {
            try fill()
            guard count <= maximum else {
                throw ToolError("\(name) is larger than \(Text.size(maximum))")
            }
        }
    }

    /// Returns the next text in UTF-8; empty at the end.
    ///
    /// - Throws: an error for invalid bytes, after returning the text before them.
    private mutating func decoded(_ decoder: TextDecoder) throws -> [UInt8] {
        if let failure { throw failure }
        while true {
            let bytes = try input.read(atMost: Self.chunk)
            let (text, failure) = decoder.decode(bytes)
            self.failure = failure.map { ToolError("\(name), \($0.location): \($0.message)") }
            if !text.isEmpty || bytes.isEmpty && self.failure == nil { return text }
            if let failure = self.failure { throw failure }
        }
    }
}
