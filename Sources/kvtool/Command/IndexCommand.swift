internal import ArgumentParser
internal import DataFileCore

/// `kvtool index …`
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Lists indexes, and shows what is in one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index show people.cblite2 byAge
              kvtool index dump people.cblite2 byStreet --limit 20
              kvtool index check people.cblite2 byAge

            mkindex makes indexes, rmindex deletes them, reindex makes them anew.
            """,
        subcommands: [
            IndexListCommand.self, IndexShowCommand.self, IndexDumpCommand.self,
            IndexCheckCommand.self,
        ])
}

/// `kvtool index ls DATABASE`
struct IndexListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the indexes, of all collections or of one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index ls people.cblite2 --collection hr.staff --json

            Stale is one that may be wrong: foreign if only the program that made it can keep it, \
            textOrder if its texts may be in the order of another platform (reindex helps).
            """)

    @OptionGroup var place: IndexArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await place.database.read { _, snapshot in
            try IndexList.write(snapshot, of: try place.collection(in: snapshot), output)
        }
    }
}

/// `kvtool index show DATABASE NAME`
struct IndexShowCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows how an index is defined, what it consists of, and how large that is.",
        discussion: """
            Examples:
              kvtool index show people.cblite2 byAge
              kvtool index show people.cblite2 byAge --json
            """)

    @OptionGroup var place: IndexArguments
    @Argument(
        help: "The index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await IndexShowing(name: name).run(place.database, try place.named(), output)
    }
}

/// `kvtool index dump DATABASE NAME`
struct IndexDumpCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Writes what stands in an index.",
        discussion: """
            Examples:
              kvtool index dump people.cblite2 byAge --limit 20
              kvtool index dump people.cblite2 byStreet --csv

            Of a value index the values and the document's id, in the index's order; of an index \
            of words each word, in how many documents it is, and how often; of an array's index \
            the id, the place in the array and the element; of a predictive one the id and the \
            result.
            """)

    @OptionGroup var place: IndexArguments
    @Argument(
        help: "The index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
    }

    func run() async throws {
        try await place.database.read { _, snapshot in
            let collection = try place.collection(in: snapshot)
            let index = try snapshot.index(name, in: collection)
            try IndexDump(index, snapshot, limit: limit ?? .max, output).run()
        }
    }
}

/// `kvtool index check DATABASE [NAME…]`
struct IndexCheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compares indexes with the documents.",
        discussion: """
            Examples:
              kvtool index check people.cblite2
              kvtool index check people.cblite2 byAge byStreet

            It verifies the whole file, and tells of what is wrong with indexes and their \
            triggers. Exit status 5 if anything is; reindex makes them anew, verify --fix those \
            that are wrong.
            """)

    @OptionGroup var place: IndexArguments
    @Argument(
        help: "The indexes; none for all.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var names: [String] = []
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try place.database.open()
        let (chosen, all) = try await file.read { snapshot in
            let collection = try place.collection(in: snapshot)
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
            "index", list: "findings",
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
                .text(finding.message), .truth(finding.isFixable),
            ])
        }
        var trailer = JSONObject()
        trailer.add("checked", names.sorted())
        trailer.add("intact", errors == 0)
        try rows.finish(trailer: trailer)
        if output.isForPeople, errors == 0 {
            let count = "\(names.count) \(names.count == 1 ? "index" : "indexes")"
            try StandardOutput.write("\(count), none of them wrong\n")
        }
        if errors > 0 { throw ReportedFailure(status: .damaged) }
    }
}
