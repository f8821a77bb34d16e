internal import DocumentStore
internal import KVToolCore

/// Lists the documents with conflicts, or shows what is in conflict in those that are named.
struct ConflictList {
    private let selection: ConflictSelection
    private let output: OutputArguments

    init(_ selection: ConflictSelection, _ output: OutputArguments) {
        self.selection = selection
        self.output = output
    }

    /// Writes the list; its exit status reports whether there are conflicts.
    func list() async throws {
        try await run { snapshot in
            var rows = RowOutput(
                "resolve", list: "documents", ConflictedDocument.columns, output,
                empty: "(no conflicts)")
            let problems = try selection.forEach(in: snapshot) { try rows.add($0.row) }
            try rows.finish()
            return (rows.count, problems)
        }
    }

    /// Writes the revisions of each document, what each of them changed, and which properties
    /// cannot be merged.
    func show() async throws {
        try await run { snapshot in
            output.isForPeople ? try showText(snapshot) : try showRows(snapshot)
        }
    }

    private func run(
        _ body: @escaping @Sendable (Snapshot) throws -> (Int, [ConflictProblem])
    ) async throws {
        let (shown, problems) = try await selection.location.database.read { _, snapshot in
            try body(snapshot)
        }
        try ConflictProblem.report(problems, done: shown)
        if shown > 0 { throw ReportedFailure(status: .conflict) }
    }

    private func showRows(_ snapshot: Snapshot) throws -> (Int, [ConflictProblem]) {
        var rows = RowOutput("resolve", list: "documents", ConflictReport.columns, output)
        let problems = try selection.forEach(in: snapshot) {
            try rows.add(ConflictReport($0).row())
        }
        try rows.finish()
        return (rows.count, problems)
    }

    private func showText(_ snapshot: Snapshot) throws -> (Int, [ConflictProblem]) {
        let addresses = try Dictionary(
            snapshot.remotes().map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        var count = 0
        let problems = try selection.forEach(in: snapshot) { document in
            if count > 0 { try StandardOutput.current.write("\n") }
            try ConflictReport(document).writeText(addresses)
            count += 1
        }
        return (count, problems)
    }
}
