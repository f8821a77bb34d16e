import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A server that has removed tombstones", .enabled(if: PostgresServer.isInstalled))
struct RemovedTombstoneTests {
    let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    private func prepared(buckets: Int = 1) async throws -> (PostgresEndpoint, String) {
        let (endpoint, name) = try server.namedEndpoint(buckets: buckets)
        try await endpoint.prepare()
        return (endpoint, name)
    }

    /// Documents that both devices and the server have.
    private func share(_ ids: [String], _ first: Device, _ others: Device...) async throws {
        try await first.store.file.write { transaction in
            for id in ids {
                _ = try Device.people.save(id, in: transaction) {
                    try $0.writeJSON(#"{"id": "\#(id)"}"#)
                }
            }
        }
        try await first.replicate()
        for other in others { try await other.replicate() }
    }

    @Test(
        "removes the documents from a file that was away",
        arguments: [1, 7], [Versioning.versionVectors, .treesInExtra])
    func away(buckets: Int, versioning: Versioning) async throws {
        let (endpoint, name) = try await prepared(buckets: buckets)
        let first = try Device(endpoint, versioning: versioning)
        let second = try Device(endpoint, versioning: versioning)
        try await share(["ada", "bob", "cyd"], first, second)
        try await first.delete("bob")
        try await first.replicate()
        #expect(try await endpoint.removeTombstones(olderThan: .zero) == 1)
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["ada", "cyd"])
        try await first.save("ada", #"{"id": "new"}"#)
        try await first.replicate()
        var changes = try await second.store.file.changes(of: [Device.people.keyStore])[0]
            .makeAsyncIterator()
        let report = try await second.replicate()
        #expect(report.compared == 3 && report.removed == 1)
        #expect(report.pulled == 1 && report.pushed == 0 && report.rejectionCount == 0)
        // No tombstone is left either.
        let live = try await first.contents().filter { !$0.hasPrefix("bob ") }
        #expect(try await second.contents() == live)
        let change = await changes.next()?.changes.first { $0.key == "bob" }
        #expect(change?.kind == .purged)
        #expect(try await second.replicate().compared == 0)
        #expect(try await first.replicate().compared == 0)
    }

    @Test("removes only those that are old enough")
    func age() async throws {
        let (endpoint, name) = try await prepared()
        let first = try Device(endpoint)
        try await share(["ada", "bob", "cyd"], first)
        for id in ["ada", "bob"] {
            try await first.delete(id)
            try await first.replicate()
        }
        try server.sql(
            "UPDATE \(name).docs SET changed = now() - interval '91 days' WHERE id = 'ada'")
        #expect(try await endpoint.removeTombstones(olderThan: .seconds(90 * 86_400)) == 1)
        #expect(try await endpoint.removeTombstones(olderThan: .seconds(90 * 86_400)) == 0)
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["bob", "cyd"])
        #expect(try server.sql("SELECT last_seq, min_seq FROM \(name).feeds") == ["5|4"])
        await #expect(throws: ReplicationError.self) {
            try await endpoint.removeTombstones(olderThan: .seconds(-1))
        }
        #expect(
            try await endpoint.removeTombstones(
                olderThan: Duration(secondsComponent: .max, attosecondsComponent: 0)) == 0)
    }

    @Test("gets a document again that was changed while its deletion was removed")
    func changed() async throws {
        let (endpoint, name) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await share(["ada", "bob"], first, second)
        try await first.delete("bob")
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        try await second.save("bob", #"{"age": 40}"#)
        let report = try await second.replicate()
        #expect(report.compared == 1 && report.removed == 0 && report.pushed == 1)
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["ada", "bob"])
        // The change is later than the deletion, which the first file still has.
        #expect(try await first.replicate().conflictCount == 1)
        try await second.replicate()
        #expect(try await first.body("bob") == #"{"age":40}"#)
        #expect(try await first.contents() == second.contents())
    }

    @Test("needs no comparison with a new file")
    func newDevice() async throws {
        let (endpoint, _) = try await prepared()
        let first = try Device(endpoint)
        try await share((0..<2500).map { "doc-\($0)" }, first)
        try await first.delete("doc-0")
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        let second = try Device(endpoint)
        let report = try await second.replicate()
        #expect(report.pulled == 2499 && report.compared == 0)
        #expect(try await second.contents().count == 2499)
    }

    @Test("removes documents from a file whose first replication was interrupted")
    func interruptedFirst() async throws {
        let (endpoint, _) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await share((0..<2500).map { "doc-\($0)" }, first)
        let pull = Task {
            try await second.replicate { status in
                if status.report.pulled > 0 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await pull.value }
        #expect(try await second.contents().count == 2000)
        try await first.delete("doc-0")
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        let report = try await second.replicate()
        #expect(report.removed == 1 && report.pulled == 500)
        #expect(try await second.contents().count == 2499)
    }

    @Test(
        "ends with equal files where one begins again", arguments: [false, true],
        [Versioning.versionVectors, .treesInExtra])
    func beginsAgain(isReset: Bool, versioning: Versioning) async throws {
        let (endpoint, name) = try await prepared()
        let first = try Device(endpoint, versioning: versioning)
        let second = try Device(endpoint, versioning: versioning)
        try await share(["ada", "bob"], first, second)
        try await first.delete("bob")
        try await first.replicate()
        #expect(try await endpoint.removeTombstones(olderThan: .zero) == 1)
        // As after a first replication that was interrupted before its checkpoint.
        if isReset {
            let replicator = Replicator(
                second.store.file, to: endpoint, collections: [second.settings])
            #expect(try await replicator.reset())
        } else {
            try server.sql("DELETE FROM \(name).checkpoints")
        }
        try await second.replicate()
        let new = try Device(endpoint, versioning: versioning)
        try await Device.settle([first, second, new])
        let live = try await new.live()
        #expect(try await first.live() == live)
        #expect(try await second.live() == live)
    }

    @Test("compares again after an interruption")
    func interrupted() async throws {
        let (endpoint, name) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let ids = (0..<4500).map { "doc-\($0)" }
        try await share(ids, first, second)
        try await first.store.file.write { transaction in
            for id in ids where id.hasSuffix("7") {
                _ = try Device.people.delete(id, in: transaction)
            }
        }
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        let comparison = Task {
            try await second.replicate { status in
                if status.report.compared > 0 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await comparison.value }
        let left = try await second.contents().count
        #expect((4050..<4500).contains(left), "\(left)")
        let report = try await second.replicate()
        #expect(report.compared == left && report.removed == left - 4050)
        #expect(try await second.contents().count == 4050)
        #expect(try server.sql("SELECT count(*) FROM \(name).docs") == ["4050"])
    }

    @Test("and was restored gets what it lost from a later run, if the first one only receives")
    func restoredAndPulled() async throws {
        let (endpoint, name) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await share(["ada", "bob"], first, second)
        let backup = try TableBackup(server, name)
        try await first.save("cyd", #"{"n":1}"#)
        try await first.replicate()
        try backup.restore()
        try await second.delete("bob")
        try await second.replicate()
        var receiving = first
        receiving.settings.direction = .pull
        try await receiving.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        try await receiving.replicate()
        #expect(try await first.body("cyd") == #"{"n":1}"#)
        #expect(try await first.replicate().pushed == 1)
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["ada", "cyd"])
    }

    @Test("and was restored loses no document that another filter had sent")
    func restoredWithFilters() async throws {
        let (endpoint, name) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await share(["ada", "bob"], first, second)
        let backup = try TableBackup(server, name)
        try await first.save("cyd", #"{"n":1}"#)
        var other = first
        other.settings.filterName = "all"
        try await other.replicate()
        try backup.restore()
        try await second.delete("bob")
        try await second.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        try await first.replicate()
        #expect(try await first.body("cyd") == #"{"n":1}"#)
        try await other.replicate()
        #expect(try server.sql("SELECT id FROM \(name).docs WHERE id = 'cyd'") == ["cyd"])
    }

    @Test("and was restored from a backup gets what it lost, and no deleted document")
    func restored() async throws {
        let (endpoint, name) = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await share(["ada", "bob", "cyd"], first, second)
        try await first.delete("bob")
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        let backup = try TableBackup(server, name)
        try await second.save("dan", "{}")
        try await second.save("cyd", #"{"age": 50}"#)
        #expect(try await second.replicate().removed == 1)
        try await first.replicate()
        try backup.restore()
        let report = try await second.replicate()
        #expect(report.compared == 1 && report.removed == 0 && report.pushed == 2)
        try await first.replicate()
        #expect(try server.sql("SELECT id FROM \(name).docs ORDER BY id") == ["ada", "cyd", "dan"])
        let live = try await first.contents().filter { !$0.hasPrefix("bob ") }
        #expect(try await second.contents() == live)
        #expect(live.count == 3 && live[1].hasSuffix(#"{"age":50}"#))
    }

    @Test("and has a document of the same ID again replaces the old one without a conflict")
    func createdAgain() async throws {
        let (endpoint, _) = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(endpoint) { $0.resolver = .localWins }
        try await share(["ada", "bob"], first, second)
        try await first.delete("bob")
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        let third = try Device(endpoint)
        try await third.save("bob", #"{"age": 1}"#)
        try await third.replicate()
        let report = try await second.replicate()
        #expect(report.removed == 1 && report.conflictCount == 0 && report.pushed == 0)
        #expect(try await second.body("bob") == #"{"age":1}"#)
    }

    @Test("keeps documents that are not replicated")
    func filtered() async throws {
        let (endpoint, _) = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(endpoint)
        try await share(["ada", "bob", "cyd"], first, second)
        for id in ["ada", "bob", "cyd"] { try await first.delete(id) }
        try await first.replicate()
        try await endpoint.removeTombstones(olderThan: .zero)
        var third = second
        third.settings.pullFilter = { $0.id != "ada" }
        #expect(try await third.replicate().removed == 2)
        #expect(try await third.contents().map { $0.prefix(3) } == ["ada"])
    }

    @Test("is asked by a file that replicates with another server first")
    func secondRemote() async throws {
        let (endpoint, name) = try await prepared()
        let (other, _) = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(other)
        try await second.replicate()
        var moved = second
        moved.endpoint = endpoint
        try await share(["ada", "bob", "cyd"], first, moved)
        try await moved.save("dan", "{}")
        try await moved.replicate()
        try await first.delete("bob")
        try await first.replicate()
        try server.sql("UPDATE \(name).docs SET flags = 1, body = NULL WHERE id = 'dan'")
        #expect(try await endpoint.removeTombstones(olderThan: .zero) == 2)
        let report = try await moved.replicate()
        #expect(report.compared == 4 && report.removed == 2)
        #expect(try await moved.contents().map { $0.prefix(3) } == ["ada", "cyd"])
    }
}
