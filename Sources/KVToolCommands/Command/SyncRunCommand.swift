internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import Replication

/// `kvtool sync run DATABASE URL`
struct SyncRunCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Transfers changes between collections and a server.",
        discussion: """
            Examples:
              kvtool sync people.cblite2 postgresql://db.example.com/store
              kvtool sync people.cblite2 postgresql:///store --collection hr.staff --pull
              kvtool sync people.cblite2 postgresql:///store --continuous

            Replicates the collections that are named, or all of the database and of the server. \
            The database is created if it does not exist. --filter is tested on both sides; a \
            document that no longer matches stays as it is on the other side, and deletions are \
            always sent.

            --conflicts says what happens to a document that was changed on both sides: latest \
            (default) keeps the later change, local that of the database, remote that of the \
            server, keep both of them until kvtool resolve decides.

            A line is written for each conflict, and for each document that one side did not \
            accept; with --ndjson an object for each event. The exit status is 7 if a document was \
            not accepted, 6 if a conflict is kept; both until that is resolved, for such documents \
            are tried again each time. After Ctrl-C, the same command continues. --continuous goes \
            on until Ctrl-C, and tries again while the server cannot be reached.
            """)

    /// What happens to conflicts.
    enum Conflicts: String, CaseIterable, ExpressibleByArgument {
        case keep, local, remote, latest

        var resolver: ConflictResolver {
            switch self {
            case .keep: .keep
            case .local: .localWins
            case .remote: .remoteWins
            case .latest: .lastWriterWins
            }
        }
    }

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var server: ServerArguments
    @OptionGroup var credentials: CredentialArguments
    @OptionGroup var documents: SyncDocuments
    @OptionGroup var direction: SyncDirection
    @Flag(help: "Go on with later changes until Ctrl-C.") var continuous = false
    @Option(help: ArgumentHelp("keep, local, remote or latest.", valueName: "choice"))
    var conflicts = Conflicts.latest
    @OptionGroup var creation: CreationArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await SyncRun(
            database: database, endpoint: server.endpoint(credentials), documents: documents,
            direction: direction.value, resolver: conflicts.resolver, continuous: continuous,
            creates: creation.create, output: output
        ).run()
    }
}
