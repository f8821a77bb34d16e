internal import DocumentStore

/// A part of a dump as it is read.
enum DumpPart {
    /// A line, without its end.
    case line([UInt8])
    /// A blob of an archive, whose bytes come next.
    case blob(BlobDigest, bytes: Int)
}

/// Reads a dump in either form, which it knows from its first bytes; see `DumpFormat`.
struct DumpReader {
    private var lines: LineReader?
    private var archive: TarReader?
    /// The file of the archive that the line is in.
    private var piece: String?
    /// The last line before that file.
    private var linesBefore = 0
    /// The number of the line that came last.
    private(set) var line = 0
    /// As messages call the file.
    let name: String
    /// The size of the file in bytes, 0 if it is not known.
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

    /// Whether what comes first is the beginning of a dump: its first line, or its first file.
    static func begins(_ window: inout ByteWindow) throws -> Bool {
        let starts = [DumpFormat.start, Array(DumpFormat.directory.utf8)]
        while true {
            try window.fill()
            if window.withBytes({ bytes in starts.contains { bytes.starts(with: $0) } }) {
                return true
            }
            // No more is waited for than what tells.
            let mayFollow = window.withBytes { bytes in
                starts.contains { bytes.count < $0.count && $0.starts(with: bytes) }
            }
            guard mayFollow, !window.isAtEnd else { return false }
        }
    }

    /// Bytes that have come.
    var consumed: Int { lines?.consumed ?? archive?.consumed ?? 0 }

    /// Where a line is, of those that came last.
    func place(_ line: Int) -> String {
        guard let piece, line > linesBefore else { return "\(name), line \(line)" }
        return "\(name), \(Text.line(piece)), line \(line - linesBefore)"
    }

    /// The next part; nil at the end.
    ///
    /// Throws `DumpFailure` where it ends in the middle of something.
    mutating func next() throws -> DumpPart? {
        lines == nil ? try nextOfArchive() : try nextLine()
    }

    /// The next bytes of the blob that came last; none at its end.
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
            // What Apple's tar adds for a file begins with these.
            guard last.hasSuffix(DumpFormat.linesSuffix), !last.hasPrefix("._") else { continue }
            (piece, linesBefore) = (last, line)
        }
    }

    /// An editor may have taken the end of the last line.
    private mutating func part(_ text: [UInt8], isEnded: Bool) throws -> DumpPart {
        guard isEnded || text.starts(with: DumpPrefix.end) else { throw DumpFailure.cutOff }
        line += 1
        return .line(text)
    }
}
