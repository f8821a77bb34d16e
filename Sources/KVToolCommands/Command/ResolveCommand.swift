internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool resolve DATABASE`
struct ResolveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Lists and shows conflicts that replication has kept.",
        discussion: """
            Examples:
              kvtool resolve people.cblite2
              kvtool resolve people.cblite2 person-0001

            A document that was changed in the database and at a remote is a conflict if neither \
            change includes the other. Until it is resolved, both revisions are kept, and the \
            document is not pushed. Shows what the revisions of \
            documents that are named have changed.

            The exit status is 6 if there are conflicts, 3 if a document does not exist or has no \
            conflict.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(
        help: "IDs of documents; * and ? are wildcards, \\ escapes a character.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @OptionGroup var output: OutputArguments

    func validate() throws {
        do {
            _ = try names.isEmpty ? location.named() : [location.one()]
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
        guard !ids.contains("") else { throw ValidationError(SelectionArguments.emptyID) }
    }

    func run() async throws {
        let list = ConflictList(selection, output)
        try await names.isEmpty ? list.list() : list.show()
    }

    private var location: ConflictLocation {
        ConflictLocation(database: database, collection: collection)
    }

    private var selection: ConflictSelection { ConflictSelection(location: location, ids: names) }

    /// The IDs of the arguments, and that of the database argument.
    private var names: [String] { [database.address.id].compactMap(\.self) + ids }
}
