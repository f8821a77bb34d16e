internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool dump DATABASE [FILE]`
struct DumpCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes a complete database as text, from which load restores it.",
        discussion: """
            Examples:
              kvtool dump people.cblite2 people.dump
              kvtool dump people.cblite2 people.tar
              kvtool dump people.cblite2 | gzip > people.dump.gz

            The dump consists of lines of JSON: every row of every key store with its revisions, \
            sequence, flags and expiration, and UUIDs, shared keys, indexes and blobs, with \
            checksums. A name FILE.tar, or --format tar, creates an archive of pieces of these \
            lines and of the blobs as files. The file appears when it is complete. --json, --csv \
            and --tsv set the format of the report on FILE, not of the dump.
            """)

    /// The format of a dump.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case ndjson, tar
    }

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The file to write (default: standard output).", completion: .file())
    var file: String?
    @Option(
        help: ArgumentHelp(
            "Format of the dump: ndjson or tar (default: by the file's name).",
            valueName: "format"))
    var format: Form?
    @Flag(help: "Omit the blobs.") var withoutBlobs = false
    @Flag(help: "Overwrite an existing file.") var force = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard file == nil || file == "-", let given = output.given, given != .ndjson else { return }
        throw ValidationError(
            "a dump is lines of JSON; name a FILE to get a report with --\(given.rawValue)")
    }

    func run() async throws {
        let began = System.nanoseconds
        let form = format ?? (file?.hasSuffix(".tar") == true ? .tar : .ndjson)
        let isStandardOutput = file == nil || file == "-"
        if form == .tar, isStandardOutput, System.isTerminal(StandardOutput.current.descriptor) {
            throw ToolError("an archive is not written to a terminal; name a file", status: .usage)
        }
        let (rows, blobs, damaged) = try await database.read { source, snapshot in
            let target = DumpTarget(
                try ByteOutput(path: file, replaces: force), asArchive: form == .tar)
            var writer = try DumpWriter(target, sharedKeys: snapshot.requireSharedKeys())
            try writer.write(source, snapshot, withBlobs: !withoutBlobs)
            return (writer.rows, writer.blobs, writer.damagedBlobs)
        }
        // Standard output may contain the dump.
        if let file, !isStandardOutput {
            try report(file, rows, blobs, System.nanoseconds - began)
        }
        for blob in damaged {
            StandardError.current.writeAboutSubject(
                "note: the blob \(blob) is damaged and was left out")
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
