internal import DocumentStore

/// A part of a dump, without its meaning.
enum DumpPart {
    /// A line, without its end.
    case line([UInt8])
    /// A blob of an archive, whose bytes follow.
    case blob(BlobDigest, bytes: Int)
}

/// Reads a dump in either form, which it detects from the first bytes; see `DumpFormat`.
struct DumpReader {
    private var lines: LineReader?
    private var archive: TarReader?
    /// The file of the archive that contains the line.
    private var piece: String?
    /// The number of lines before that file.
    private var linesBefore = 0
    /// The number of the last line read.
    private(set) var line = 0
    /// The name of the file for messages.
    let name: String
    /// The size of the file in bytes, 0 if unknown.
    let totalBytes: Int

    /// Opens `path`; `-` is standard input.
    init(path: String) throws {
        var window = try ByteWindow(path: path)
        (name, totalBytes) = (window.name, window.totalBytes)
        if try TarReader.begins(&window) {
            archive = TarReader(window)
        } else {
            lines = LineReader(window)
        }
    }

    /// Whether the input starts like a dump: with its first line, or its first file.
    static func begins(_ window: inout ByteWindow) throws -> Bool {
        let starts = [DumpFormat.start, Array(DumpFormat.directory.utf8)]
        while true {
            try window.fill()
            if window.withBytes({ bytes in starts.contains { bytes.starts(with: $0) } }) {
                return true
            }
            // Reads no more than is needed to decide.
            let mayFollow = window.withBytes { bytes in
                starts.contains { bytes.count < $0.count && $0.starts(with: bytes) }
            }
            guard mayFollow, !window.isAtEnd else { return false }
        }
    }

    /// The number of bytes read.
    var consumed: Int { lines?.consumed ?? archive?.consumed ?? 0 }

    /// The location of one of the last lines read.
    func location(_ line: Int) -> String {
        guard let piece, line > linesBefore else { return "\(name), line \(line)" }
        return "\(name), \(Text.line(piece)), line \(line - linesBefore)"
    }

    /// Returns the next part; nil at the end.
    ///
    /// - Throws: `DumpFailure` if the input ends inside a part.
    mutating func next() throws -> DumpPart? {
        lines == nil ? try nextOfArchive() : try nextLine()
    }

    /// Returns the next bytes of the current blob; empty at its end.
    mutating func part(atMost maximum: Int) throws -> [UInt8] {
        try archive?.part(atMost: maximum) ?? []
    }

    private mutating func nextLine() throws -> DumpPart? {
        let before = consumed
        guard let text = try lines?.next({ [UInt8]($0) }) else { return nil }
        return try part(text, isEnded: consumed - before > text.count)
    }

    private mutating func nextOfArchive() throws -> DumpPart? {
        while true {
            if piece != nil, let (text, isEnded) = try archive?.line() {
                return try part(text, isEnded: isEnded)
            }
            guard let file = try archive?.next() else { return nil }
            let last = file.name.split(separator: "/").last.map(String.init) ?? ""
            piece = nil
            if let digest = BlobDigest(fileName: last) { return .blob(digest, bytes: file.size) }
            // Apple's tar adds files with this prefix for extended attributes.
            guard last.hasSuffix(DumpFormat.linesSuffix), !last.hasPrefix("._") else { continue }
            (piece, linesBefore) = (last, line)
        }
    }

    /// Returns a line. The last line may lack its line ending, which some editors remove.
    private mutating func part(_ text: [UInt8], isEnded: Bool) throws -> DumpPart {
        guard isEnded || text.starts(with: DumpPrefix.end) else { throw DumpFailure.cutOff }
        line += 1
        return .line(text)
    }
}
