internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool snapshot DATABASE NEW`
struct SnapshotCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Creates a backup of a database, even while it is in use.",
        discussion: """
            Examples:
              kvtool snapshot people.cblite2 backup/people-monday.cblite2

            The copy is a consistent snapshot of the database including blobs, with the same \
            UUIDs; other processes read and write meanwhile. It appears complete or not at all. To \
            create a copy that is a separate database, use cp.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The new database, which must not exist.", completion: .directory)
    var copy: String
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try database.openForCopy()
        let bytes = try DatabaseCopy.run(file, to: copy, newUUIDs: false)
        try CopyReport(source: file.path, target: copy, bytes: bytes).write("snapshot", output)
    }
}

/// The report of a copy.
struct CopyReport {
    let source: String
    let target: String
    var bytes: Int?
    var documents: Int?
    /// The number of documents that existed before.
    var overwritten: Int?

    func write(_ command: String, _ output: OutputArguments) throws {
        var rows = RowOutput(
            command, list: "copies",
            [
                Column("source", "Source"), Column("target", "Target"),
                Column("bytes", "Size", isNumber: true),
                Column("documents", "Documents", isNumber: true),
                Column("overwritten", "Overwritten", isNumber: true),
            ], output,
            presentation: .lines { "Copied \($0[0].forPeople) to \($0[1].forPeople)\(counts)" })
        try rows.add([
            .text(source), .text(target), bytes.map(Cell.bytes) ?? .none,
            documents.map(Cell.number) ?? .none, overwritten.map(Cell.number) ?? .none,
        ])
        try rows.finish()
    }

    /// Text for the numbers of new and overwritten documents.
    private var counts: String {
        guard let documents, let overwritten, documents > 0 else { return "" }
        let counts = ImportCounts(new: documents - overwritten, overwritten: overwritten)
        return ": \(counts.words())"
    }
}
