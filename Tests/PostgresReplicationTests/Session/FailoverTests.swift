import DataFileCore
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_SYNC_FAILOVERS` is the number of seeds.
@Suite("A server that fails over to a standby", .enabled(if: PostgresServer.isInstalled))
struct FailoverTests {
    static let seeds = TestEnvironment.number("STORE_SYNC_FAILOVERS", or: 2)
    private static let edits = 60

    private static func endpoint(
        _ servers: PostgresServer..., buckets: Int = 1
    ) async throws -> PostgresEndpoint {
        let url = PostgresServer.url(of: servers)
        let endpoint = try PostgresEndpoint(url, schema: "test", buckets: buckets)
        try await endpoint.prepare()
        return endpoint
    }

    /// Replicates until the server answers.
    private static func replicate(_ device: Device) async throws {
        while true {
            do {
                try await device.replicate()
                return
            } catch let error as ReplicationError where error.isTransient {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test("is found behind a host that is silent")
    func silentHost() async throws {
        let server = try #require(PostgresServer.shared)
        // It accepts connections, and says nothing.
        let (file, port) = try Loopback.bound()
        defer { close(file) }
        try #require(listen(file, 8) == 0)
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        let hosts = "host=127.0.0.1,\(server.directory.path) port=\(port),5432"
        let both = try PostgresEndpoint(
            "\(hosts) user=store dbname=postgres connect_timeout=2 sslmode=disable", schema: name)
        let device = try Device(both)
        try await device.save("a", "{}")
        #expect(try await device.replicate().pushed == 1)
    }

    @Test(
        "loses no edit that it acknowledged",
        arguments: 1...UInt64(seeds), [Versioning.versionVectors, .treesInExtra])
    func synchronous(seed: UInt64, versioning: Versioning) async throws {
        var random = SeededGenerator(seed: seed)
        let primary = try PostgresServer()
        let standby = try PostgresServer(standbyOf: primary, isSynchronous: true)
        let endpoint = try await Self.endpoint(primary, standby, buckets: random.pick([1, 3]))
        func device() throws -> Device {
            try Device(endpoint, versioning: versioning) { $0.resolver = .union }
        }
        let devices = try (0..<3).map { _ in try device() }
        for edit in 0..<Self.edits {
            try await random.pick(devices).add("edit-\(edit)", to: "doc-\(random.below(5))")
            if random.below(3) == 0 { try await Self.replicate(random.pick(devices)) }
            guard edit == Self.edits / 2 else { continue }
            // What only the server has when it fails.
            let lost = try device()
            try await lost.add("edit-lost", to: "doc-\(random.below(5))")
            try await Self.replicate(lost)
            let replications = devices.map { device in
                Task { try await Self.replicate(device) }
            }
            if random.below(2) == 0 { try await Task.sleep(for: .milliseconds(random.below(20))) }
            primary.stop()
            try standby.promote()
            for replication in replications { try await replication.value }
        }
        try await Device.settle(devices)
        let contents = try await devices[0].contents()
        for device in devices + [try device()] { #expect(try await device.received() == contents) }
        for edit in (0..<Self.edits).map({ "edit-\($0)" }) + ["edit-lost"] {
            #expect(contents.contains { $0.contains("\"\(edit)\"") }, "\(edit) is lost")
        }
    }

    @Test("whose standby lacks the last changes gets them from the files")
    func asynchronous() async throws {
        let primary = try PostgresServer()
        let standby = try PostgresServer(standbyOf: primary, isSynchronous: false)
        let endpoint = try await Self.endpoint(primary, standby)
        let (first, second, third) = (
            try Device(endpoint), try Device(endpoint), try Device(endpoint)
        )
        try await first.save("ada", #"{"age": 36}"#)
        try await first.save("bob", #"{"age": 40}"#)
        for device in [first, second, third] { try await device.replicate() }
        try standby.stopFollowing(primary)
        // From here on the standby has nothing.
        try await first.save("ada", #"{"age": 37}"#)
        try await first.save("cyd", #"{"age": 50}"#)
        try await first.delete("bob")
        try await first.replicate()
        try await second.replicate()
        let expected = try await second.contents()
        primary.stop()
        try standby.promote()
        // Only the second file has all of it; the first one is never seen again.
        try await third.save("dan", #"{"age": 60}"#)
        try await third.replicate()
        try await second.replicate()
        try await third.replicate()
        let contents = try await second.contents()
        #expect(contents.count == 4)
        #expect(contents.filter { !$0.hasPrefix("dan ") } == expected)
        #expect(try await third.contents() == contents)
        #expect(try await Device(endpoint).received() == contents)
        // Nor does it harm if it is.
        try await first.replicate()
        #expect(try await first.contents() == contents)
    }
}
