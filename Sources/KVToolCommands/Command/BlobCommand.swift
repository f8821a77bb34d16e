internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool blob ls DATABASE`
struct BlobListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists blobs.",
        discussion: """
            Examples:
              kvtool blob ls people.cblite2
              kvtool blob ls people.cblite2 -l --json

            -l reads all documents to find those that refer to each blob. It also lists blobs that \
            documents refer to but that do not exist.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(name: [.customShort("l"), .long], help: "Include the documents that refer to each blob.")
    var long = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let (blobs, missing) = try await arguments.read { file, snapshot in
            try BlobInventory(file, references: long ? snapshot : nil).sorted()
        }
        var rows = RowOutput(
            "blob.ls", list: "blobs", columns, output, empty: "(no blobs)")
        for blob in blobs { try rows.add(row(blob)) }
        try rows.finish()
        guard missing > 0 else { return }
        StandardError.current.writeAboutSubject(
            "\(Text.count(missing, "blob")) that documents refer to \(missing == 1 ? "is" : "are") "
                + "missing", status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    private var columns: [Column] {
        let plain = [
            Column("digest", "Blob", isKey: true), Column("bytes", "Size", isNumber: true),
        ]
        guard long else { return plain }
        return plain + [
            Column("contentType", "Type"), Column("references", "Documents"),
        ]
    }

    private func row(_ blob: BlobInventory.Entry) -> [Cell] {
        let size = blob.bytes.map(Cell.bytes) ?? .both("missing", program: .none)
        let plain: [Cell] = [.text(blob.digest.description), size]
        guard long else { return plain }
        return plain + [.optional(blob.contentType), .list(blob.references)]
    }
}

/// `kvtool blob …`
struct BlobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blob", abstract: "Lists, reads, adds, checks and removes blobs.",
        discussion: """
            Examples:
              kvtool blob ls people.cblite2 -l
              kvtool blob get people.cblite2 sha1-tsgOzj5esl4upx/NQogsyltg9fE= --out photo.jpg
              kvtool blob put people.cblite2 photo.jpg --type image/jpeg
              kvtool blob gc people.cblite2 --dry-run

            A blob is a file in the database's directory. Documents refer to it by the digest of \
            its content.
            """,
        subcommands: [
            BlobListCommand.self, BlobGetCommand.self, BlobPutCommand.self, BlobCheckCommand.self,
            BlobCollectCommand.self,
        ])
}

/// `kvtool blob gc DATABASE`
struct BlobCollectCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Removes blobs that no document refers to.",
        discussion: """
            Examples:
              kvtool blob gc people.cblite2 --dry-run
              kvtool blob gc people.cblite2

            Blobs added within the last hour stay, since the document that refers to one may not \
            be saved yet. A document that cannot be read may refer to any blob: all blobs then \
            stay, and the exit status is 5. compact removes unused blobs as well.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try arguments.open(isDry ? .readOnly : .readWrite)
        let unused = try file.unusedBlobs()
        let removal = isDry ? nil : try file.removeUnusedBlobs()
        let remaining = Set(isDry ? [] : try file.blobs.digests())
        var rows = RowOutput(
            "blob.gc", list: "blobs",
            [
                Column("digest", "Blob", isKey: true), Column("bytes", "Size", isNumber: true),
                Column("action", "Action"),
            ], output, empty: "(no blobs to remove)")
        for blob in unused.blobs where !remaining.contains(blob.digest) {
            try rows.add([
                .text(blob.digest.description), .bytes(blob.byteCount),
                .both(
                    isDry ? "would be removed" : "removed",
                    program: .text(isDry ? "none" : "removed")),
            ])
        }
        try rows.finish()
        let unreadable = isDry ? unused.unreadableDocuments : removal?.unreadableDocuments
        if let unreadable { try RetainedBlobs.report(unreadable, isDry: isDry) }
        guard let removal, !removal.isComplete else { return }
        throw ToolError(
            "blobs were not removed, since another process is copying them or the file system does "
                + "not support locks; try again later", status: .partial)
    }
}

/// `kvtool blob get DATABASE DIGEST`
struct BlobGetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Writes the content of a blob.",
        discussion: """
            Examples:
              kvtool blob get people.cblite2 sha1-tsgOzj5esl4upx/NQogsyltg9fE= --out photo.jpg
              kvtool blob get people.cblite2 tsgOzj5esl4upx_NQogsyltg9fE=.blob | file -
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The blob's digest, as in documents, or its file name.")
    var digest: String
    @Option(
        name: [.customShort("o"), .customLong("out")],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file())
    var path: String?
    @Flag(help: "Overwrite an existing file.") var force = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let digest = try BlobDigest(named: digest)
        let file = try arguments.open()
        let reader = try file.blobs.open(Blob(digest: digest))
        if path == nil, System.isTerminal(StandardOutput.current.descriptor) {
            throw ToolError(
                "a blob is not written to a terminal; use --out FILE", status: .usage)
        }
        let out = try ByteOutput(path: path, replaces: force)
        while true {
            try Interruption.check()
            let chunk = try reader.readChunk()
            guard !chunk.isEmpty else { break }
            try out.write(chunk)
        }
        try out.finish()
    }
}

extension BlobDigest {
    /// Parses a digest, or the file name of a blob, as typed.
    init(named text: String) throws {
        if let digest = BlobDigest(fileName: text) {
            self = digest
        } else {
            self = try ToolError.asUsage { try BlobDigest(text) }
        }
    }
}
