internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool check DATABASE`
struct CheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks for damage in the SQLite file.",
        discussion: """
            Examples:
              kvtool check people.cblite2
              kvtool check people.cblite2 --json

            Runs SQLite's own check of pages and indexes, with the functions that the indexes use. \
            verify does the same and also checks documents, sequences, full-text and array \
            indexes, and blobs. The exit status is 5 if there is damage; recover then saves what \
            can be saved.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of findings.", valueName: "n"))
    var limit = 100
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit takes 1 or more") }
    }

    func run() async throws {
        let report = try await arguments.open().integrityCheck(limit: limit)
        var rows = RowOutput(
            "check", list: "findings",
            [
                Column("message", "Finding", isKey: true), Column("store", "Store"),
                Column("table", "Table"), Column("index", "Index"),
                Column("page", "Page", isNumber: true),
            ], output)
        for finding in report.findings {
            try rows.add([
                .text(finding.message), .optional(finding.keyStore.map(IndexText.collection)),
                .optional(finding.table), .optional(finding.index),
                finding.page.map(Cell.number) ?? .none,
            ])
        }
        try rows.finish(trailer: trailer(report))
        if output.isForPeople, report.isIntact {
            try StandardOutput.current.write("SQLite finds no damage\n")
        }
        if let reason = report.uncheckedIndexes {
            StandardError.current.writeAboutSubject(
                "note: indexes were not compared with their tables: \(reason)")
        }
        if report.isCutOff {
            StandardError.current.writeAboutSubject(
                "note: there may be more findings; raise --limit to see them")
        }
        guard !report.isIntact else { return }
        if output.isForPeople {
            StandardError.current.writeAboutSubject(
                "note: restore a backup, or recover the documents with kvtool recover DATABASE NEW")
        }
        throw ReportedFailure(status: .damaged)
    }

    private func trailer(_ report: IntegrityReport) -> JSONObject {
        var object = JSONObject()
        object.add("intact", report.isIntact)
        object.add("cutOff", report.isCutOff)
        object.add("uncheckedIndexes", report.uncheckedIndexes)
        return object
    }
}
