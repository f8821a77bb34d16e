internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool watch DATABASE`
struct WatchCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Lists the changes of collections, and waits for more.",
        discussion: """
            Examples:
              kvtool watch people.cblite2 --since 1200 --ndjson
              kvtool watch people.cblite2 --follow --since now
              kvtool watch people.cblite2 --collection hr.staff --docs --where 'age > 80'

            Of each document there is the latest change only. Collections count their changes by \
            themselves, and --since holds for each one that is watched; without --collection that \
            is all of them. Purged documents have no line of their own: how many they were is told \
            while following. With --where deleted documents do not come, and of one whose body \
            is damaged a line on standard error says that it may have been meant; exit status 5 at \
            the end.

            --follow looks ten times a second for what anybody commits, until Ctrl-C, which ends \
            it with 130 as with tail -f.
            """,
        aliases: ["tail"])

    @OptionGroup var database: DatabaseArguments
    @Option(
        help: ArgumentHelp(
            "A collection, as NAME or SCOPE.NAME; several times for several.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @Option(
        help: ArgumentHelp(
            "Only changes behind this sequence; now for what comes from now on.",
            valueName: "sequence"))
    var since = "0"
    @Flag(name: [.customShort("f"), .long], help: "Wait for more.") var follow = false
    @Flag(help: "The properties of the documents, too.") var docs = false
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only documents that meet this SQL++ condition.", valueName: "condition"))
    var condition: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("End after so many.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    /// How long nobody looks.
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
            // What is shown now must not wait for a page to be full.
            try StandardOutput.current.flush()
        }
        do {
            while try look(file, &feed, &rows), follow {
                try rows.showNow()
                try await Task.sleep(for: Self.pause)
            }
        } catch is CancellationError where follow {
            // Nothing but Ctrl-C ends it, which is no news to whoever has pressed it.
            try rows.finish()
            throw ReportedFailure(status: .interrupted)
        }
        try rows.finish()
        if rows.damaged > 0 { throw ReportedFailure(status: .damaged) }
    }

    private func names() throws -> [CollectionName]? {
        var texts = collection.flatMap { $0.split(separator: ",").map(String.init) }
        if texts.isEmpty, let named = database.address.collection { texts = [named] }
        guard !texts.isEmpty else { return nil }
        let names = try texts.map { try CollectionName(argument: $0) }
        for name in names { try database.address.requireSameCollection(name) }
        return names
    }

    /// Writes what is new; returns whether more is wanted.
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
