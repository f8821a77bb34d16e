import DataFileCore
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite(
    "A program in Python",
    .enabled(if: PostgresServer.isInstalled),
    .enabled(
        if: Python.interpreter != nil,
        "no Python with psycopg: run Scripts/bootstrap, or pip install 'psycopg[binary]'"))
struct ForeignWriterTests {
    let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    /// Inserts, updates and deletes documents; an update that meets another one is run again.
    private static let program = #"""
        import json, sys
        import psycopg
        from psycopg.types.json import Jsonb

        directory, schema, documents = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
        view = f'{schema}."_default._default"'
        with psycopg.connect(f"host={directory} user=store dbname=postgres") as connection:
            with connection.cursor() as cursor:
                cursor.executemany(
                    f"INSERT INTO {view} (id, body) VALUES (%s, %s)",
                    [(id, Jsonb(body)) for id, body in documents.items()])
                cursor.execute(
                    f"UPDATE {view} SET body = body || %s WHERE body->>'state' = 'new'",
                    (Jsonb({"state": "seen"}),))
                print(cursor.rowcount)
                cursor.execute(f"DELETE FROM {view} WHERE id = %s RETURNING body", ("old",))
                print(json.dumps(cursor.fetchone()[0], sort_keys=True))
            connection.commit()
            try:
                connection.execute(f"INSERT INTO {view} (id, body) VALUES ('x', '3')")
            except psycopg.errors.CheckViolation as error:
                print(error.diag.message_primary)
        """#

    @Test(
        "writes documents that files receive",
        arguments: [1, 7], [Versioning.versionVectors, .treesInExtra])
    func psycopg(buckets: Int, versioning: Versioning) async throws {
        let (endpoint, name) = try server.namedEndpoint(buckets: buckets)
        try await endpoint.prepare(editingBySQL: true)
        let devices = try (0..<2).map { _ in try Device(endpoint, versioning: versioning) }
        try await devices[0].save("old", #"{"age": 99}"#)
        try await devices[0].save("ada", #"{"state": "new"}"#)
        for device in devices { try await device.replicate() }
        let output = try Python.run(
            Self.program,
            [
                server.directory.path, name,
                #"{"bob": {"state": "new"}, "Zoë": {"tags": ["a", null, 1.5]}}"#,
            ])
        #expect(
            output == ["2", #"{"age": 99}"#, #"the body of document "x" is not a JSON object"#])
        for device in devices {
            let report = try await device.replicate()
            #expect(report.pulled == 4 && report.pushed == 0 && report.conflictCount == 0)
        }
        #expect(try await devices[0].body("old") == nil)
        #expect(try await devices[0].body("ada") == #"{"state":"seen"}"#)
        #expect(try await devices[0].body("bob") == #"{"state":"seen"}"#)
        #expect(try await devices[0].body("Zoë") == #"{"tags":["a",null,1.5]}"#)
        #expect(try await devices[0].contents() == devices[1].contents())
    }
}
