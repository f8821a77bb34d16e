import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A document that is not accepted", .enabled(if: PostgresServer.isInstalled))
struct RetriedDocumentTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    /// The server accepts no document with this number.
    private func refuse13() throws {
        try server.sql(
            "ALTER TABLE \(name).docs ADD CONSTRAINT small CHECK (body->>'n' IS DISTINCT FROM '13')"
        )
    }

    @Test("by the server is sent again by each replication, until it is accepted")
    func push() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try server.sql(
            "ALTER TABLE \(name).docs ADD CONSTRAINT small CHECK (body->>'n' IS DISTINCT FROM '13')"
        )
        try await device.save("a", #"{"n": 12}"#)
        try await device.save("b", #"{"n": 13}"#)
        let replicator = Replicator(device.store.file, to: endpoint, collections: [device.settings])
        for pushed in [1, 0, 0] {
            let report = try await device.replicate()
            #expect(report.pushed == pushed && report.rejections.map(\.id) == ["b"])
            #expect(try await replicator.pending().first?.pushes == 1)
        }
        try server.sql("ALTER TABLE \(name).docs DROP CONSTRAINT small")
        let report = try await device.replicate()
        #expect(report.pushed == 1 && report.rejectionCount == 0)
        #expect(try await replicator.pending().first?.pushes == 0)
        #expect(try await device.replicate().pushed == 0)
    }

    @Test("because a filter could not test it is tested again by the next replication")
    func filter() async throws {
        struct Refusal: Error {}
        try await endpoint.prepare()
        let source = try Device(endpoint)
        try await source.save("a", #"{"n": 12}"#)
        try await source.save("b", #"{"n": 13}"#)
        try await source.replicate()
        var device = try Device(endpoint)
        try await device.save("c", #"{"n": 13}"#)
        device.settings.pullFilter = { if $0["n"]?.int == 13 { throw Refusal() } else { true } }
        device.settings.pushFilter = device.settings.pullFilter
        for pulled in [1, 0] {
            let report = try await device.replicate()
            #expect(report.pulled == pulled && report.pushed == 0)
            #expect(report.rejections.map(\.id).sorted() == ["b", "c"])
            #expect(report.rejections.first?.reason.contains("Refusal") == true)
        }
        device.settings.pullFilter = { _ in true }
        device.settings.pushFilter = { _ in true }
        let report = try await device.replicate()
        #expect(report.pulled == 1 && report.pushed == 1 && report.rejectionCount == 0)
    }

    @Test("by the server stays known while only its changes are received")
    func pullMeanwhile() async throws {
        try await endpoint.prepare()
        var device = try Device(endpoint)
        try refuse13()
        try await device.save("b", #"{"n": 13}"#)
        #expect(try await device.replicate().rejectionCount == 1)
        device.settings.direction = .pull
        #expect(try await device.replicate().rejectionCount == 0)
        device.settings.direction = .both
        #expect(try await device.replicate().rejectionCount == 1)
        // An edit that is not accepted either is one more, not two.
        try await device.save("b", #"{"n": 13, "again": true}"#)
        #expect(try await device.replicate().rejectionCount == 1)
    }

    @Test("from the server is received again by each replication, until it is what it should be")
    func pull() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.save("a", #"{"n": 1}"#)
        try await first.save("b", #"{"n": 2}"#)
        try await first.replicate()
        let revision = try #require(
            try server.sql("SELECT rev FROM \(name).docs WHERE id = 'b'").first)
        try server.sql("UPDATE \(name).docs SET rev = 'no revision' WHERE id = 'b'")
        for pulled in [1, 0, 0] {
            let report = try await second.replicate()
            #expect(report.pulled == pulled && report.rejections.map(\.id) == ["b"])
        }
        // By hand, without a new sequence.
        try server.sql("UPDATE \(name).docs SET rev = '\(revision)' WHERE id = 'b'")
        let report = try await second.replicate()
        #expect(report.pulled == 1 && report.rejectionCount == 0)
        #expect(try await second.contents() == first.contents())
    }

    @Test("is not reported again and again by a continuous replication")
    func continuous() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try server.sql(
            "ALTER TABLE \(name).docs ADD CONSTRAINT small CHECK (body->>'n' IS DISTINCT FROM '13')"
        )
        try await device.save("b", #"{"n": 13}"#)
        var statuses = Replicator(
            device.store.file, to: endpoint, collections: [device.settings]
        ).start().makeAsyncIterator()
        for round in 1...3 {
            var status = await statuses.next()
            while let current = status, current.phase != .idle || current.report.pushed < round - 1
            {
                status = await statuses.next()
            }
            #expect(status?.report.rejectionCount == 1 && status?.report.pushed == round - 1)
            try await device.save("a-\(round)", "{}")
        }
    }
}
