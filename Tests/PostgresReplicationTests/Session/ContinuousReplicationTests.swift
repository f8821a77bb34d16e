import DataFileCore
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

@Suite("Continuous replication", .enabled(if: PostgresServer.isInstalled))
struct ContinuousReplicationTests {
    private let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    @Test("asks the server nothing while nothing changes", .timeLimit(.minutes(20)))
    func quiet() async throws {
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let settings = second.settings
        let following = Task {
            let replicator = Replicator(
                second.store.file, to: endpoint, collections: [settings])
            for await _ in replicator.start() {}
        }
        // A change of the server, then one of the file.
        let changes = try await second.store.file.changes(of: [Device.people.keyStore])
        try await first.save("ada", "{}")
        try await first.replicate()
        for await change in changes[0] where change.changes.contains(where: { $0.key == "ada" }) {
            break
        }
        try await second.save("bob", "{}")
        let arrived = "SELECT 1 FROM \(name).docs WHERE id = 'bob'"
        while try await server.run(arrived).isEmpty {}
        // The rounds that these changes have caused may go on for a while.
        var isQuiet = false
        for _ in 0..<100 where !isQuiet {
            let before = try await lastUse(name)
            for _ in 0..<20 { _ = try await server.run("SELECT 1") }
            isQuiet = try await lastUse(name) == before
        }
        #expect(isQuiet)
        following.cancel()
        await following.value
    }

    /// When the connections of a client were used for the last time.
    private func lastUse(_ name: String) async throws -> [String] {
        let sql = """
            SELECT pid, state_change FROM pg_stat_activity WHERE application_name = '\(name)'
            """
        return try await server.run(sql)
    }
}
