internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool index check DATABASE [NAME…]`
struct IndexCheckCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks indexes against the documents.",
        discussion: """
            Examples:
              kvtool index check people.cblite2
              kvtool index check people.cblite2 byAge byStreet

            Verifies the whole file, and reports errors in indexes and their triggers. The exit \
            status is 5 if there are any; reindex rebuilds indexes, verify --fix only those that \
            are wrong.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The indexes to check (default: all indexes).",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var names: [String] = []
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try location.database.open()
        let (chosen, all) = try await file.reading { snapshot in
            let collection = try location.collection(in: snapshot)
            let all = try snapshot.indexes().filter { index in
                collection.map { $0.keyStore.name == index.keyStore } ?? true
            }
            let chosen = try names.map { try snapshot.index($0, in: collection).name }
            return (Set(chosen), all)
        }
        let report = try await Verification(path: file.path, options: VerificationOptions())
            .run(file)
        try write(report, chosen.isEmpty ? Set(all.map(\.name)) : chosen)
    }

    private func write(_ report: VerificationReport, _ names: Set<String>) throws {
        var rows = RowOutput(
            "index.check", list: "findings",
            [
                Column("severity", "Severity"), Column("index", "Index", isKey: true),
                Column("message", "Finding", isKey: true), Column("fixable", "Fixable"),
            ], output)
        var errors = 0
        for finding in report.findings {
            guard [.index, .trigger].contains(finding.area) || finding.index != nil,
                finding.index.map({ names.contains($0) }) ?? self.names.isEmpty
            else { continue }
            errors += finding.severity == .error ? 1 : 0
            try rows.add([
                .text(finding.severity.rawValue), .optional(finding.index),
                .text(finding.message), .bool(finding.isFixable),
            ])
        }
        var trailer = JSONObject()
        trailer.add("checked", names.sorted())
        trailer.add("intact", errors == 0)
        try rows.finish(trailer: trailer)
        if output.isForPeople, errors == 0 {
            let count = "\(names.count) \(names.count == 1 ? "index" : "indexes")"
            try StandardOutput.current.write("\(count), no errors\n")
        }
        if errors > 0 { throw ReportedFailure(status: .damaged) }
    }
}
