internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool dump DATABASE [FILE]`
struct DumpCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes all that a database holds as text, which load makes the same one of.",
        discussion: """
            Examples:
              kvtool dump people.cblite2 people.dump
              kvtool dump people.cblite2 people.tar
              kvtool dump people.cblite2 | gzip > people.dump.gz

            The text is lines of JSON: every row of every store with its revisions, sequence, \
            flags and expiration, UUIDs, shared keys, indexes and blobs, with checksums. The name \
            FILE.tar, or --format tar, makes an archive of pieces of these lines, and of the blobs \
            as files. The file appears when it is whole. --json, --csv and --tsv are for what is \
            said of a FILE; the dump itself has no other form.
            """)

    /// How a dump is written.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case ndjson, tar
    }

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The file; standard output if none is named.", completion: .file())
    var file: String?
    @Option(
        help: ArgumentHelp(
            "How it is written: ndjson, or tar; else as the file's name says.",
            valueName: "format"))
    var format: Form?
    @Flag(help: "Leave out the blobs.") var withoutBlobs = false
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard file == nil || file == "-", let given = output.given, given != .ndjson else { return }
        throw ValidationError(
            "the dump itself is lines of JSON; name a FILE, and --\(given.rawValue) tells of it")
    }

    func run() async throws {
        let began = System.nanoseconds
        let form = format ?? (file?.hasSuffix(".tar") == true ? .tar : .ndjson)
        let isStandardOutput = file == nil || file == "-"
        if form == .tar, isStandardOutput, System.isTerminal(StandardOutput.current.descriptor) {
            throw ToolError("an archive is not text; name a file for it", status: .usage)
        }
        let (rows, blobs, damaged) = try await database.read { source, snapshot in
            let target = DumpTarget(
                try ByteOutput(path: file, replaces: force), asArchive: form == .tar)
            var writer = try DumpWriter(target, sharedKeys: snapshot.requireSharedKeys())
            try writer.write(source, snapshot, withBlobs: !withoutBlobs)
            return (writer.rows, writer.blobs, writer.damagedBlobs)
        }
        // Standard output may have the dump.
        if let file, !isStandardOutput {
            try report(file, rows, blobs, System.nanoseconds - began)
        }
        for blob in damaged {
            StandardError.current.writeAboutSubject(
                "note: the blob \(blob) is damaged, and left out")
        }
        if !damaged.isEmpty { throw ReportedFailure(status: .partial) }
    }

    private func report(_ file: String, _ rows: Int, _ blobs: Int, _ nanoseconds: UInt64) throws {
        let text =
            "Dumped \(Text.count(rows, "row")) and \(Text.count(blobs, "blob")) "
            + "to \(Text.line(file))"
        try DumpReport(
            schema: "dump", database: database.path, file: file, rowCount: rows,
            blobCount: blobs, seconds: Double(nanoseconds) / 1e9, text: text
        ).write(output)
    }
}
