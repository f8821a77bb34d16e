import DataFileCore
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// Many random edits while everything fails that can: tasks are cancelled, connections and the
/// network are lost, clients are killed, the server crashes and at last is lost, clocks jump.
///
/// `STORE_SYNC_WORLDS` is the number of seeds, `STORE_SYNC_WORLD` the first one, and
/// `STORE_SYNC_WORLD_EDITS` the number of edits.
@Suite(
    "Three files and a server that fail", .enabled(if: PostgresServer.isInstalled),
    .timeLimit(.minutes(60)))
struct ReplicationPropertyTests {
    private static let first = UInt64(TestEnvironment.number("STORE_SYNC_WORLD", or: 3))
    private static let count = UInt64(TestEnvironment.number("STORE_SYNC_WORLDS", or: 2))
    private static let edits = TestEnvironment.number("STORE_SYNC_WORLD_EDITS", or: 300)

    @Test(
        "end with the same documents, and without the loss of an edit",
        arguments: first..<(first + count), [Versioning.versionVectors, .treesInExtra])
    func converge(seed: UInt64, versioning: Versioning) async throws {
        let world = try await UnreliableWorld(seed: seed, versioning: versioning)
        for edit in 0..<Self.edits {
            if edit == Self.edits / 2 { try await world.failOver() }
            try await world.edit(edit)
            try await world.proceed(edit)
        }
        try await world.settle()
        let devices = world.devices.map(\.device)
        let new = try world.newDevice().device
        _ = try await new.received()
        let contents = try await contents(devices[0], world)
        for device in devices.dropFirst() + [new] {
            let other = try await self.contents(device, world)
            let difference = Set(other).symmetricDifference(contents).sorted()
            #expect(difference.isEmpty)
        }
        for device in devices {
            #expect(try await device.store.file.integrityCheck().findings.isEmpty)
        }
        guard world.merges else { return }
        let names = try await devices[0].propertyNames()
        let lost = (0..<Self.edits).filter { !names.contains("edit-\($0)") }
        #expect(lost.isEmpty)
    }

    /// Without tombstones where the server has removed some: files have those that they received.
    private func contents(_ device: Device, _ world: UnreliableWorld) async throws -> [String] {
        world.removesTombstones ? try await device.live() : try await device.contents()
    }
}
