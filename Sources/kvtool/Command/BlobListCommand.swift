internal import ArgumentParser
internal import DocumentStore

/// `kvtool blob ls DATABASE`
struct BlobListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the blobs.",
        discussion: """
            Examples:
              kvtool blob ls people.cblite2
              kvtool blob ls people.cblite2 -l --json

            -l reads all documents, to tell which refer to each blob; blobs that are missing are \
            then listed, too.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(name: [.customShort("l"), .long], help: "Also which documents refer to each.")
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
        StandardError.writeAboutSubject(
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
