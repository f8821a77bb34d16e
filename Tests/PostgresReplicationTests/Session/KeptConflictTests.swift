import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A conflict that is kept", .enabled(if: PostgresServer.isInstalled))
struct KeptConflictTests {
    let endpoint: PostgresEndpoint

    init() throws {
        let server = try #require(PostgresServer.shared)
        endpoint = try server.endpoint()
    }

    /// Two files that have changed the same document; the second one keeps the conflict.
    private func conflicted(
        _ versioning: Versioning = .versionVectors
    ) async throws -> (first: Device, second: Device) {
        try await endpoint.prepare()
        let first = try Device(endpoint, versioning: versioning)
        let second = try Device(endpoint, versioning: versioning) { $0.resolver = .keep }
        try await first.save("x", #"{"n": 1}"#)
        try await first.replicate()
        try await second.replicate()
        try await first.save("x", #"{"n": 2}"#)
        try await second.save("x", #"{"n": 4}"#)
        try await first.replicate()
        let report = try await second.replicate()
        #expect(report.conflicts.map(\.id) == ["x"] && report.keptConflictCount == 1)
        return (first, second)
    }

    private func resolve(_ device: Device, _ resolution: ConflictResolution) async throws {
        try await device.store.file.write { transaction in
            _ = try Device.people.resolveConflicts(of: "x", in: transaction) { _, _ in resolution }
        }
    }

    @Test(
        "is reported by each replication until it is resolved",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func reported(versioning: Versioning) async throws {
        let (first, second) = try await conflicted(versioning)
        for _ in 0..<2 {
            let report = try await second.replicate()
            #expect(report.keptConflictCount == 1 && report.pushed == 0)
        }
        let replicator = Replicator(
            second.store.file, to: endpoint, collections: [second.settings])
        var pending = try #require(try await replicator.pending().first)
        #expect(pending.conflicts == 1 && pending.pushes == 0 && pending.pulls == 0)
        try await resolve(second, .keepCurrent)
        pending = try #require(try await replicator.pending().first)
        #expect(pending.conflicts == 0 && pending.pushes == 1)
        let report = try await second.replicate()
        #expect(report.keptConflictCount == 0 && report.pushed == 1)
        #expect(try await first.replicate().pulled == 1)
        #expect(try await first.body("x") == #"{"n":4}"#)
        #expect(try await second.replicate().conflictCount == 0)
    }

    @Test("is resolved by a later replication that knows how, with what both sides had")
    func later() async throws {
        var (first, second) = try await conflicted()
        // The one that the file had from the server is stored until then.
        second.settings.resolver = .custom { local, remote, ancestor in
            guard let mine = local["n"]?.int, let theirs = remote.properties?["n"]?.int,
                let before = ancestor?["n"]?.int
            else { return .keepCurrent }
            var merged = MutableFleeceDictionary()
            merged["n"] = .int(mine + theirs - before)
            return .merge(merged)
        }
        let report = try await second.replicate()
        #expect(report.conflictCount == 1 && report.keptConflictCount == 0 && report.pushed == 1)
        try await first.replicate()
        #expect(try await first.body("x") == #"{"n":5}"#)
        #expect(try await second.contents() == first.contents())
    }

    @Test("that a second change of the server meets has the same ancestor")
    func secondChange() async throws {
        var (first, second) = try await conflicted()
        try await first.save("x", #"{"n": 3}"#)
        try await first.replicate()
        second.settings.resolver = .custom { _, _, ancestor in
            #expect(ancestor?["n"]?.int == 1)
            return .takeOther
        }
        #expect(try await second.replicate().keptConflictCount == 0)
        #expect(try await second.body("x") == #"{"n":3}"#)
    }

    @Test("is known to a replication with another filter, too")
    func otherFilter() async throws {
        var (_, second) = try await conflicted()
        second.settings.filterName = "all"
        second.settings.pullFilter = { _ in true }
        #expect(try await second.replicate().keptConflictCount == 1)
        second.settings.documentIDs = ["y"]
        #expect(try await second.replicate().keptConflictCount == 0)
        second.settings.documentIDs = ["x"]
        second.settings.resolver = .remoteWins
        let report = try await second.replicate()
        #expect(report.conflictCount == 1 && report.keptConflictCount == 0)
    }

    @Test("by a resolver that fails is tried again, and reported with its error")
    func failing() async throws {
        struct Refusal: Error {}
        var (_, second) = try await conflicted()
        second.settings.resolver = .custom { _, _, _ in throw Refusal() }
        let report = try await second.replicate()
        #expect(report.keptConflictCount == 1 && report.rejections.map(\.id) == ["x"])
        #expect(report.rejections.first?.reason.contains("Refusal") == true)
        second.settings.resolver = .remoteWins
        #expect(try await second.replicate().rejectionCount == 0)
        #expect(try await second.body("x") == #"{"n":2}"#)
    }

    @Test("whose resolver merges what no document may have is kept, and tried again")
    func invalid() async throws {
        var (_, second) = try await conflicted()
        second.settings.resolver = .custom { _, _, _ in .merge(["_id": "x"]) }
        for _ in 0..<2 {
            let report = try await second.replicate()
            #expect(report.keptConflictCount == 1 && report.rejections.map(\.id) == ["x"])
        }
        second.settings.resolver = .remoteWins
        #expect(try await second.replicate().rejectionCount == 0)
        #expect(try await second.body("x") == #"{"n":2}"#)
    }

    /// The first file deletes the document, and the server forgets that.
    private func deleteAndForget(_ first: Device) async throws {
        try await first.delete("x")
        try await first.replicate()
        #expect(try await endpoint.removeTombstones(olderThan: .zero) == 1)
    }

    @Test("and resolved with what the server has deleted and forgotten is a later change")
    func forgottenBefore() async throws {
        let (first, second) = try await conflicted()
        try await deleteAndForget(first)
        try await resolve(second, .takeOther)
        #expect(try await second.replicate().pushed == 1)
        let third = try Device(endpoint)
        try await Device.settle([first, second, third])
        #expect(try await first.body("x") == #"{"n":2}"#)
        #expect(try await first.contents() == third.contents())
        #expect(try await second.contents() == third.contents())
    }

    @Test("with what the server has deleted and forgotten, and resolved by the next replication")
    func forgottenMeanwhile() async throws {
        var (first, second) = try await conflicted()
        try await deleteAndForget(first)
        second.settings.resolver = .remoteWins
        let report = try await second.replicate()
        #expect(report.conflictCount == 1 && report.keptConflictCount == 0)
        let third = try Device(endpoint)
        try await Device.settle([first, second, third])
        #expect(try await first.contents() == third.contents())
        #expect(try await second.contents() == third.contents())
    }

    @Test(
        "with a document that the server has deleted and forgotten is sent again, whatever wins",
        arguments: [false, true])
    func forgotten(takesOther: Bool) async throws {
        let (first, second) = try await conflicted()
        try await deleteAndForget(first)
        let report = try await second.replicate()
        #expect(report.compared == 1 && report.removed == 0 && report.keptConflictCount == 1)
        try await resolve(second, takesOther ? .takeOther : .keepCurrent)
        #expect(try await second.replicate().pushed == 1)
        let third = try Device(endpoint)
        try await third.replicate()
        #expect(try await third.body("x") == (takesOther ? #"{"n":2}"# : #"{"n":4}"#))
        // For the file that deleted it, it is a conflict, which the later change wins.
        #expect(try await first.replicate().conflictCount == 1)
        try await Device.settle([first, second, third])
        #expect(try await first.body("x") == (takesOther ? #"{"n":2}"# : nil))
        #expect(try await second.contents() == first.contents())
        #expect(try await third.contents() == first.contents())
    }
}
