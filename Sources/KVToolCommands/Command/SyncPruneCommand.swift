internal import ArgumentParser
internal import KVToolCore
internal import PostgresReplication

/// `kvtool sync prune URL`
struct SyncPruneCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes old tombstones from a server.",
        discussion: """
            Examples:
              kvtool sync prune postgresql://db.example.com/store --older-than 90d

            The rows of deleted documents stay at the server, so that all databases receive the \
            deletions. A database that was not replicated since those that are removed compares \
            all of its documents with the server once, and removes what the server does not have. \
            One that begins from nothing, as after sync reset, sends such documents again.
            """)

    @OptionGroup var server: ServerArguments
    @Option(
        help: ArgumentHelp(
            "Remove tombstones that are older, such as 12h, 7d or 2w.", valueName: "duration"))
    var olderThan: String
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard TimestampArgument.duration(olderThan) != nil else {
            throw ValidationError(
                "\(Text.line(olderThan)) is not a duration such as 90s, 12h or 7d")
        }
    }

    func run() async throws {
        let endpoint = try server.endpoint()
        let age = Duration.milliseconds(TimestampArgument.duration(olderThan) ?? 0)
        try Confirmation(
            isGiven: yes, reason: "this removes tombstones that databases may not have received",
            refusal: "nothing was removed"
        ) { [olderThan] _ in
            "Remove the tombstones of \(Text.line(endpoint.address)) older than \(olderThan)?"
        }
        .ask(1)
        let count = try await SyncFailure.converting {
            try await endpoint.removeTombstones(olderThan: age)
        }
        try SyncChange(
            command: "sync.prune", action: "pruned", server: endpoint.address, count: count,
            text: "Removed \(Text.count(count, "tombstone"))"
        ).write(output)
    }
}
