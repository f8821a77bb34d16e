internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import Replication

/// `kvtool push DATABASE URL`
struct PushCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Sends changes of a database to a server.",
        discussion: """
            Examples:
              kvtool push people.cblite2 wss://sync.example.com/people --user ada
              kvtool push people.cblite2 ws://localhost:4984/people --continuous --bidi

            The same as sync --push, or with --bidi as sync.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var server: ServerArguments
    @OptionGroup var credentials: CredentialArguments
    @OptionGroup var documents: SyncDocuments
    @OptionGroup var transfer: TransferArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let run = SyncRun(
            database: database, endpoint: try server.endpoint(credentials), documents: documents,
            direction: transfer.bidi ? .both : .push, resolver: .lastWriterWins,
            continuous: transfer.continuous, creates: false, output: output)
        // What does not exist has nothing to send.
        guard !System.entry(database.path).isNothing else {
            throw ToolError("\(Text.line(database.path)) does not exist", status: .notFound)
        }
        try await run.run()
    }
}

/// `kvtool pull DATABASE URL`
struct PullCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Receives changes of a server, into a new database or one that exists.",
        discussion: """
            Examples:
              kvtool pull people.cblite2 wss://sync.example.com/people --user ada
              kvtool pull people.cblite2 ws://localhost:4984/people --collection hr.staff

            The same as sync --pull, or with --bidi as sync. With --existing the database must \
            exist.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var server: ServerArguments
    @OptionGroup var credentials: CredentialArguments
    @OptionGroup var documents: SyncDocuments
    @OptionGroup var transfer: TransferArguments
    @Flag(name: [.customShort("x"), .long], help: "Require that the database exists.")
    var existing = false
    @OptionGroup var creation: CreationArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let run = SyncRun(
            database: database, endpoint: try server.endpoint(credentials), documents: documents,
            direction: transfer.bidi ? .both : .pull, resolver: .lastWriterWins,
            continuous: transfer.continuous, creates: creation.create, output: output)
        guard !existing || !System.entry(database.path).isNothing else {
            throw ToolError(
                "\(Text.line(database.path)) does not exist, which --existing requires",
                status: .notFound)
        }
        try await run.run()
    }
}

/// The options of `push` and `pull`.
struct TransferArguments: ParsableArguments {
    @Flag(help: "Go on with later changes until Ctrl-C.") var continuous = false
    @Flag(help: "Transfer the changes of both sides.") var bidi = false
}
