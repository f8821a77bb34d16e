internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool info DATABASE [TOPIC]`
struct InfoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Says what a database is and what is in it.",
        discussion: """
            Examples:
              kvtool info people.cblite2
              kvtool info people.cblite2 -v
              kvtool info people.cblite2 indexes
              kvtool info people.cblite2 index byAge
              kvtool info people.cblite2 keys --json

            -v also tells of pages, and of what each collection holds; -v -v also how large the \
            documents are. Both look at all rows; stat tells more.
            """,
        aliases: ["file"])

    @OptionGroup var arguments: DatabaseArguments
    @Argument(
        help: ArgumentHelp(
            "Only one thing: indexes, index NAME, or keys (those that bodies share).",
            valueName: "topic"))
    var topic: [String] = []
    @Flag(name: .shortAndLong, help: "More; -v -v or -vv for still more.") var verbose: Int
    @Flag(name: .customLong("vv", withSingleDash: true), help: .hidden) var isVeryVerbose = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        switch (topic.first, topic.count) {
        case (nil, _), ("indexes", 1), ("keys", 1), ("index", 2): break
        default: throw ValidationError("the topic is indexes, index NAME, or keys")
        }
    }

    func run() async throws {
        switch topic.first {
        case "indexes":
            let output = output
            try await arguments.read { _, snapshot in
                try IndexList.write(snapshot, of: nil, output)
            }
        case "index": try await IndexShowing(name: topic[1]).run(arguments, nil, output)
        case "keys": try await writeKeys()
        default: try await writeReport()
        }
    }

    private func writeKeys() async throws {
        let keys = try await arguments.read { _, snapshot in
            try snapshot.requireSharedKeys().keys
        }
        var rows = RowOutput(
            "info", list: "keys",
            [Column("number", "Number", isNumber: true), Column("key", "Key", isKey: true)],
            output, empty: "(no shared keys)")
        for (number, key) in keys.enumerated() { try rows.add([.number(number), .text(key)]) }
        try rows.finish()
    }

    private func writeReport() async throws {
        do {
            try await writeWholeReport()
        } catch let error as StoreError where error.has(.corruptData) && !OpenShell.current.isOpen {
            // What can be known of a file that SQLite cannot open.
            if let report = DamagedFileReport(path: arguments.path) { try report.write(output) }
            throw error
        }
    }

    private func writeWholeReport() async throws {
        let detail = InfoReport.Detail(rawValue: min(isVeryVerbose ? 2 : verbose, 2)) ?? .plain
        let file = try arguments.open()
        let (statistics, problem) = try await statistics(of: file, detail)
        var report = try await file.reading { try InfoReport(file, $0, detail, statistics) }
        if let problem { report.add(problem) }
        try report.write(output)
        for problem in report.problems {
            StandardError.current.writeAboutSubject(problem.messageForPeople)
        }
        if !report.problems.isEmpty { throw ReportedFailure(status: .damaged) }
    }

    /// Those of the file for more detail, or why there are none.
    private func statistics(
        of file: DataFile, _ detail: InfoReport.Detail
    ) async throws -> (FileStatistics?, StoreError?) {
        guard detail >= .sizes else { return (nil, nil) }
        do {
            return (try await file.statistics(), nil)
        } catch let error as StoreError where error.has(.corruptData) {
            return (nil, error)
        }
    }
}
