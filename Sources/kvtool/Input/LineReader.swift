internal import Foundation

/// Reads a file, or standard input, line by line, in little memory.
struct LineReader {
    private let handle: FileHandle
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the line that came last.
    private(set) var line = 0
    /// Bytes of the lines that have come.
    private(set) var consumed = 0
    /// The size of the file in bytes, 0 if it is not known.
    let totalBytes: Int

    /// The longest line; a document of this size is beyond what replication carries.
    static let maximumLine = 64 << 20
    private static let chunk = 1 << 20

    /// Opens `path`; `-` is standard input.
    init(path: String) throws {
        name = path == "-" ? "standard input" : path
        var isFolder: ObjCBool = false
        if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        {
            throw ToolError("\(path) is a folder; give a file with one JSON document a line")
        }
        guard let handle = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path) else {
            throw FileManager.default.fileExists(atPath: path)
                ? ToolError("no permission to read \(path)")
                : ToolError("\(path) does not exist", status: .notFound)
        }
        self.handle = handle
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        totalBytes = path == "-" ? 0 : size ?? 0
    }

    /// Hands the next line, without its end, to `body`; nil at the end of the file.
    mutating func next<T>(_ body: (UnsafeRawBufferPointer) throws -> T) throws -> T? {
        var searched = 0
        while true {
            if let length = lineLength(from: searched) {
                let range = start..<(start + length)
                start += length + 1
                return try deliver(range, end: 1, body)
            }
            guard !isAtEnd else { break }
            searched = buffer.count - start
            guard searched <= Self.maximumLine else {
                let place = TextPlace(line: line + 1, column: 1)
                throw ToolError(
                    "\(name), \(place): the line is longer than \(Text.size(Self.maximumLine))")
            }
            try fill()
        }
        guard start < buffer.count else { return nil }
        let range = start..<buffer.count
        start = buffer.count
        return try deliver(range, end: 0, body)
    }

    private mutating func deliver<T>(
        _ range: Range<Int>, end: Int, _ body: (UnsafeRawBufferPointer) throws -> T
    ) throws -> T {
        line += 1
        consumed += range.count + end
        // A byte order mark says nothing about UTF-8 and is no part of the JSON.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let skipped = line == 1 && buffer[range].starts(with: mark) ? mark.count : 0
        return try buffer.withUnsafeBytes {
            try body(UnsafeRawBufferPointer(rebasing: $0[range.dropFirst(skipped)]))
        }
    }

    private func lineLength(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { bytes -> Int? in
            let count = bytes.count - start - offset
            guard count > 0, let base = bytes.baseAddress else { return nil }
            let first = base + start + offset
            return memchr(first, 0x0A, count).map { UnsafeRawPointer($0) - (base + start) }
        }
    }

    private mutating func fill() throws {
        buffer.removeSubrange(..<start)
        start = 0
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, used in
            repeat {
                count = read(handle.fileDescriptor, bytes.baseAddress, Self.chunk)
            } while count < 0 && errno == EINTR
            used = max(count, 0)
        }
        guard count >= 0 else {
            throw ToolError("\(name) cannot be read: \(String(cString: strerror(errno)))")
        }
        buffer.append(contentsOf: chunk)
        isAtEnd = count == 0
    }
}
