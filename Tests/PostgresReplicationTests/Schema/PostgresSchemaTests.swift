import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@Suite("The tables at a server", .enabled(if: PostgresServer.isInstalled))
struct PostgresSchemaTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    /// What the first version created, and a collection with a document and a tombstone.
    private func createFormat1() throws {
        try server.sql(
            """
            CREATE SCHEMA \(name);
            CREATE TABLE \(name).meta (format int NOT NULL, server text NOT NULL);
            INSERT INTO \(name).meta VALUES (1, 'AAECAwQFBgcICQoLDA0ODw');
            CREATE TABLE \(name).collections (coll int PRIMARY KEY, scope text NOT NULL,
              name text NOT NULL, buckets smallint NOT NULL, UNIQUE (scope, name));
            CREATE TABLE \(name).feeds (coll int, bucket smallint,
              last_seq bigint NOT NULL DEFAULT 0, min_seq bigint NOT NULL DEFAULT 0,
              PRIMARY KEY (coll, bucket));
            CREATE TABLE \(name).docs (coll int, bucket smallint, id text COLLATE "C",
              seq bigint NOT NULL, rev text NOT NULL, history text NOT NULL,
              flags smallint NOT NULL, body jsonb, extra bytea, source text NOT NULL,
              PRIMARY KEY (coll, bucket, id));
            CREATE INDEX docs_seq ON \(name).docs (coll, bucket, seq);
            CREATE TABLE \(name).checkpoints (id text PRIMARY KEY, body text NOT NULL);
            CREATE TABLE \(name).blobs (digest text, piece int, bytes bytea NOT NULL,
              PRIMARY KEY (digest, piece));
            INSERT INTO \(name).collections VALUES (1, '_default', '_default', 1);
            INSERT INTO \(name).feeds VALUES (1, 0, 2, 0);
            INSERT INTO \(name).docs VALUES
              (1, 0, 'ada', 1, '18ec6422e6240000@AAECAwQFBgcICQoLDA0ODw', '', 0,
               '{"age": 36}', NULL, ''),
              (1, 0, 'bob', 2, '18ec6422e6250000@AAECAwQFBgcICQoLDA0ODw', '', 1, NULL, NULL, '');
            """)
    }

    @Test("of format 1 are upgraded and keep their rows", arguments: [false, true])
    func upgrade(byAdministrator: Bool) async throws {
        try createFormat1()
        let device = try Device(endpoint)
        let error = await #expect(throws: ReplicationError.self) { try await device.replicate() }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("upgrade") == true)
        if byAdministrator {
            try server.sql(endpoint.preparationSQL)
        } else {
            try await endpoint.prepare()
        }
        #expect(
            try server.sql("SELECT format, server FROM \(name).meta")
                == ["2|AAECAwQFBgcICQoLDA0ODw"])
        try await device.save("cyd", "{}")
        let report = try await device.replicate()
        #expect(report.pushed == 1 && report.rejectionCount == 0)
        #expect(try await device.body("ada") == #"{"age":36}"#)
        #expect(
            try server.sql("SELECT id, flags FROM \(name).docs ORDER BY id")
                == ["ada|0", "bob|1", "cyd|0"])
        guard !byAdministrator else { return }
        #expect(
            try server.sql(
                """
                SELECT id, changed <= now() FROM \(name)."_default._default" ORDER BY id
                """) == ["ada|t", "cyd|t"])
    }

    @Test("can be prepared again, and keep what they have")
    func preparedAgain() async throws {
        for _ in 0..<3 { try await endpoint.prepare() }
        let device = try Device(endpoint)
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        let server = try server.sql("SELECT format, server FROM \(name).meta")
        try await endpoint.prepare()
        #expect(try self.server.sql("SELECT format, server FROM \(name).meta") == server)
        #expect(
            try self.server.sql(#"SELECT id, body FROM \#(name)."_default._default""#)
                == [#"ada|{"age": 36}"#])
    }

    @Test("record when a document was changed")
    func changed() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await device.save("ada", "{}")
        try await device.replicate()
        try server.sql("UPDATE \(name).docs SET changed = '2001-01-01'")
        try await device.save("ada", #"{"age": 36}"#)
        try await device.replicate()
        #expect(
            try server.sql("SELECT changed > now() - interval '1 hour' FROM \(name).docs")
                == ["t"])
    }
}
