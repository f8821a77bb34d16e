import DataFileCore
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A server without statistics of a collection", .enabled(if: PostgresServer.isInstalled))
struct MissingStatisticsTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    private static let source = "7Ba0ItM3Tm6tiWdTRIIUQA"

    private func proposal(_ number: Int) -> ProposedRevision {
        let document = RemoteDocument(
            id: "d\(number)", revision: "18ec6422e6242000@\(Self.source)",
            body: Array(#"{"changed":true}"#.utf8))
        return ProposedRevision(document, base: "18ec6422e6241000@\(Self.source)")
    }

    /// How many entries of indexes were read, and rows of the table without one, once the writes
    /// are counted.
    private func reads(after writes: Int) async throws -> Int {
        let table = "relid = '\(name).docs'::regclass"
        let counted = "SELECT n_tup_upd FROM pg_stat_user_tables WHERE \(table)"
        for _ in 0..<1200 {
            if try await server.run(counted).first.flatMap({ Int($0) }) == writes {
                return try await reads()
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the server has not counted \(writes) writes")
        return 0
    }

    private func reads() async throws -> Int {
        let table = "relid = '\(name).docs'::regclass"
        let sum = """
            SELECT seq_tup_read
              + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE \(table))
            FROM pg_stat_user_tables WHERE \(table)
            """
        return try #require(try await server.run(sum).first.flatMap { Int($0) })
    }

    /// Documents by SQL, 100,000 of them.
    private func fill(_ collection: String) -> String {
        """
        INSERT INTO \(name).docs (coll, bucket, id, seq, rev, history, flags, body, source)
        SELECT \(collection), f.bucket, 'd' || n, n, '18ec6422e6241000@\(Self.source)', '', 0,
          jsonb_build_object('text', repeat('x', 300)), ''
        FROM \(name).feeds AS f, generate_series(1, 100000) AS n
        """
    }

    @Test(
        "finds documents by their keys, and does not read all of them for each batch",
        arguments: [false, true])
    func keys(knowsAnotherCollection: Bool) async throws {
        try await endpoint.prepare()
        let session = try await endpoint.connect()
        let remote = try await session.open(.default)
        _ = try await server.run(
            """
            ALTER TABLE \(name).docs SET (autovacuum_enabled = false);
            \(knowsAnotherCollection ? fill("f.coll - 1") + "; ANALYZE \(name).docs;" : "")
            \(fill("f.coll"));
            UPDATE \(name).feeds SET last_seq = 100000
            """)
        let before = try await reads(after: 0)
        let (results, _) = try await remote.propose((1...100).map { proposal($0 * 900) }, at: nil)
        for result in results {
            guard case .accepted = result else {
                Issue.record("\(result)")
                continue
            }
        }
        let found = try await remote.revisionIDs(of: (1...100).map { "d\($0 * 800)" })
        #expect(found.count == 100)
        let bodies = try await remote.revisions(of: (1...100).map { "d\($0 * 700)" })
        #expect(bodies.documents.count == 100)
        await session.close()
        // Each of the 300 is looked up at most three times.
        #expect(try await reads(after: 100) - before < 2_000)
    }
}
