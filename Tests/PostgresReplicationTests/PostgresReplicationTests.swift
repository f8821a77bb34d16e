import DataFileCore
import FleeceLite
import PostgresReplication
import Replication
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Replication with PostgreSQL", .enabled(if: PostgresServer.isInstalled))
struct PostgresReplicationTests {
    let server: PostgresServer
    let people = DocumentCollection(CollectionName.default)

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    @Test("sends the documents of one file to another one")
    func twoFiles() async throws {
        let endpoint = try server.endpoint()
        try await endpoint.prepare()
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        try await first.file.write { transaction in
            for number in 0..<10 {
                _ = try people.save("person-\(number)", in: transaction) {
                    try $0.writeJSON(#"{"name": "Ada", "age": \#(number)}"#)
                }
            }
        }
        let pushed = try await replicate(first, endpoint)
        #expect(pushed.pushed == 10 && pushed.pulled == 0)
        let pulled = try await replicate(second, endpoint)
        #expect(pulled.pulled == 10 && pulled.pushed == 0)
        #expect(try contents(of: first) == contents(of: second))
        let again = try await replicate(first, endpoint)
        #expect(again.pushed == 0 && again.pulled == 0)
    }

    private func replicate(
        _ store: TemporaryStore, _ endpoint: PostgresEndpoint
    ) async throws -> ReplicationReport {
        try await Replicator(
            store.file, to: endpoint, collections: [ReplicatedCollection(people)]
        ).run()
    }

    /// The ID, revision and body of each document.
    private func contents(of store: TemporaryStore) throws -> [String] {
        try store.file.read { snapshot in
            let info = try snapshot.fileInfo()
            let peer = try VersionVector.PeerID(try #require(info.publicUUID))
            var lines: [String] = []
            let records = try people.keyStore.records(RecordEnumerator.Options(), in: snapshot)
            while let record = try records.next() {
                let document = try #require(try people.get(record.key, in: snapshot))
                guard case .vector(let vector) = document.revisionID else { continue }
                let body = try document.body?.root.json(.init(canonical: true)) ?? ""
                lines.append("\(record.key) \(vector.globalized(local: peer).text) \(body)")
            }
            return lines
        }
    }
}
