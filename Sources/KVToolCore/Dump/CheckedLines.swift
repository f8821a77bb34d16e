package import DocumentStore

/// The parts of a dump, of which none counts before a checksum behind it.
package struct CheckedLines {
    /// A part, or that all before it is as it was written.
    enum Part {
        case line([UInt8])
        case blob(BlobDigest, bytes: Int)
        case check
        case end
    }

    private var reader: DumpReader
    private var checksum = CRC32()
    private var blobs = 0
    /// The last line that is known to be as it was written.
    private(set) var checkedLine = 0

    init(_ reader: DumpReader) { self.reader = reader }

    /// As messages call the file.
    var name: String { reader.name }
    /// The size of the file in bytes, 0 if it is not known.
    var totalBytes: Int { reader.totalBytes }
    /// Bytes that have come.
    var consumed: Int { reader.consumed }
    /// The number of the line that came last.
    package var line: Int { reader.line }
    /// The checksum of all lines that came.
    package var sum: String { checksum.text }
    /// Where the last line is.
    var place: String { reader.place(reader.line) }

    /// The next part; nil if it is cut off.
    mutating func next() throws -> Part? {
        switch try reader.next() {
        case .line(let text): return try part(text)
        case .blob(let digest, let bytes):
            blobs += 1
            return .blob(digest, bytes: bytes)
        case nil: return nil
        }
    }

    /// The next bytes of the blob that came last; none at its end.
    mutating func bytes(atMost maximum: Int) throws -> [UInt8] {
        try reader.part(atMost: maximum)
    }

    private mutating func part(_ text: [UInt8]) throws -> Part {
        let before = checksum
        add(text)
        if text.starts(with: DumpPrefix.row) || text.starts(with: DumpPrefix.data) {
            return .line(text)
        }
        if text.starts(with: DumpPrefix.check) {
            guard text == DumpFormat.check(before.text) else { throw damage() }
            checkedLine = line
            return .check
        }
        if text.starts(with: DumpPrefix.end) {
            guard text == DumpFormat.end(lines: line - 1, blobs: blobs, before.text) else {
                throw damage()
            }
            try requireEnd()
            checkedLine = line
            return .end
        }
        if text.starts(with: DumpPrefix.blob) { blobs += 1 }
        return .line(text)
    }

    private mutating func add(_ text: [UInt8]) {
        text.withUnsafeBytes { checksum.add($0) }
        Self.lineEnd.withUnsafeBytes { checksum.add($0) }
    }

    private static let lineEnd: [UInt8] = [0x0A]

    private mutating func requireEnd() throws {
        let last = reader.line
        guard try reader.next() == nil else {
            throw DumpFailure(message: "it goes on behind its end in line \(last)")
        }
    }

    private func damage() -> DumpFailure {
        let before = line - checkedLine - 1
        let place =
            switch before {
            case 0: "it"
            case 1: "it or the line before it"
            default: "it or one of the \(before) lines before it"
            }
        return DumpFailure(message: "\(place) is damaged: the checksum is another one")
    }
}

/// The beginning of a dump: what the database must be before anything can be loaded.
package struct LoadBeginning {
    package let versioning: Versioning
    /// Behind the check of the first line.
    package let lines: CheckedLines

    /// Opens a dump; `-` is standard input.
    ///
    /// - Parameter isDry: whether nothing is to be loaded anyway.
    package init(path: String, isDry: Bool = false) throws {
        var lines = CheckedLines(try DumpReader(path: path))
        System.restrictNewFiles(toFile: path)
        do {
            guard case .line(let text)? = try lines.next(), text.starts(with: Self.start) else {
                throw Self.noDump(lines.name)
            }
            var encoder = FleeceEncoder()
            let line = try text.withUnsafeBytes { try DumpLine($0, &encoder) }
            guard case .header(let versioning, _) = line else {
                throw DumpFailure(message: "no dump begins so")
            }
            self.versioning = versioning
        } catch let failure as DumpFailure {
            guard !failure.isCutOff else { throw Self.noDump(lines.name) }
            throw Self.damage(failure, lines, isDry)
        }
        do {
            // Nothing is made for a line that is damaged.
            try Self.requireCheck(&lines)
        } catch let failure as DumpFailure {
            throw Self.damage(failure, lines, isDry)
        }
        self.lines = lines
    }

    private static func requireCheck(_ lines: inout CheckedLines) throws {
        guard let part = try lines.next() else { throw DumpFailure.cutOff }
        guard case .check = part else {
            throw DumpFailure(message: "a checksum of the first line is expected before it")
        }
    }

    private static func damage(
        _ failure: DumpFailure, _ lines: CheckedLines, _ isDry: Bool
    ) -> ToolError {
        let what =
            failure.isCutOff
            ? "\(lines.name) is cut off after line 1" : "\(lines.place): \(failure.message)"
        return ToolError(what + (isDry ? "" : "; nothing was loaded"), status: .damaged)
    }

    private static func noDump(_ name: String) -> ToolError {
        ToolError("\(name) is no dump; import reads documents", status: .cannotOpen)
    }

    private static let start = Array(#"{"dump":"#.utf8)
}
