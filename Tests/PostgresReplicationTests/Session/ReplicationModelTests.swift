import DataFileCore
import FleeceLite
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// Random edits on three files that replicate with one server, with lost connections and cancelled
/// replications in between. `STORE_SYNC_SEEDS` is the number of seeds, `STORE_SYNC_EDITS` that of
/// edits.
@Suite("Random replications", .enabled(if: PostgresServer.isInstalled))
struct ReplicationModelTests {
    static let seeds = number("STORE_SYNC_SEEDS") ?? 4
    static let edits = number("STORE_SYNC_EDITS") ?? 120

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    @Test(
        "end with the same documents everywhere",
        arguments: 1...UInt64(seeds), [Versioning.versionVectors, .treesInExtra])
    func converge(seed: UInt64, versioning: Versioning) async throws {
        var random = SeededGenerator(seed: seed)
        let (endpoint, name) = try server.namedEndpoint(buckets: random.pick([1, 3]))
        try await endpoint.prepare()
        let devices = try (0..<3).map { _ in try Device(endpoint, versioning: versioning) }
        for _ in 0..<Self.edits {
            let device = random.pick(devices)
            let id = "doc-\(random.below(8))"
            if random.below(4) == 0, try await device.body(id) != nil {
                try await device.delete(id)
            } else {
                try await device.save(id, #"{"value": \#(random.below(1000))}"#)
            }
            if random.below(3) == 0 { await disturbed(random.pick(devices), name, &random) }
        }
        try await Device.settle(devices)
        let contents = try await devices[0].contents()
        #expect(try await devices[1].contents() == contents)
        #expect(try await devices[2].contents() == contents)
        #expect(try await Device(endpoint, versioning: versioning).received() == contents)
        for device in devices {
            #expect(try await device.store.file.integrityCheck().findings.isEmpty)
        }
    }

    @Test(
        "end with the same documents everywhere while the server removes tombstones",
        arguments: 1...UInt64(seeds), [Versioning.versionVectors, .treesInExtra])
    func removals(seed: UInt64, versioning: Versioning) async throws {
        var random = SeededGenerator(seed: seed)
        let (endpoint, name) = try server.namedEndpoint(buckets: random.pick([1, 3]))
        try await endpoint.prepare()
        let devices = try (0..<3).map { _ in try Device(endpoint, versioning: versioning) }
        for _ in 0..<Self.edits {
            let device = random.pick(devices)
            let id = "doc-\(random.below(8))"
            if random.below(3) == 0, try await device.body(id) != nil {
                try await device.delete(id)
            } else {
                try await device.save(id, #"{"value": \#(random.below(1000))}"#)
            }
            if random.below(3) == 0 { await disturbed(random.pick(devices), name, &random) }
            if random.below(8) == 0 { try await endpoint.removeTombstones(olderThan: .zero) }
        }
        try await Device.settle(devices)
        // Some files have tombstones that others never received.
        let live = try await devices[0].live()
        #expect(try await devices[1].live() == live)
        #expect(try await devices[2].live() == live)
        let new = try Device(endpoint, versioning: versioning)
        _ = try await new.received()
        #expect(try await new.live() == live)
    }

    @Test(
        "end with the same documents everywhere while documents are edited by SQL",
        arguments: 1...UInt64((seeds + 1) / 2), [Versioning.versionVectors, .treesInExtra])
    func editing(seed: UInt64, versioning: Versioning) async throws {
        var random = SeededGenerator(seed: seed)
        let (endpoint, name) = try server.namedEndpoint(buckets: random.pick([1, 3]))
        try await endpoint.prepare(editingBySQL: true)
        let writer = SQLWriter(server: server, schema: name)
        let devices = try (0..<2).map { _ in try Device(endpoint, versioning: versioning) }
        try await devices[0].save("doc-0", "{}")
        try await devices[0].replicate()
        for _ in 0..<Self.edits {
            let (device, id) = (random.pick(devices), "doc-\(random.below(8))")
            let body = #"{"value": \#(random.below(1000))}"#
            switch random.below(6) {
            case 0:
                if try writer.body(id) == nil {
                    try writer.insert(id, body)
                } else if random.below(3) == 0 {
                    try writer.delete(id)
                } else {
                    try writer.update(id, body)
                }
            case 1: if try await device.body(id) != nil { try await device.delete(id) }
            default: try await device.save(id, body)
            }
            if random.below(3) == 0 { await disturbed(random.pick(devices), name, &random) }
        }
        try await Device.settle(devices)
        let contents = try await devices[0].contents()
        #expect(try await devices[1].contents() == contents)
        #expect(try await Device(endpoint, versioning: versioning).received() == contents)
        for id in (0..<8).map({ "doc-\($0)" }) {
            #expect(try await devices[0].body(id) == writer.body(id))
        }
    }

    @Test("lose no edit that an application merges", arguments: 1...UInt64(seeds))
    func merge(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        let devices: [Device] = try (0..<3).map { _ in
            try Device(endpoint) { $0.resolver = .union }
        }
        for edit in 0..<Self.edits {
            let id = "doc-\(random.below(5))"
            try await random.pick(devices).add("edit-\(edit)", to: id)
            if random.below(3) == 0 { await disturbed(random.pick(devices), name, &random) }
        }
        try await Device.settle(devices)
        let contents = try await devices[0].contents()
        #expect(try await devices[1].contents() == contents)
        #expect(try await devices[2].contents() == contents)
        for edit in 0..<Self.edits {
            #expect(contents.contains { $0.contains("\"edit-\(edit)\"") }, "edit-\(edit) is lost")
        }
    }

    /// Replicates; sometimes the server ends the connection, or the task is cancelled.
    private func disturbed(
        _ device: Device, _ name: String, _ random: inout SeededGenerator
    ) async {
        let disturbance = random.below(4)
        let delay = UInt64(random.below(8)) * 1_000_000
        let replication = Task { _ = try await device.replicate() }
        switch disturbance {
        case 0:
            try? await Task.sleep(nanoseconds: delay)
            replication.cancel()
        case 1:
            _ = try? server.sql(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = '\(name)'
                """)
        default: break
        }
        _ = await replication.result
    }
}
