internal import DocumentStore
internal import KVToolCore

/// Lists the documents with conflicts.
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

    private func run(
        _ body: @escaping @Sendable (Snapshot) throws -> (Int, [ConflictProblem])
    ) async throws {
        let (shown, problems) = try await selection.location.database.read { _, snapshot in
            try body(snapshot)
        }
        try ConflictProblem.report(problems, done: shown)
        if shown > 0 { throw ReportedFailure(status: .conflict) }
    }
}
