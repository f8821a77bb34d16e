import DataFileCore
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// Many random edits while connections are lost, tasks are cancelled and clocks jump.
///
/// `STORE_SYNC_WORLDS` is the number of seeds, `STORE_SYNC_WORLD` the first one, and
/// `STORE_SYNC_WORLD_EDITS` the number of edits.
@Suite("Three files and a listener that fail", .timeLimit(.minutes(60)))
struct ListenerPropertyTests {
    private static let first = UInt64(TestEnvironment.number("STORE_SYNC_WORLD", or: 3))
    private static let count = UInt64(TestEnvironment.number("STORE_SYNC_WORLDS", or: 2))
    private static let edits = TestEnvironment.number("STORE_SYNC_WORLD_EDITS", or: 300)

    @Test(
        "end with the same documents, and without the loss of an edit",
        arguments: first..<(first + count), [Versioning.versionVectors, .treesInExtra])
    func converge(seed: UInt64, versioning: Versioning) async throws {
        let world = try await UnreliableListener(seed: seed, versioning: versioning)
        for edit in 0..<Self.edits {
            try await world.edit(edit)
            try await world.proceed(edit)
        }
        try await world.settle()
        let contents = try await world.served.contents()
        let new = try world.newDevice().device
        _ = try await new.received()
        for device in world.devices.map(\.device) + [new] {
            let difference = try await Set(device.live())
                .symmetricDifference(world.served.live()).sorted()
            #expect(difference.isEmpty, "seed \(seed)")
            #expect(try await device.store.file.integrityCheck().findings.isEmpty)
        }
        for device in world.devices.map(\.device) {
            let difference = try await Set(device.contents()).symmetricDifference(contents)
            #expect(difference.isEmpty, "seed \(seed): \(difference.sorted())")
        }
        if world.merges {
            let names = try await world.served.propertyNames()
            let lost = (0..<Self.edits).filter { !names.contains("edit-\($0)") }
            #expect(lost.isEmpty, "seed \(seed)")
        }
        await world.stop()
    }
}
