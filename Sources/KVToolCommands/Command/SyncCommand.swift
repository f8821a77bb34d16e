internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
internal import Replication

/// `kvtool sync DATABASE URL`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Replicates collections with a PostgreSQL server.",
        discussion: """
            Examples:
              kvtool sync init postgresql://db.example.com/store
              kvtool sync people.cblite2 postgresql://db.example.com/store
              kvtool sync people.cblite2 postgresql:///store --continuous --push

            Documents that were changed in the database and at the server are conflicts; see \
            sync run.
            """,
        subcommands: [SyncRunCommand.self, SyncInitCommand.self],
        defaultSubcommand: SyncRunCommand.self)
}

/// The arguments that name a server.
struct ServerArguments: ParsableArguments {
    @Argument(
        help: """
            The connection string of the server, such as postgresql://USER@HOST/DATABASE. Passwords \
            belong into the password file of libpq, ~/.pgpass.
            """)
    var url: String
    @Option(help: ArgumentHelp("The schema with the tables.", valueName: "name"))
    var schema = "store"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The number of buckets of collections that are created; more than one where rows are \
            distributed over servers.
            """, valueName: "n"))
    var buckets = 1

    /// Throws a `ToolError` for a wrong argument.
    func endpoint() throws -> PostgresEndpoint {
        do {
            return try PostgresEndpoint(url, schema: schema, buckets: buckets)
        } catch let error as ReplicationError {
            throw ToolError(error.message, status: .usage)
        }
    }
}

/// `kvtool sync init URL`
struct SyncInitCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Creates the tables for replication at a server.",
        discussion: """
            Examples:
              kvtool sync init postgresql://db.example.com/store
              kvtool sync init postgresql:///store --print-sql > store.sql

            Tables that exist stay as they are.
            """)

    @OptionGroup var server: ServerArguments
    @Flag(name: .customLong("print-sql"), help: "Print the SQL statements and run none.")
    var printsSQL = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let endpoint = try server.endpoint()
        guard !printsSQL else {
            return try StandardOutput.current.write(endpoint.preparationSQL)
        }
        try await SyncRunCommand.reporting { try await endpoint.prepare() }
    }
}

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

            Replicates the collections named, or all of the database. --conflicts says what happens \
            to a document that was changed on both sides: latest (default) keeps the later change, \
            local that of the database, remote that of the server, keep both of them until the \
            conflict is resolved.

            The exit status is 7 if a document was not accepted by one side, 6 if a conflict is \
            kept. After Ctrl-C, the same command continues. --continuous goes on until Ctrl-C, \
            and tries again after a lost connection.
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
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @Flag(help: "Only send changes to the server.") var push = false
    @Flag(help: "Only receive changes of the server.") var pull = false
    @Flag(help: "Go on with later changes until Ctrl-C.") var continuous = false
    @Option(help: ArgumentHelp("keep, local, remote or latest.", valueName: "choice"))
    var conflicts = Conflicts.latest
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard !(push && pull) else {
            throw ValidationError(
                "--push and --pull exclude each other; without them both are done")
        }
    }

    func run() async throws {
        try database.address.requireNoDocument()
        let endpoint = try server.endpoint()
        let file = try database.open(.readWrite)
        let replicator = Replicator(file, to: endpoint, collections: try settings(file))
        guard !continuous else { return try await follow(replicator) }
        let progress = SyncProgress()
        let report = try await Self.reporting {
            try await replicator.run { progress.show($0) }
        }
        progress.finish()
        try SyncReport(path: file.path, address: endpoint.address, report: report).write(output)
        if report.rejectionCount > 0 { throw ReportedFailure(status: .partial) }
        if report.conflicts.contains(where: { !$0.isResolved }) {
            throw ReportedFailure(status: .conflict)
        }
    }

    private func settings(_ file: DataFile) throws -> [ReplicatedCollection] {
        var names = try collection.flatMap { $0.split(separator: ",").map(String.init) }
            .map { try CollectionName(argument: $0) }
        if names.isEmpty, let named = database.address.collection {
            names = [try CollectionName(argument: named)]
        }
        for name in names { try database.address.requireSameCollection(name) }
        if names.isEmpty { names = try file.read { try $0.collectionNames() } }
        return names.map { name in
            ReplicatedCollection(
                DocumentCollection(name), direction: push ? .push : pull ? .pull : .both,
                resolver: conflicts.resolver)
        }
    }

    /// Replicates until Ctrl-C, or an error that does not pass.
    private func follow(_ replicator: Replicator) async throws {
        let progress = SyncProgress()
        var last: ReplicatorStatus?
        for await status in replicator.start() {
            progress.show(status)
            last = status
        }
        progress.finish()
        if Task.isCancelled { throw ReportedFailure(status: .interrupted) }
        if let error = last?.lastError { try await Self.reporting { throw error } }
    }

    /// Runs `body`, and turns errors of replication into those of the tool.
    static func reporting<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as ReplicationError {
            let status: ExitStatus =
                switch error.code {
                case .unreachable, .unauthorized, .incompatible: .cannotOpen
                case .alreadyRunning: .conflict
                case .badRemoteData: .damaged
                case .remoteFailure: .failure
                case .invalidParameter: .usage
                }
            throw ToolError(error.message, status: status)
        }
    }
}
