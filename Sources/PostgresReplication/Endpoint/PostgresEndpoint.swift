public import DataFileCore
public import Replication

/// A PostgreSQL database, or one that speaks its protocol, as the remote of a `Replicator`.
///
/// ```swift
/// let endpoint = try PostgresEndpoint("postgresql://app@db.example.com/store")
/// try await endpoint.prepare()
/// let replicator = Replicator(file, to: endpoint, collections: [ReplicatedCollection(people)])
/// let report = try await replicator.run()
/// ```
///
/// The documents are rows of ordinary tables in a schema of their own; see `docs/replication.md`.
/// Connections use the system's libpq, with all options of its connection strings: several hosts,
/// client certificates, password files. Unless `sslmode` is specified, TLS with a checked
/// certificate is required, except over a local socket or the loopback interface.
public struct PostgresEndpoint: ReplicationEndpoint {
    /// The address without user and password.
    public let address: String

    let connectionString: PostgresAddress
    let schema: PostgresSchema
    let answerTimeout: Duration?
    let password: (@Sendable () async throws -> String)?

    /// Creates an endpoint; it does not connect.
    ///
    /// - Parameters:
    ///   - connectionString: a URI `postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE`, or libpq's
    ///     list of options.
    ///   - schema: the name of the schema with the tables.
    ///   - buckets: how many parts new collections have at the server. One (default) for a single
    ///     server; 16 or 64 where rows are distributed over servers.
    ///   - notifications: whether the server notifies of changes (default); otherwise it is asked
    ///     once a second, as behind a connection pooler that has no `LISTEN`.
    ///   - answerTimeout: how long a connected server may be silent during a replication before the
    ///     connection counts as lost; two minutes by default, nil for any time.
    ///   - password: returns the password for each connection; nil (default) for that of the
    ///     connection string, the password file or the environment. It is never stored.
    /// - Throws: `ReplicationError.Code.invalidParameter`.
    public init(
        _ connectionString: String, schema: String = "store", buckets: Int = 1,
        notifications: Bool = true, answerTimeout: Duration? = .seconds(120),
        password: (@Sendable () async throws -> String)? = nil
    ) throws {
        guard (1...1024).contains(buckets) else {
            throw ReplicationError(
                .invalidParameter, "a collection has 1 to 1024 buckets, not \(buckets)")
        }
        guard answerTimeout.map({ $0 > .zero && $0 <= .seconds(86_400) }) ?? true else {
            throw ReplicationError(
                .invalidParameter, "the answer timeout is more than 0, and at most a day")
        }
        self.connectionString = try PostgresAddress(connectionString)
        self.schema = try PostgresSchema(schema, buckets: buckets, listens: notifications)
        self.answerTimeout = answerTimeout
        self.password = password
        address = self.connectionString.text + (schema == "store" ? "" : "?schema=\(schema)")
    }

    /// Creates the tables, if they do not exist, and upgrades older ones.
    ///
    /// It needs the right to create a schema. Where that is an administrator's task, they run
    /// ``preparationSQL`` instead.
    ///
    /// ```swift
    /// try await endpoint.prepare(editingBySQL: true)
    /// ```
    ///
    /// After that, statements such as these create revisions that clients receive:
    ///
    /// ```sql
    /// INSERT INTO store."_default.people" (id, body) VALUES ('ada', '{"age": 36}');
    /// UPDATE store."_default.people" SET body = jsonb_set(body, '{age}', '37') WHERE id = 'ada';
    /// DELETE FROM store."_default.people" WHERE id = 'ada';
    /// ```
    ///
    /// - Parameter editingBySQL: true to create the triggers of ``triggerSQL``, or to replace them;
    ///   false to remove them; nil (default) to leave them as they are.
    /// - Throws: `ReplicationError`; `CancellationError`.
    public func prepare(editingBySQL: Bool? = nil) async throws {
        let schema = schema
        try await administer { connection in
            try schema.create(connection)
            try PostgresCollectionTable(schema: schema).createViews(connection)
            let editing = PostgresEditing(schema: schema)
            // Views that are new need them, too.
            guard let isAllowed = try editingBySQL ?? (editing.isAllowed(connection) ? true : nil)
            else { return }
            try editing.allow(isAllowed, connection)
        }
    }

    /// The names of the collections that the server has, in the order in which they were created.
    ///
    /// - Throws: `ReplicationError`.
    public func collectionNames() async throws -> [CollectionName] {
        let schema = schema
        return try await administer(answerTimeout) { connection in
            try schema.check(connection)
            return try PostgresCollectionTable(schema: schema).names(connection)
        }
    }

    /// The SQL that ``prepare(editingBySQL:)`` runs to create and to upgrade the tables. The views
    /// of collections are created by it alone, or with the collections.
    public var preparationSQL: String { Self.script(schema.creation + schema.upgrade) }

    /// The SQL that creates the functions and triggers for edits by SQL, for an administrator. It
    /// can be run again.
    ///
    /// With them, INSERT of `id` and `body`, UPDATE of `body`, and DELETE on the view of a
    /// collection, and UPDATE of `docs.body`, create revisions of a source of their own. They run
    /// with the rights of the role that edits, which needs those of a client.
    ///
    /// The writes of clients do not call them. They cost clients about a microsecond of the
    /// server's time for each document that they change.
    public var triggerSQL: String { Self.script(PostgresEditing(schema: schema).creation) }

    /// The SQL that removes what ``triggerSQL`` creates.
    public var triggerRemovalSQL: String { Self.script(PostgresEditing(schema: schema).removal) }

    private static func script(_ statements: [String]) -> String {
        statements.map { $0 + ";\n" }.joined(separator: "\n")
    }

    /// Connects. The protocol needs nothing of the file.
    public func connect(
        for database: ReplicatedDatabase
    ) async throws -> any ReplicationSession { try await connect() }

    /// Connects.
    public func connect() async throws -> any ReplicationSession {
        let worker = try await worker(answerTimeout)
        let schema = schema
        do {
            try await worker.run { try schema.check($0) }
            return PostgresSession(worker, schema) {
                try await self.worker(self.answerTimeout)
            }
        } catch {
            await worker.close()
            throw error
        }
    }

    /// Runs `body` with a connection of its own. Statements may take any time by default.
    func administer<T: Sendable>(
        _ timeout: Duration? = nil,
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        let worker = try await worker(timeout)
        do {
            let result = try await worker.run(body)
            await worker.close()
            return result
        } catch {
            await worker.close()
            throw error
        }
    }

    private func worker(_ answerTimeout: Duration?) async throws -> PostgresWorker {
        let worker = PostgresWorker(
            connectionString.hosts(try await password?()),
            answerSeconds: answerTimeout.map { $0 / .seconds(1) })
        try await worker.connect()
        return worker
    }
}
