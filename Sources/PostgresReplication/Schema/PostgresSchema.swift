internal import Replication

/// The tables of collections in a PostgreSQL database.
struct PostgresSchema: Sendable {
    /// The format of the tables.
    static let format = 2

    let name: String
    /// The number of buckets of new collections.
    let buckets: Int
    /// Whether this client waits for notifications.
    private let listens: Bool
    private let quoted: String

    init(_ name: String, buckets: Int, listens: Bool) throws {
        // The names of PostgreSQL have 63 bytes, and that of the channel is longer.
        guard !name.isEmpty, name.utf8.count < 56, !name.utf8.contains(0) else {
            throw ReplicationError(
                .invalidParameter, "\"\(name)\" is not the name of a schema of PostgreSQL")
        }
        self.name = name
        self.buckets = buckets
        self.listens = listens
        quoted = PostgresConnection.quoted(name)
    }

    /// The name of a table.
    func table(_ table: String) -> String { "\(quoted).\(table)" }

    /// The channel of notifications; their content is the number of a collection.
    var channel: String { "\(name)_changes" }

    /// Whether the server notifies this client of changes; CockroachDB cannot.
    func listens(on connection: PostgresConnection) -> Bool {
        listens && !connection.isCockroach
    }

    /// The statements that create the tables.
    var creation: [String] {
        [
            "CREATE SCHEMA IF NOT EXISTS \(quoted)",
            """
            CREATE TABLE IF NOT EXISTS \(table("meta")) (
              format int NOT NULL,
              server text NOT NULL  -- the source of changes that are made by SQL
            )
            """,
            """
            INSERT INTO \(table("meta")) (format, server)
            SELECT \(Self.format), left(translate(encode(decode(
              replace(gen_random_uuid()::text, '-', ''), 'hex'), 'base64'), '=', ''), 22)
            WHERE NOT EXISTS (SELECT 1 FROM \(table("meta")))
            """,
            """
            CREATE TABLE IF NOT EXISTS \(table("collections")) (
              coll int PRIMARY KEY,
              scope text NOT NULL,
              name text NOT NULL,
              buckets smallint NOT NULL,
              UNIQUE (scope, name)
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS \(table("feeds")) (
              coll int,
              bucket smallint,
              last_seq bigint NOT NULL DEFAULT 0,
              min_seq bigint NOT NULL DEFAULT 0,  -- tombstones up to here are gone
              PRIMARY KEY (coll, bucket)
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS \(table("docs")) (
              coll int,
              bucket smallint,
              id text COLLATE "C",
              seq bigint NOT NULL,
              rev text NOT NULL,
              history text NOT NULL,
              flags smallint NOT NULL,
              body jsonb,   -- NULL for a tombstone
              extra bytea,  -- Fleece, where JSON is not exact
              source text NOT NULL,
              changed timestamptz NOT NULL DEFAULT now(),
              PRIMARY KEY (coll, bucket, id)
            )
            """,
            """
            CREATE INDEX IF NOT EXISTS docs_seq ON \(table("docs")) (coll, bucket, seq)
            """,
            """
            CREATE TABLE IF NOT EXISTS \(table("checkpoints")) (
              id text PRIMARY KEY,
              body text NOT NULL
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS \(table("blobs")) (
              digest text,
              piece int,
              bytes bytea NOT NULL,
              PRIMARY KEY (digest, piece)
            )
            """,
        ]
    }

    /// The statements that upgrade tables of format 1, and change no others.
    var upgrade: [String] {
        [
            // The rows stay as they are: all of them have the time of the upgrade.
            """
            ALTER TABLE \(table("docs"))
              ADD COLUMN IF NOT EXISTS changed timestamptz NOT NULL DEFAULT now()
            """,
            "UPDATE \(table("meta")) SET format = \(Self.format) WHERE format = 1",
        ]
    }

    /// Creates the tables, or upgrades them.
    func create(_ connection: PostgresConnection) throws {
        _ = try connection.run(creation.map { PostgresStatement($0) })
        // Not always: it waits for all transactions that use the table.
        guard try format(connection) == 1 else { return try check(connection) }
        _ = try connection.run(upgrade.map { PostgresStatement($0) })
    }

    private func format(_ connection: PostgresConnection) throws -> Int64? {
        let result = try connection.run("SELECT format FROM \(table("meta"))")
        return result.count > 0 ? result.int(0, 0) : nil
    }

    /// Checks that the tables are there and have a known format.
    func check(_ connection: PostgresConnection) throws {
        let found: Int64?
        do {
            found = try format(connection)
        } catch let error as ReplicationError where error.code == .incompatible {
            throw ReplicationError(
                .incompatible,
                "the database has no tables in the schema \(name); create them with "
                    + "PostgresEndpoint.prepare() or kvtool sync init", underlying: error)
        }
        guard let format = found else {
            throw ReplicationError(.incompatible, "the table \(table("meta")) has no row")
        }
        guard format >= Int64(Self.format) else {
            throw ReplicationError(
                .incompatible,
                "the tables in the schema \(name) have format \(format); upgrade them to format "
                    + "\(Self.format) with PostgresEndpoint.prepare() or kvtool sync init")
        }
        guard format == Int64(Self.format) else {
            throw ReplicationError(
                .incompatible,
                "the tables in the schema \(name) have format \(format); this version knows "
                    + "format \(Self.format)")
        }
    }
}
