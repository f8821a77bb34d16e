/// A part of a file: what has been read of it and is not used yet.
struct ByteWindow {
    /// As messages call the file.
    var name: String { input.name }
    /// The size of the file in bytes, 0 if it is not known.
    var totalBytes: Int { input.size }
    /// Whether there is nothing behind it.
    private(set) var isAtEnd = false
    private let input: InputFile
    private var buffer: [UInt8] = []
    private var start = 0

    private static let chunk = 1 << 20

    /// A window at the beginning of a file; `-` is standard input.
    init(path: String) throws { input = try InputFile(path: path) }

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
        let next = try input.read(atMost: Self.chunk)
        isAtEnd = next.isEmpty
        if buffer.isEmpty { buffer = next } else { buffer.append(contentsOf: next) }
    }
}
