import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A copied file", .enabled(if: PostgresServer.isInstalled))
struct CopiedFileTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    /// A device with two documents that the server has, and its copy with the same UUIDs.
    private func copied() async throws -> (original: Device, copy: Device) {
        try await endpoint.prepare()
        let original = try Device(endpoint)
        try await original.save("ada", #"{"age": 36}"#)
        try await original.save("bob", #"{"age": 40}"#)
        try await original.replicate()
        let copy = try Device(endpoint, store: TemporaryStore(copyOf: original.store.path))
        return (original, copy)
    }

    /// Saves a document with a later version than that of another file. The clock of a copy is
    /// ahead by up to a second, as after a crash.
    private func save(
        _ id: String, _ json: String, _ device: Device, after other: Device
    ) async throws {
        let latest = try await time(id, other)
        repeat { try await device.save(id, json) } while try await time(id, device) <= latest
    }

    private func time(_ id: String, _ device: Device) async throws -> LogicalTime {
        let document = try await device.store.file.read { try Device.people.get(id, in: $0) }
        guard case .vector(let vector)? = document?.revisionID else { return .zero }
        return vector.first.time
    }

    @Test("with the UUIDs of the original is noticed, and loses no change of other documents")
    func sameUUIDs() async throws {
        let (original, copy) = try await copied()
        try await original.save("ada", #"{"age": 37}"#)
        try await copy.save("bob", #"{"age": 41}"#)
        try await copy.save("cyd", #"{"age": 50}"#)
        #expect(try await original.replicate().collectionsComparedAgain == [])
        #expect(try await copy.replicate().collectionsComparedAgain == ["_default"])
        #expect(try await original.replicate().collectionsComparedAgain == ["_default"])
        #expect(try await original.replicate().collectionsComparedAgain == [])
        let contents = try await original.contents()
        #expect(contents.count == 3)
        #expect(try await original.body("ada") == #"{"age":37}"#)
        #expect(try await original.body("bob") == #"{"age":41}"#)
        #expect(try await copy.contents() == contents)
        #expect(try await Device(endpoint).received() == contents)
    }

    @Test("reports a change of one document that a later one of the original replaces")
    func overtaken() async throws {
        let (original, copy) = try await copied()
        try await copy.save("ada", #"{"age": 37}"#)
        try await save("ada", #"{"age": 38}"#, original, after: copy)
        #expect(try await original.replicate().conflictCount == 0)
        let report = try await copy.replicate()
        #expect(report.conflicts.map(\.id) == ["ada"])
        #expect(report.conflicts.allSatisfy { $0.isResolved })
        #expect(try await copy.body("ada") == #"{"age":38}"#)
        // Not when it only catches up.
        try await original.save("ada", #"{"age": 39}"#)
        try await original.replicate()
        #expect(try await copy.replicate().conflictCount == 0)
    }

    @Test("does not hide what a restored server has lost")
    func restoredServer() async throws {
        let (original, copy) = try await copied()
        for age in 0..<100 { try await copy.save("bob", #"{"age": \#(age)}"#) }
        try await copy.replicate()
        let backup = try TableBackup(server, name)
        try await original.save("cyd", #"{"age": 50}"#)
        try await original.replicate()
        try backup.restore()
        #expect(try await original.replicate().collectionsComparedAgain == ["_default"])
        let contents = try await original.contents()
        #expect(contents.count == 3)
        #expect(try await Device(endpoint).received() == contents)
    }

    @Test("with new UUIDs is a device of its own, and its documents are not conflicts")
    func newUUIDs() async throws {
        let (original, _) = try await copied()
        let other = try Device(endpoint)
        try await other.replicate()
        try await other.save("bob", #"{"age": 41}"#)
        try await other.replicate()
        try await original.replicate()
        try await original.delete("ada")
        try await original.save("cyd", "{}")
        try await original.replicate()
        let directory = try TemporaryDirectory()
        let path = directory("copy.cblite2")
        try await original.store.file.copy(to: path, newUUIDs: true)
        let copy = try Device(endpoint, store: TemporaryStore(copyOf: path))
        var report = try await copy.replicate()
        #expect(report.pushed == 0 && report.rejectionCount == 0)
        #expect(try await copy.contents() == (try await original.contents()))
        // From now on changes of both are conflicts.
        try await copy.save("bob", #"{"age": 42}"#)
        try await save("bob", #"{"age": 43}"#, original, after: copy)
        try await original.replicate()
        report = try await copy.replicate()
        #expect(report.conflicts.map(\.id) == ["bob"])
        #expect(report.collectionsComparedAgain == [])
        try await original.replicate()
        #expect(try await copy.contents() == (try await original.contents()))
        #expect(try await copy.body("bob") == #"{"age":43}"#)
    }
}
