internal import DocumentStore

/// Where the lines of a dump go, which get their checksums here; see `DumpFormat`.
struct DumpTarget: ~Copyable {
    /// The lines that are not written yet, and the one that is being made.
    var text = JSONText()
    private let output: ByteOutput
    private let archive: TarWriter?
    private var pieces = 0
    private var lines = 0
    private var checksum = CRC32()
    /// The bytes of `text` that are in the checksum.
    private var summed = 0
    /// Lines without a check behind them.
    private var openLines = 0

    init(_ output: ByteOutput, asArchive: Bool) {
        self.output = output
        archive = asArchive ? TarWriter(output) : nil
    }

    /// Whether blobs are files of their own.
    var isArchive: Bool { archive != nil }

    /// A line was added to `text`, with its end.
    ///
    /// - Parameter mayCheck: whether a line with a checksum may follow.
    mutating func endLine(mayCheck: Bool = true) throws {
        lines += 1
        openLines += 1
        let isLong =
            openLines >= DumpFormat.checkLines
            || text.utf8.count - summed >= DumpFormat.checkBytes
        if mayCheck, isLong { return try check() }
        if !isArchive, text.utf8.count >= DumpFormat.lineBytes { try flush() }
    }

    /// Writes the checksum of all lines so far.
    mutating func check() throws {
        guard openLines > 0 else { return }
        sum()
        text.utf8 += DumpFormat.check(checksum.text)
        text.append("\n")
        lines += 1
        openLines = 0
        let limit = isArchive ? DumpFormat.archiveBytes : DumpFormat.lineBytes
        if text.utf8.count >= limit { try flush() }
    }

    /// Writes the last line.
    mutating func finish(blobs: Int) throws {
        try check()
        if isArchive { try flush() }
        sum()
        text.utf8 += DumpFormat.end(lines: lines, blobs: blobs, checksum.text)
        text.append("\n")
        try flush(as: DumpFormat.endName)
        try archive?.finish()
        try output.finish()
    }

    /// Begins a file of the archive.
    mutating func beginFile(_ name: String, size: Int) throws {
        try flush()
        try archive?.begin(name, size: size)
    }

    /// Adds bytes of the file.
    func writeFile(_ bytes: [UInt8]) throws { try archive?.write(bytes) }

    /// Ends the file.
    func endFile(size: Int) throws { try archive?.end(size: size) }

    private mutating func sum() {
        text.utf8.withUnsafeBytes {
            checksum.add(UnsafeRawBufferPointer(rebasing: $0[summed...]))
        }
        summed = text.utf8.count
    }

    private mutating func flush(as name: String? = nil) throws {
        guard !text.utf8.isEmpty else { return }
        sum()
        if let archive {
            pieces += 1
            try archive.add(name ?? Self.name(pieces), text.utf8)
        } else {
            try output.write(text.utf8)
        }
        text.utf8.removeAll(keepingCapacity: true)
        summed = 0
    }

    private static func name(_ piece: Int) -> String {
        let digits = String(piece)
        let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
        return DumpFormat.folder + zeros + digits + DumpFormat.linesSuffix
    }
}
