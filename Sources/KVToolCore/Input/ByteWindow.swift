/// A part of a file: what has been read of it and is not used yet.
struct ByteWindow {
    /// As messages call the file.
    var name: String { input.name }
    /// The size of the file in bytes, 0 if it is not known, or not that of the text.
    var totalBytes: Int { decoder == nil ? input.size : 0 }
    /// Whether there is nothing behind it.
    private(set) var isAtEnd = false
    private let input: InputFile
    /// Nil for UTF-8.
    private let decoder: TextDecoder?
    /// The error that comes behind what has been decoded.
    private var failure: ToolError?
    private var buffer: [UInt8] = []
    private var start = 0

    private static let chunk = 1 << 20

    /// A window at the beginning of a file; `-` is standard input.
    ///
    /// - Parameter encoding: the encoding that becomes UTF-8; nil for a file that is UTF-8, or no
    ///   text.
    init(path: String, encoding: String? = nil) throws {
        decoder = try encoding.map { try TextDecoder($0) }
        input = try InputFile(path: path)
    }

    /// How many bytes it holds.
    var count: Int { buffer.count - start }

    /// Lends the bytes.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Makes it begin later.
    mutating func skip(_ bytes: Int) { start += bytes }

    /// Makes it longer by what comes next in the file.
    mutating func fill() throws {
        if start > 0 { buffer.removeSubrange(..<start) }
        start = 0
        let next = try decoder.map { try decoded($0) } ?? input.read(atMost: Self.chunk)
        isAtEnd = next.isEmpty
        if buffer.isEmpty { buffer = next } else { buffer.append(contentsOf: next) }
    }

    /// Makes it hold all that comes in the file.
    ///
    /// Throws for more than `maximum` bytes, rather than to take all memory.
    mutating func fillToEnd(atMost maximum: Int) throws {
        while !isAtEnd {
            try fill()
            guard count <= maximum else {
                throw ToolError("\(name) is larger than \(Text.size(maximum))")
            }
        }
    }

    /// The next text, in UTF-8; none at the end.
    ///
    /// Throws where the bytes are no text of the encoding, behind all that is.
    private mutating func decoded(_ decoder: TextDecoder) throws -> [UInt8] {
        if let failure { throw failure }
        while true {
            let bytes = try input.read(atMost: Self.chunk)
            let (text, failure) = decoder.decode(bytes)
            self.failure = failure.map { ToolError("\(name), \($0.place): \($0.message)") }
            if !text.isEmpty || bytes.isEmpty && self.failure == nil { return text }
            if let failure = self.failure { throw failure }
        }
    }
}
