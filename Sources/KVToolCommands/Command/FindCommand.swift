internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool find DATABASE TEXT`
struct FindCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Searches all collections for a text.",
        discussion: """
            Examples:
              kvtool find people.cblite2 Tacoma
              kvtool find people.cblite2//hr.staff 'fern hill' --limit 10
              kvtool find people.cblite2 ADA --case --json

            Searches IDs, strings, numbers and Booleans, and shows the path of each match. Several \
            words are joined with spaces. The command reads every document.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(help: "The text to search for, as part of a value.") var text: [String]
    @Flag(name: .customLong("case"), help: "Distinguish upper and lower case.") var isExact = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of matches.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
        guard text.contains(where: { !$0.isEmpty }) else {
            throw ValidationError("the text to find is empty")
        }
    }

    func run() async throws {
        try await location.database.read { _, snapshot in
            var rows = RowOutput(
                "find", list: "hits",
                [
                    Column("collection", "Collection"), Column("id", "Document", isKey: true),
                    Column("path", "Path", isKey: true), Column("value", "Value"),
                ], output, empty: "(nothing found)")
            var damaged = 0
            for collection in try location.collections(in: snapshot) {
                try search(collection, snapshot, &rows, &damaged)
            }
            try rows.finish()
            if damaged > 0 { throw ReportedFailure(status: .damaged) }
        }
    }

    private func search(
        _ collection: DocumentCollection, _ snapshot: Snapshot, _ rows: inout RowOutput,
        _ damaged: inout Int
    ) throws {
        let search = TextSearch(text.joined(separator: " "), isExact: isExact)
        let name = collection.name.description
        let keys = try snapshot.requireSharedKeys()
        let records = try collection.records(RecordEnumerator.Options(), in: snapshot)
        while rows.count < limit ?? .max, let record = try records.next() {
            try Interruption.check()
            do {
                let body = try record.currentBody.flatMap {
                    try $0.isEmpty ? nil : FleeceDocument(validating: $0, sharedKeys: keys)
                }
                try search.forEachHit(in: body, id: record.key) { hit in
                    try rows.add([
                        .text(name), .text(record.key), .text(hit.path),
                        .both(hit.excerpt, program: .text(hit.value)),
                    ])
                    return rows.count < limit ?? .max
                }
            } catch let error as FleeceError {
                StandardError.current.writeAboutSubject(
                    "document \"\(Text.line(record.key))\" is damaged: \(error)")
                damaged += 1
            }
        }
    }
}
