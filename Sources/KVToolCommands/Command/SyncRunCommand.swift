internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
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
    @OptionGroup var selection: SyncSelection
    @Flag(help: "Go on with later changes until Ctrl-C.") var continuous = false
    @Option(help: ArgumentHelp("keep, local, remote or latest.", valueName: "choice"))
    var conflicts = Conflicts.latest
    @OptionGroup var creation: CreationArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try database.address.requireNoDocument()
        let endpoint = try server.endpoint()
        let settings = try selection.settings(database, conflicts.resolver)
        let new = NewDatabase(database.path)
        if !creation.create { try new.requireName() }
        let file = try new.opening { try database.open(.create) }
        do {
            try await selection.requireExisting(database, file, endpoint, waits: continuous)
            try await replicate(file, endpoint, settings)
        } catch {
            // As after a wrong address.
            new.removeIfEmpty(file)
            throw error
        }
    }

    private func replicate(
        _ file: DataFile, _ endpoint: PostgresEndpoint, _ settings: SyncSettings
    ) async throws {
        let replicator = try selection.replicator(database, file, endpoint, settings)
        let events = SyncEvents(output, isContinuous: continuous)
        defer { events.finish() }
        guard !continuous else { return try await follow(replicator, events) }
        let report = try await SyncFailure.converting {
            try await replicator.run { events.show($0) }
        }
        events.finish()
        try events.check()
        if !events.writesObjects {
            try SyncReport(path: file.path, address: endpoint.address, report: report)
                .write(output)
        }
        if report.rejectionCount > 0 { throw ReportedFailure(status: .partial) }
        if report.keptConflictCount > 0 { throw ReportedFailure(status: .conflict) }
    }

    /// Replicates until Ctrl-C, or an error that does not pass.
    private func follow(_ replicator: Replicator, _ events: SyncEvents) async throws {
        var last: ReplicatorStatus?
        for await status in replicator.start() {
            events.show(status)
            try events.check()
            last = status
        }
        if Task.isCancelled { throw ReportedFailure(status: .interrupted) }
        if let error = last?.lastError { try await SyncFailure.converting { throw error } }
    }
}
