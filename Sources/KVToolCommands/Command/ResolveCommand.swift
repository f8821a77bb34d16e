internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool resolve DATABASE`
struct ResolveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Lists conflicts that replication has kept.",
        discussion: """
            Examples:
              kvtool resolve people.cblite2
              kvtool resolve people.cblite2 --collection hr.staff --json

            A document that was changed in the database and at a remote is a conflict if neither \
            change includes the other. Until it is resolved, both revisions are kept, and the \
            document is not pushed.

            The exit status is 6 if there are conflicts, 0 if there are none.
            """)

    @OptionGroup var database: DatabaseArguments
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @OptionGroup var output: OutputArguments

    func validate() throws {
        do {
            _ = try location.named()
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
    }

    func run() async throws {
        try database.address.requireNoDocument()
        try await ConflictList(ConflictSelection(location: location, ids: []), output).list()
    }

    private var location: ConflictLocation {
        ConflictLocation(database: database, collection: collection)
    }
}
