internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
internal import Replication

/// `kvtool sync status DATABASE URL`
struct SyncStatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what is yet to be replicated with a server.",
        discussion: """
            Examples:
              kvtool sync status people.cblite2 postgresql://db.example.com/store
              kvtool sync status people.cblite2 postgresql:///store --json

            Changes nothing. For each collection: the sequence up to which the server has the \
            changes of the database, and the last one; the number of documents to send, and of \
            those that the server has changed, some of which the database may have; and the \
            documents with conflicts, which kvtool resolve shows. Specify the same filter as for \
            sync run.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var server: ServerArguments
    @OptionGroup var credentials: CredentialArguments
    @OptionGroup var documents: SyncDocuments
    @OptionGroup var direction: SyncDirection
    @OptionGroup var output: OutputArguments

    private static let columns = [
        Column("collection", "Collection", isKey: true),
        Column("replicatedSequence", "Replicated", isNumber: true),
        Column("lastSequence", "Last", isNumber: true),
        Column("toPush", "To push", isNumber: true), Column("toPull", "To pull", isNumber: true),
        Column("conflicts", "Conflicts", isNumber: true),
    ]

    func run() async throws {
        try database.address.requireNoDocument()
        let endpoint = try server.endpoint(credentials)
        let file = try database.open()
        let settings = try documents.settings(database, direction.value)
        try await documents.requireExisting(
            database, file, endpoint, pulls: direction.value != .push)
        let replicator = try documents.replicator(database, file, endpoint, settings)
        let pending = try await SyncFailure.converting { try await replicator.pending() }
        var header = JSONObject()
        header.add("database", file.path)
        header.add("server", endpoint.address)
        var rows = RowOutput(
            "sync.status", list: "collections", Self.columns, output, header: header)
        for changes in pending {
            try rows.add([
                .text("\(changes.collection)"), .integer(changes.replicatedSequence),
                .integer(changes.lastSequence), .number(changes.pushes),
                changes.pulls.map(Cell.number) ?? .none, .number(changes.conflicts),
            ])
        }
        try rows.finish()
    }
}

/// `kvtool sync reset DATABASE URL`
struct SyncResetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forgets what was replicated, so that all documents are compared again.",
        discussion: """
            Examples:
              kvtool sync reset people.cblite2 postgresql://db.example.com/store --yes

            Removes the checkpoints of the collections from the database; the server is not \
            asked. No document is lost or sent twice, but those that were deleted at the server so \
            long ago that their tombstones are gone are sent again. It is not needed after a \
            backup of either side was restored.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var server: ServerArguments
    @OptionGroup var credentials: CredentialArguments
    @OptionGroup var documents: SyncDocuments
    @OptionGroup var direction: SyncDirection
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try database.address.requireNoDocument()
        let endpoint = try server.endpoint(credentials)
        let file = try database.open(.readWrite)
        let settings = try documents.settings(database, direction.value)
        let names = try await file.read { snapshot in
            try NamedCollections(database: database, collection: documents.collection)
                .collections(in: snapshot).map(\.name)
        }
        let collections = names.map(\.description).joined(separator: ", ")
        try Confirmation(
            isGiven: yes, reason: "this begins the replication of collections again",
            refusal: "nothing was removed"
        ) { _ in "Compare all documents of \(Text.line(collections)) again?" }
        .ask(names.count)
        let replicator = try documents.replicator(database, file, endpoint, settings)
        let isKnown = try await SyncFailure.converting { try await replicator.reset() }
        guard isKnown else {
            throw ToolError(
                "\(Text.line(file.path)) was never replicated with \(endpoint.address)",
                status: .notFound)
        }
        try SyncChange(
            command: "sync.reset", action: "reset", server: endpoint.address,
            text: "Reset the replication of \(collections)"
        ).write(output)
    }
}
