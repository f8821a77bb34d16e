internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool info DATABASE [TOPIC]`
struct InfoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows properties and content of a database.",
        discussion: """
            Examples:
              kvtool info people.cblite2
              kvtool info people.cblite2 -v
              kvtool info people.cblite2 indexes
              kvtool info people.cblite2 index byAge
              kvtool info people.cblite2 keys --json

            -v adds pages and the content of each collection, -v -v also the sizes of documents. \
            Both read all rows. stat shows more.
            """,
        aliases: ["file"])

    @OptionGroup var arguments: DatabaseArguments
    @Argument(
        help: ArgumentHelp(
            "Show only indexes, index NAME, or the keys that bodies share.",
            valueName: "topic"))
    var topic: [String] = []
    @Flag(name: .shortAndLong, help: "Show more; -v -v or -vv shows even more.") var verbose: Int
    @Flag(name: .customLong("vv", withSingleDash: true), help: .hidden) var isVeryVerbose = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        switch (topic.first, topic.count) {
        case (nil, _), ("indexes", 1), ("keys", 1), ("index", 2): break
        default:
            // Not the words: they can be parts of a key that was not quoted.
            throw ValidationError("unknown topic; use indexes, index NAME or keys")
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
            // Show what can be read of a file that SQLite cannot open.
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

    /// Returns the file's statistics for more detail, or the error.
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
