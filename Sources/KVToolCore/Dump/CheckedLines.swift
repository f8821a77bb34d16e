package import DocumentStore

/// The parts of a dump. A part is valid only once the checksum that follows it is verified.
package struct CheckedLines {
    /// A part, or a verified checksum of all parts before it.
    enum Part {
        case line([UInt8])
        case blob(BlobDigest, bytes: Int)
        case check
        case end
    }

    private var reader: DumpReader
    private var checksum = CRC32()
    private var blobs = 0
    /// The last line that a checksum has verified.
    private(set) var checkedLine = 0

    init(_ reader: DumpReader) { self.reader = reader }

    /// The name of the file for messages.
    var name: String { reader.name }
    /// The size of the file in bytes, 0 if unknown.
    var totalBytes: Int { reader.totalBytes }
    /// The number of bytes read.
    var consumed: Int { reader.consumed }
    /// The number of the last line read.
    package var line: Int { reader.line }
    /// The checksum of all lines read.
    package var sum: String { checksum.text }
    /// The location of the last line.
    var location: String { reader.location(reader.line) }

    /// Returns the next part; nil if the dump is truncated.
    mutating func next() throws -> Part? {
        switch try reader.next() {
        case .line(let text): return try part(text)
        case .blob(let digest, let bytes):
            blobs += 1
            return .blob(digest, bytes: bytes)
        case nil: return nil
        }
    }

    /// Returns the next bytes of the current blob; empty at its end.
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
            throw DumpFailure(message: "it continues after its end in line \(last)")
        }
    }

    private func damage() -> DumpFailure {
        let before = line - checkedLine - 1
        let location =
            switch before {
            case 0: "this line"
            case 1: "this line or the line before it"
            default: "this line or one of the \(before) lines before it"
            }
        return DumpFailure(message: "\(location) is damaged: the checksum does not match")
    }
}

/// The beginning of a dump: the properties that the database must have before anything is loaded.
package struct LoadBeginning {
    package let versioning: Versioning
    /// The lines after the checksum of the first line.
    package let lines: CheckedLines

    /// Opens a dump; `-` is standard input.
    ///
    /// - Parameter isDry: whether this is a dry run, which loads nothing.
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
                throw DumpFailure(message: "it is not the header of a dump")
            }
            self.versioning = versioning
        } catch let failure as DumpFailure {
            guard !failure.isCutOff else { throw Self.noDump(lines.name) }
            throw Self.damage(failure, lines, isDry)
        }
        do {
            // Checked before anything is created.
            try Self.requireCheck(&lines)
        } catch let failure as DumpFailure {
            throw Self.damage(failure, lines, isDry)
        }
        self.lines = lines
    }

    private static func requireCheck(_ lines: inout CheckedLines) throws {
        guard let part = try lines.next() else { throw DumpFailure.cutOff }
        guard case .check = part else {
            throw DumpFailure(message: "the checksum of the first line is expected before it")
        }
    }

    private static func damage(
        _ failure: DumpFailure, _ lines: CheckedLines, _ isDry: Bool
    ) -> ToolError {
        let what =
            failure.isCutOff
            ? "\(lines.name) is truncated after line 1" : "\(lines.location): \(failure.message)"
        return ToolError(what + (isDry ? "" : "; nothing was loaded"), status: .damaged)
    }

    private static func noDump(_ name: String) -> ToolError {
        ToolError("\(name) is not a dump; use import to read documents", status: .cannotOpen)
    }

    private static let start = Array(#"{"dump":"#.utf8)
}
