internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool watch DATABASE`
struct WatchCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Lists changes of collections, and optionally follows them.",
        discussion: """
            Examples:
              kvtool watch people.cblite2 --since 1200 --ndjson
              kvtool watch people.cblite2 --follow --since now
              kvtool watch people.cblite2 --collection hr.staff --docs --where 'age > 80'

            Lists only the latest change of each document. Sequences are counted per collection, \
            and --since applies to each watched collection; without --collection these are all. \
            Purged documents are not listed, but their number is shown while following. With \
            --where deleted documents are not listed; a document with a damaged body, which might \
            match, is reported on standard error, and the exit status is then 5.

            --follow checks for committed changes ten times a second until Ctrl-C, which ends it \
            with exit status 130, like tail -f.
            """,
        aliases: ["tail"])

    @OptionGroup var database: DatabaseArguments
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @Option(
        help: ArgumentHelp(
            "Include only changes after this sequence; now for future changes.",
            valueName: "sequence"))
    var since = "0"
    @Flag(name: [.customShort("f"), .long], help: "Wait for further changes.") var follow = false
    @Flag(help: "Include the properties of the documents.") var docs = false
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var condition: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this many changes.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    /// The interval between checks.
    private static let pause = Duration.milliseconds(100)

    func validate() throws {
        try requireNotNegative("--limit", limit)
        guard start != nil else {
            throw ValidationError("--since takes a sequence, 0 or more, or the word now")
        }
    }

    private var start: ChangeFeed.Start? {
        if since == "now" { return .now }
        return Int64(since).flatMap { $0 >= 0 ? .after($0) : nil }
    }

    func run() async throws {
        try database.address.requireNoDocument()
        var feed = ChangeFeed(
            try names(), from: start ?? .now, where: condition, hasBodies: docs)
        var rows = ChangeRows(output, hasBodies: docs)
        let file = try database.open()
        if follow {
            // Notes appear now, rather than when a page is full.
            try StandardOutput.current.flush()
        }
        do {
            while try look(file, &feed, &rows), follow {
                try rows.showNow()
                try await Task.sleep(for: Self.pause)
            }
        } catch is CancellationError where follow {
            // Only Ctrl-C ends the loop, which needs no message.
            try rows.finish()
            throw ReportedFailure(status: .interrupted)
        }
        try rows.finish()
        if rows.damaged > 0 { throw ReportedFailure(status: .damaged) }
    }

    private func names() throws -> [CollectionName]? {
        let names = try NamedCollections(database: database, collection: collection).named()
        return names.isEmpty ? nil : names
    }

    /// Writes new changes; returns whether to continue.
    private func look(
        _ file: DataFile, _ feed: inout ChangeFeed, _ rows: inout ChangeRows
    ) throws -> Bool {
        guard rows.count < limit ?? .max else { return false }
        try file.read { snapshot in
            try feed.advance(in: snapshot) { name, change in
                try rows.add(name, change)
                return rows.count < limit ?? .max
            }
        }
        return rows.count < limit ?? .max
    }
}
