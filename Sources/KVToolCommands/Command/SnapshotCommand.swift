internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool snapshot DATABASE NEW`
struct SnapshotCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Makes a backup of a database that may be in use.",
        discussion: """
            Examples:
              kvtool snapshot people.cblite2 backup/people-monday.cblite2

            The copy is the database as it is at one moment, blobs included, with the same UUIDs; \
            others read and write meanwhile. It appears whole or not at all. For a copy that is \
            a database of its own use cp.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The new database.", completion: .directory) var copy: String
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try database.openForCopy()
        let bytes = try DatabaseCopy.run(file, to: copy, newUUIDs: false)
        try CopyReport(source: file.path, target: copy, bytes: bytes).write("snapshot", output)
    }
}

/// What a copy of a file has done, in words and for programs.
struct CopyReport {
    let source: String
    let target: String
    var bytes: Int?
    var documents: Int?
    /// Those of them that were there before.
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

    /// How many documents were new to a database, and how many were not.
    private var counts: String {
        guard let documents, let overwritten, documents > 0 else { return "" }
        let counts = ImportCounts(new: documents - overwritten, overwritten: overwritten)
        return ": \(counts.words())"
    }
}
