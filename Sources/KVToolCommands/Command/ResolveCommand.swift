internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool resolve DATABASE`
struct ResolveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Lists, shows and resolves conflicts that replication has kept.",
        discussion: """
            Examples:
              kvtool resolve people.cblite2
              kvtool resolve people.cblite2 person-0001
              kvtool resolve people.cblite2 person-0001 --take remote
              kvtool resolve people.cblite2 person-0001 --merge
              kvtool resolve people.cblite2 --all --take latest --dry-run

            A document that was changed in the database and at a remote is a conflict if neither \
            change includes the other. Until it is resolved, both revisions are kept, and the \
            document is not pushed. Without an option, resolve lists the conflicts, or shows what \
            the revisions of the documents named have changed.

            --take local keeps the revision of the database, --take remote that of the remote, \
            --take latest that of the last writer. Of more than two revisions, name one; a prefix \
            of its ID is enough. --merge merges what only one revision has changed, and opens \
            $VISUAL, $EDITOR or vi for properties that several have changed. All documents are \
            resolved in one transaction, except with --merge. The result is a revision that \
            follows all others and is pushed by the next replication, or the remote's own.

            The exit status is 6 if there are conflicts and none was to be resolved, 3 if a \
            document does not exist or has no conflict, 7 if only some were resolved.
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
    @Option(
        help: ArgumentHelp(
            "Keep this revision: local, remote, latest or an ID.", valueName: "revision"),
        completion: .list(["local", "remote", "latest"]))
    var take: String?
    @Flag(help: "Delete the document.") var delete = false
    @Flag(help: "Merge the revisions, in an editor where they contradict each other.")
    var merge = false
    @Option(
        help: ArgumentHelp(
            "Save the document in this file, JSON or JSON5; - is standard input.",
            valueName: "file"), completion: .file())
    var with: String?
    @Option(
        name: .customLong("if-rev"),
        help: ArgumentHelp(
            "Resolve only if the conflict is between these revisions (otherwise exit status 6); "
                + "repeat it for each.", valueName: "revision"))
    var expectedRevisions: [String] = []
    @Flag(help: "Resolve all conflicts, of all collections unless some are named.")
    var all = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var change: ChangeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        do {
            _ = try names.isEmpty ? location.named() : [location.one()]
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
        guard !ids.contains("") else { throw ValidationError(SelectionArguments.emptyID) }
        let ways = [take != nil, delete, merge, with != nil].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("--take, --delete, --merge and --with exclude each other")
        }
        guard take != "" else {
            throw ValidationError("--take is empty; use local, remote, latest or an ID")
        }
        guard !all || names.isEmpty else {
            throw ValidationError("--all cannot be combined with IDs")
        }
        guard ways == 1 || !all else {
            throw ValidationError("--all needs --take, --delete or --merge")
        }
        guard ways == 0 || all || !names.isEmpty else {
            throw ValidationError("no document is selected; use an ID or --all")
        }
        guard with == nil || !selection.isOpen && names.count == 1 else {
            throw ValidationError("--with is for one document")
        }
        if case .revision = take.map({ ConflictedDocument.Choice($0) }), selection.isOpen {
            throw ValidationError("for several documents, --take is local, remote or latest")
        }
        let isOne = ways == 1 && !merge && !selection.isOpen && names.count == 1
        guard expectedRevisions.isEmpty || isOne else {
            throw ValidationError(
                "--if-rev is for one document, with --take, --delete or --with")
        }
        guard ways == 1 || !(change.isDry || change.yes) else {
            throw ValidationError(
                "--dry-run and --yes need --take, --delete, --merge or --with")
        }
    }

    func run() async throws {
        if merge {
            let merge = ConflictMerge(selection, upgrade, isDry: change.isDry, output)
            return try await merge.run()
        }
        guard let way = try way() else {
            let list = ConflictList(selection, output)
            return try await names.isEmpty ? list.list() : list.show()
        }
        try await ConflictChange(selection, upgrade, change, output, expectedRevisions).run(way)
    }

    /// How to resolve; nil to list or show. Reads the file of `--with`.
    private func way() throws -> ConflictChange.Way? {
        if let take { return .take(ConflictedDocument.Choice(take)) }
        if delete { return .delete }
        guard let with else { return nil }
        let id = KeyPattern(names[0])?.prefix ?? names[0]
        return .save(try MergedBody.read(with, id: id))
    }

    private var location: NamedCollections {
        NamedCollections(database: database, collection: collection)
    }

    private var selection: ConflictSelection { ConflictSelection(location: location, ids: names) }

    /// The IDs of the arguments, and that of the database argument.
    private var names: [String] { [database.address.id].compactMap(\.self) + ids }
}
