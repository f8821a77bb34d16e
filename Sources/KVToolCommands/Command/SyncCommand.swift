internal import ArgumentParser
internal import CouchbaseReplication
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
internal import Replication

/// `kvtool sync DATABASE URL`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Replicates collections with a server of PostgreSQL or of Couchbase.",
        discussion: """
            Examples:
              kvtool sync init postgresql://db.example.com/store
              kvtool sync people.cblite2 postgresql://db.example.com/store
              kvtool sync people.cblite2 postgresql:///store --continuous --push
              kvtool sync people.cblite2 wss://sync.example.com/people --user ada
              kvtool sync status people.cblite2 postgresql://db.example.com/store

            A URL that begins with ws: or wss: is that of a database of Sync Gateway, of Capella \
            App Services or of kvtool serve --sync. Any other is that of a PostgreSQL server, \
            where sync init creates the tables, once. sync DATABASE URL, the same as sync \
            run, transfers the changes of both sides; another database that does the same receives \
            them from the server.
            """,
        subcommands: [
            SyncRunCommand.self, SyncInitCommand.self, SyncStatusCommand.self,
            SyncResetCommand.self, SyncPruneCommand.self,
        ],
        defaultSubcommand: SyncRunCommand.self)
}

/// The arguments that name a server.
struct ServerArguments: ParsableArguments {
    @Argument(
        help: """
            The connection string of the server, such as postgresql://USER@HOST/DATABASE, where a \
            password belongs in libpq's password file, ~/.pgpass; or ws://HOST:PORT/DATABASE.
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

    /// Whether the URL is one of Couchbase's protocol.
    var isCouchbase: Bool { ["ws:", "wss:"].contains { url.lowercased().hasPrefix($0) } }

    /// The server of either kind. Throws a `ToolError` for a wrong argument.
    func endpoint(_ credentials: CredentialArguments) throws -> any ReplicationEndpoint {
        guard isCouchbase else {
            try credentials.requireNone()
            return try endpoint()
        }
        do {
            var endpoint = try CouchbaseEndpoint(url)
            try credentials.apply(to: &endpoint)
            return endpoint
        } catch let error as ReplicationError {
            throw ToolError(error.message, status: .usage)
        }
    }

    /// The PostgreSQL server. Throws a `ToolError` for a wrong argument.
    func endpoint() throws -> PostgresEndpoint {
        guard !isCouchbase else {
            throw ToolError(
                "this is for PostgreSQL servers: one of Couchbase needs no preparation and keeps "
                    + "its tombstones itself", status: .usage)
        }
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
              kvtool sync init postgresql:///store --edit-by-sql

            Tables that exist keep their rows; those of an older version are upgraded. \
            --edit-by-sql also creates triggers, so that statements of SQL on the collections' \
            views become changes that databases receive; --no-edit-by-sql removes them.
            """)

    @OptionGroup var server: ServerArguments
    @Flag(name: .customLong("print-sql"), help: "Print the SQL statements and run none.")
    var printsSQL = false
    @Flag(
        name: .customLong("edit-by-sql"), inversion: .prefixedNo,
        help: "Create, or remove, the triggers for changes by SQL.")
    var editsBySQL: Bool?
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let endpoint = try server.endpoint()
        guard !printsSQL else {
            let triggers =
                switch editsBySQL {
                case true?: endpoint.triggerSQL
                case false?: endpoint.triggerRemovalSQL
                case nil: ""
                }
            return try StandardOutput.current.write(endpoint.preparationSQL + triggers)
        }
        try await SyncFailure.converting { try await endpoint.prepare(editingBySQL: editsBySQL) }
        try SyncChange(
            command: "sync.init", action: "prepared", server: endpoint.address,
            text: "Prepared the schema \(server.schema) of \(endpoint.address)"
        ).write(output)
    }
}

/// What `sync init`, `reset` or `prune` has changed.
struct SyncChange: OneReport {
    let command: String
    /// `prepared`, `reset` or `pruned`.
    let action: String
    let server: String
    /// The number of tombstones that were removed.
    var count: Int?
    let text: String

    var schema: String { command }
    let columns = [Column("server", "Server"), Column("action", "Action")]
    var rows: [[Cell]] { [[.text(server), .text(action)]] }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("server", server)
        object.add("action", action)
        object.add("removed", count)
        return object
    }

    func writeText() throws { try StandardOutput.current.write(Text.line(text) + "\n") }
}
