internal import ArgumentParser
internal import DocumentStore
internal import StoreTools

/// `kvtool blob gc DATABASE`
struct BlobCollectCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Removes the blobs that no document refers to.",
        discussion: """
            Examples:
              kvtool blob gc people.cblite2 --dry-run
              kvtool blob gc people.cblite2

            One that was put within the last hour stays: a document that refers to it may not be \
            saved yet. A document that cannot be read may refer to any blob: then all stay, and \
            the exit status is 5. compact does the same, and more.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
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
        if let unreadable { try KeptBlobs.report(unreadable, isDry: isDry) }
        guard let removal, !removal.isComplete else { return }
        throw ToolError(
            "blobs were left alone, since another process is copying them or the file system has "
                + "no locks; try again later", status: .partial)
    }
}
