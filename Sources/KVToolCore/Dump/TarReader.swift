/// Reads an archive from its beginning to its end, also where it is a pipe; see `TarHeader`.
///
/// Of what it holds no more than a line or a part that is asked for is in memory.
struct TarReader {
    private var window: ByteWindow
    /// As messages call it.
    var name: String { window.name }
    /// The size in bytes, 0 if it is not known.
    var totalBytes: Int { window.totalBytes }
    /// Bytes that have come.
    private(set) var consumed = 0
    /// Bytes of the file that have not come.
    private(set) var left = 0
    private var padding = 0

    /// The most bytes of properties that are looked at.
    private static let maximumProperties = 1 << 16

    /// Begins where a window is.
    init(_ window: ByteWindow) { self.window = window }

    /// Whether an archive begins at a window, which then holds its beginning.
    static func begins(_ window: inout ByteWindow) throws -> Bool {
        while window.count < TarHeader.block, !window.isAtEnd {
            try window.fill()
            // Text is none, and may not have more to come yet.
            if window.withBytes({ $0.first }) == UInt8(ascii: "{") { return false }
        }
        return window.withBytes { block(of: $0).flatMap { TarHeader($0) } } != nil
    }

    /// The next file, behind what is left of the one before; nil at the end of the archive.
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

    /// The next line of the file, and whether it has an end; nil behind the last one.
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

    /// The next bytes of the file, some of those that are left; none at its end.
    mutating func part(atMost maximum: Int) throws -> [UInt8] {
        guard left > 0 else { return [] }
        if window.count == 0 { try fill() }
        return take(min(left, window.count, maximum))
    }

    /// The size that properties say the next file has; nil if they say none.
    private mutating func sizeProperty() throws -> Int? {
        guard left <= Self.maximumProperties else { return nil }
        var bytes: [UInt8] = []
        while left > 0 { bytes += try part(atMost: left) }
        // Each is `25 path=…` and the end of a line, the number being that of its own bytes.
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
                throw DumpFailure(message: "a size in the archive is none")
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
                    message: "at byte \(consumed - TarHeader.block) no file of the archive begins")
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
