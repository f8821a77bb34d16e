internal import DocumentStore

/// The output of a dump, which adds the checksums; see `DumpFormat`.
package struct DumpTarget: ~Copyable {
    /// The lines that are not written yet, including the current one.
    var text = JSONText()
    private let output: ByteOutput
    private let archive: TarWriter?
    private var pieces = 0
    private var lines = 0
    private var checksum = CRC32()
    /// The number of bytes of `text` that the checksum includes.
    private var summed = 0
    /// The number of lines since the last checksum.
    private var openLines = 0

    package init(_ output: ByteOutput, asArchive: Bool) {
        self.output = output
        archive = asArchive ? TarWriter(output) : nil
    }

    /// Whether the output is an archive, with blobs as files.
    var isArchive: Bool { archive != nil }

    /// Ends a line that was added to `text`, including its line ending.
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

    /// Starts a file of the archive.
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
        return DumpFormat.directory + zeros + digits + DumpFormat.linesSuffix
    }
}

/// Writes an archive; see `TarHeader`.
struct TarWriter {
    private let output: ByteOutput

    init(_ output: ByteOutput) { self.output = output }

    /// Adds a file with these bytes.
    func add(_ name: String, _ bytes: [UInt8]) throws {
        try begin(name, size: bytes.count)
        try output.write(bytes)
        try end(size: bytes.count)
    }

    /// Starts a file, whose bytes follow.
    func begin(_ name: String, size: Int) throws {
        try output.write(TarHeader(file: name, size: size).bytes)
    }

    /// Adds bytes of the file.
    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    /// Ends the file.
    func end(size: Int) throws {
        try output.write([UInt8](repeating: 0, count: TarHeader.padding(size)))
    }

    /// Ends the archive.
    func finish() throws {
        try output.write([UInt8](repeating: 0, count: 2 * TarHeader.block))
    }
}

/// The result of `dump` or `load`.
package struct DumpReport: OneReport {
    /// The name of the command.
    package let schema: String
    package let database: String
    /// The file of the dump.
    package let file: String
    package let rowCount: Int
    package let blobCount: Int
    package let seconds: Double
    /// Whether this is a dry run, for a load.
    package var isDry: Bool?
    /// The line after which an interrupted load was resumed, 0 for none; for a load.
    package var resumedAfterLine: Int?
    /// The indexes that could not be created, for a load.
    package var leftOut: [String]?
    /// The console output.
    package let text: String

    package let columns = [
        Column("database", "Database"), Column("file", "File"),
        Column("rows", "Rows", isNumber: true), Column("blobs", "Blobs", isNumber: true),
        Column("seconds", "Seconds", isNumber: true),
    ]

    package init(
        schema: String, database: String, file: String, rowCount: Int, blobCount: Int,
        seconds: Double, isDry: Bool? = nil, resumedAfterLine: Int? = nil, leftOut: [String]? = nil,
        text: String
    ) {
        self.schema = schema
        self.database = database
        self.file = file
        self.rowCount = rowCount
        self.blobCount = blobCount
        self.seconds = seconds
        self.isDry = isDry
        self.resumedAfterLine = resumedAfterLine
        self.leftOut = leftOut
        self.text = text
    }

    package var rows: [[Cell]] {
        [
            [
                .text(database), .text(file), .number(rowCount), .number(blobCount),
                .decimal((seconds * 1000).rounded() / 1000),
            ]
        ]
    }

    package var properties: JSONObject {
        var object = JSONObject()
        for (column, cell) in zip(columns, rows[0]) { cell.add(to: &object, as: column.field) }
        object.add("dryRun", isDry)
        object.add("resumedAfterLine", resumedAfterLine)
        if let leftOut { object.add("leftOut", leftOut) }
        return object
    }

    package func writeText() throws { try StandardOutput.current.write(text + "\n") }
}
