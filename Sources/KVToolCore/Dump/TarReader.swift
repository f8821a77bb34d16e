/// Reads an archive sequentially, also from a pipe; see `TarHeader`.
///
/// Holds at most one line, or one requested part, in memory.
struct TarReader {
    private var window: ByteWindow
    /// The name of the archive for messages.
    var name: String { window.name }
    /// The size in bytes, 0 if unknown.
    var totalBytes: Int { window.totalBytes }
    /// The number of bytes read.
    private(set) var consumed = 0
    /// The number of bytes of the file that are not read yet.
    private(set) var left = 0
    private var padding = 0

    /// The maximum size of properties that are parsed.
    private static let maximumProperties = 1 << 16

    /// Starts at the position of a window.
    init(_ window: ByteWindow) { self.window = window }

    /// Whether the window is at the start of an archive. The window then contains the first block.
    static func begins(_ window: inout ByteWindow) throws -> Bool {
        while window.count < TarHeader.block, !window.isAtEnd {
            try window.fill()
            // Text is not an archive, and more of it may not be available yet.
            if window.withBytes({ $0.first }) == UInt8(ascii: "{") { return false }
        }
        return window.withBytes { block(of: $0).flatMap { TarHeader($0) } } != nil
    }

    /// Skips the rest of the file and returns the next one; nil at the end of the archive.
    mutating func next() throws -> TarHeader? {
        var size: Int?
        while true {
            try skip(left + padding)
            (left, padding) = (0, 0)
            guard let header = try header() else { return nil }
            left = size ?? header.size
            padding = TarHeader.padding(left)
            size = nil
            if header.type == UInt8(ascii: "x") { size = try sizeProperty() }
            guard header.isFile else { continue }
            var file = header
            file.size = left
            return file
        }
    }

    /// Returns the next line of the file, and whether it has a line ending; nil after the last
    /// line.
    mutating func line() throws -> (text: [UInt8], isEnded: Bool)? {
        guard left > 0 else { return nil }
        var searched = 0
        while true {
            let count = min(left, window.count)
            let end = window.withBytes {
                System.firstIndex(
                    of: 0x0A, in: UnsafeRawBufferPointer(rebasing: $0.prefix(count)),
                    from: searched)
            }
            if let end { return (Array(take(end + 1).dropLast()), true) }
            guard count < left else { return (take(count), false) }
            searched = count
            guard searched <= LineReader.maximumLine else {
                let limit = Text.size(LineReader.maximumLine)
                throw DumpFailure(message: "the line is longer than \(limit)")
            }
            try fill()
        }
    }

    /// Returns some of the next bytes of the file; empty at its end.
    mutating func part(atMost maximum: Int) throws -> [UInt8] {
        guard left > 0 else { return [] }
        if window.count == 0 { try fill() }
        return take(min(left, window.count, maximum))
    }

    /// Parses the properties and returns the size of the next file; nil if they do not contain it.
    private mutating func sizeProperty() throws -> Int? {
        guard left <= Self.maximumProperties else { return nil }
        var bytes: [UInt8] = []
        while left > 0 { bytes += try part(atMost: left) }
        // Each property is `25 path=…` and a line ending; the number is the length of all that.
        var rest = bytes[...]
        while let space = rest.firstIndex(of: 0x20),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
            length > space + 1 - rest.startIndex, length <= rest.count
        {
            let property = rest[(space + 1)..<(rest.startIndex + length)].dropLast()
            rest = rest.dropFirst(length)
            guard property.starts(with: "size=".utf8) else { continue }
            let number = Int(String(decoding: property.dropFirst(5), as: UTF8.self))
            guard let number, (0...Int.max / 2).contains(number) else {
                throw DumpFailure(message: "invalid file size in the archive")
            }
            return number
        }
        return nil
    }

    private mutating func header() throws -> TarHeader? {
        while window.count < TarHeader.block {
            try window.fill()
            guard !window.isAtEnd else {
                guard window.count == 0 else { throw DumpFailure.cutOff }
                return nil
            }
        }
        consumed += TarHeader.block
        defer { window.skip(TarHeader.block) }
        return try window.withBytes { bytes in
            guard let block = Self.block(of: bytes) else { return nil }
            if let header = TarHeader(block) { return header }
            guard block.allSatisfy({ $0 == 0 }) else {
                throw DumpFailure(
                    message: "invalid file header at offset \(consumed - TarHeader.block)")
            }
            return nil
        }
    }

    private static func block(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard bytes.count >= TarHeader.block else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes.prefix(TarHeader.block))
    }

    private mutating func skip(_ bytes: Int) throws {
        var rest = bytes
        while rest > 0 {
            if window.count == 0 { try fill() }
            let count = min(rest, window.count)
            window.skip(count)
            consumed += count
            rest -= count
        }
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer {
            window.skip(count)
            consumed += count
            left -= count
        }
        return window.withBytes { [UInt8]($0.prefix(count)) }
    }

    private mutating func fill() throws {
        try window.fill()
        if window.isAtEnd { throw DumpFailure.cutOff }
    }
}
