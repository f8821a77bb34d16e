import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Replication with PostgreSQL", .enabled(if: PostgresServer.isInstalled))
struct PostgresReplicationTests {
    let server: PostgresServer

    init() throws {
        server = try #require(PostgresServer.shared)
    }

    private func prepared(
        buckets: Int = 1, notifications: Bool = true
    ) async throws -> PostgresEndpoint {
        let endpoint = try server.endpoint(buckets: buckets, notifications: notifications)
        try await endpoint.prepare()
        return endpoint
    }

    private func expectEqual(_ device: Device, _ other: Device) async throws {
        let (contents, others) = (try await device.contents(), try await other.contents())
        #expect(contents == others, "\(contents)\n\(others)")
    }

    @Test("sends the documents of one file to another one", arguments: [1, 7])
    func twoFiles(buckets: Int) async throws {
        let endpoint = try await prepared(buckets: buckets)
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        for number in 0..<10 { try await first.save("person-\(number)", #"{"age": \#(number)}"#) }
        let pushed = try await first.replicate()
        #expect(pushed.pushed == 10 && pushed.pulled == 0)
        let pulled = try await second.replicate()
        #expect(pulled.pulled == 10 && pulled.pushed == 0)
        try await expectEqual(first, second)
        let again = try await first.replicate()
        #expect(again.pushed == 0 && again.pulled == 0)
    }

    @Test("sends changes and deletions", arguments: [Versioning.versionVectors, .treesInExtra])
    func changes(versioning: Versioning) async throws {
        let endpoint = try await prepared()
        let first = try Device(endpoint, versioning: versioning)
        let second = try Device(endpoint, versioning: versioning)
        try await first.save("ada", #"{"age": 36}"#)
        try await first.save("bob", #"{"age": 40}"#)
        try await first.replicate()
        try await second.replicate()
        try await second.save("ada", #"{"age": 37}"#)
        try await second.delete("bob")
        let pushed = try await second.replicate()
        #expect(pushed.pushed == 2)
        let pulled = try await first.replicate()
        #expect(pulled.pulled == 2 && pulled.pushed == 0 && pulled.conflictCount == 0)
        #expect(try await first.body("ada") == #"{"age":37}"#)
        #expect(try await first.body("bob") == nil)
        try await expectEqual(first, second)
    }

    @Test(
        "resolves a conflict alike everywhere",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func conflict(versioning: Versioning) async throws {
        let endpoint = try await prepared()
        let devices = try (0..<3).map { _ in try Device(endpoint, versioning: versioning) }
        try await devices[0].save("ada", #"{"age": 36}"#)
        for device in devices { try await device.replicate() }
        for (number, device) in devices.enumerated() {
            try await device.save("ada", #"{"age": \#(40 + number)}"#)
        }
        var conflicts = 0
        for _ in 0..<2 {
            for device in devices { conflicts += try await device.replicate().conflictCount }
        }
        #expect(conflicts >= 2)
        if versioning == .versionVectors {
            #expect(try await devices[0].body("ada") == #"{"age":42}"#)
        }
        try await expectEqual(devices[0], devices[1])
        try await expectEqual(devices[0], devices[2])
    }

    @Test("keeps both revisions of a conflict if it is told to")
    func keeping() async throws {
        let endpoint = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(endpoint) { $0.resolver = .keep }
        try await first.save("ada", #"{"age": 36}"#)
        try await second.save("ada", #"{"age": 37}"#)
        try await first.replicate()
        let report = try await second.replicate()
        #expect(report.conflicts.map(\.id) == ["ada"])
        #expect(report.conflicts.allSatisfy { !$0.isResolved })
        #expect(try await second.body("ada") == #"{"age":37}"#)
        try await second.store.file.write { transaction in
            _ = try Device.people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                .keepCurrent
            }
        }
        #expect(try await second.replicate().pushed == 1)
        try await first.replicate()
        #expect(try await first.body("ada") == #"{"age":37}"#)
    }

    @Test("lets an application merge with the ancestor")
    func merging() async throws {
        let endpoint = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(endpoint) {
            $0.resolver = .custom { local, remote, ancestor in
                guard let theirs = remote.properties else { return .keepCurrent }
                var merged = MutableFleeceDictionary(theirs)
                let (mine, before) = (local["visits"]?.int ?? 0, ancestor?["visits"]?.int ?? 0)
                merged["visits"] = .int((theirs["visits"]?.int ?? 0) + mine - before)
                return .merge(merged)
            }
        }
        try await first.save("ada", #"{"visits": 10}"#)
        try await first.replicate()
        try await second.replicate()
        try await first.save("ada", #"{"visits": 11}"#)
        try await second.save("ada", #"{"visits": 15}"#)
        try await first.replicate()
        try await second.replicate()
        try await first.replicate()
        #expect(try await first.body("ada") == #"{"visits":16}"#)
        try await expectEqual(first, second)
    }

    @Test("keeps what JSON does not have")
    func exactValues() async throws {
        let endpoint = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.store.file.write { transaction in
            _ = try Device.people.save("odd", in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("bytes")
                encoder.writeData([0, 1, 255])
                try encoder.writeKey("zero")
                try encoder.writeDouble(-0.0)
                try encoder.writeKey("large")
                try encoder.writeDouble(1e300)
                try encoder.writeKey("float")
                try encoder.writeFloat(0.1)
                try encoder.writeKey("nul")
                encoder.writeString("a\u{0}b")
                try encoder.endDictionary()
            }
            _ = try Device.people.save("even", in: transaction) {
                try $0.writeJSON(
                    #"{"a": 1.0, "b": 9007199254740993, "c": 1e-7, "d": "é\n", "e": [null]}"#)
            }
        }
        try await first.replicate()
        let report = try await second.replicate()
        #expect(report.pulled == 2 && report.rejectionCount == 0)
        let values = try await [first, second].asyncMap { device in
            try await device.store.file.read { snapshot in
                try ["odd", "even"].map { id in
                    let document = try #require(try Device.people.get(id, in: snapshot))
                    let properties = try #require(document.properties)
                    return properties.map { (key, value) in
                        "\(key) \(value.kind) \(value.double?.bitPattern ?? 0) \(value)"
                    }.sorted()
                }
            }
        }
        #expect(values[0] == values[1])
    }

    @Test("sends and accepts only what the filters pass")
    func filters() async throws {
        let endpoint = try await prepared()
        let first = try Device(endpoint) {
            $0.pushFilter = { $0["state"]?.string == "done" }
        }
        let second = try Device(endpoint) { $0.pullFilter = { ($0["age"]?.int ?? 0) > 10 } }
        try await first.save("a", #"{"state": "done", "age": 20}"#)
        try await first.save("b", #"{"state": "new", "age": 20}"#)
        try await first.save("c", #"{"state": "done", "age": 5}"#)
        #expect(try await first.replicate().pushed == 2)
        #expect(try await second.replicate().pulled == 1)
        #expect(try await second.body("a") != nil)
        try await first.delete("a")
        try await first.delete("b")
        #expect(try await first.replicate().pushed == 1)
        #expect(try await second.replicate().pulled == 1)
        #expect(try await second.body("a") == nil)
    }

    @Test("reports a change that meets one of the remote that the file does not accept")
    func refusedByFilter() async throws {
        let endpoint = try await prepared()
        let first = try Device(endpoint)
        let second = try Device(endpoint) { $0.pullFilter = { _ in false } }
        try await first.save("ada", #"{"age": 36}"#)
        try await second.save("ada", #"{"age": 37}"#)
        try await first.replicate()
        let report = try await second.replicate()
        #expect(report.pushed == 0)
        #expect(report.rejections.map(\.id) == ["ada"])
    }

    @Test("compares IDs byte by byte")
    func equivalentIDs() async throws {
        let endpoint = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try await first.save(composed, #"{"age": 1}"#)
        try await first.replicate()
        try await second.save(composed, #"{"age": 2}"#)
        try await second.save(decomposed, #"{"age": 3}"#)
        for device in [second, first, second] { try await device.replicate() }
        let contents = try await first.contents()
        #expect(contents.count == 2)
        #expect(try await second.contents() == contents)
        #expect(contents.contains { $0.contains(#"{"age":3}"#) })
    }

    @Test("replicates the documents with the IDs that are specified, byte by byte")
    func documentIDs() async throws {
        let endpoint = try await prepared()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let first = try Device(endpoint)
        for id in [composed, decomposed, "tea"] { try await first.save(id, "{}") }
        let pushing = try Device(endpoint) { $0.documentIDs = [decomposed] }
        for id in [composed, decomposed, "tea"] { try await pushing.save(id, #"{"age": 1}"#) }
        #expect(try await pushing.replicate().pushed == 1)
        let both = try Device(endpoint) { $0.documentIDs = [composed, decomposed] }
        #expect(try await both.replicate().pulled == 1)
        try await first.replicate()
        #expect(try await both.replicate().pulled == 1)
        let contents = try await both.contents().map { Array($0.utf8.prefix(6)) }
        #expect(Set(contents) == [Array("cafe\u{301}".utf8), Array("caf\u{E9} ".utf8)])
        let pulling = try Device(endpoint) { $0.documentIDs = [composed] }
        #expect(try await pulling.replicate().pulled == 1)
    }

    @Test("sends blobs with their documents")
    func blobs() async throws {
        let endpoint = try await prepared()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let blob = try first.store.file.blobs.put(bytes, contentType: "image/png")
        try await first.store.file.write { transaction in
            _ = try Device.people.save("ada", in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("photo")
                try encoder.write(blob)
                try encoder.endDictionary()
            }
        }
        try await first.replicate()
        try await second.replicate()
        #expect(try second.store.file.blobs.bytes(of: blob) == bytes)
    }

    @Test("follows the changes of both sides, notified or polling", arguments: [true, false])
    func continuous(_ notifications: Bool) async throws {
        let endpoint = try await prepared(notifications: notifications)
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let following = [first, second].map { device in
            Task {
                for await _ in Replicator(
                    device.store.file, to: endpoint, collections: [device.settings]
                ).start() {}
            }
        }
        let changes = try await second.store.file.changes(of: [Device.people.keyStore])
        try await first.save("ada", #"{"age": 36}"#)
        for await change in changes[0] where change.changes.contains(where: { $0.key == "ada" }) {
            break
        }
        #expect(try await second.body("ada") == #"{"age":36}"#)
        for task in following { task.cancel() }
        for task in following { await task.value }
        #expect(try await first.replicate().pushed == 0)
    }

    @Test("is done by one replicator at a time")
    func lock() async throws {
        let endpoint = try await prepared()
        let device = try Device(endpoint)
        let statuses = Replicator(
            device.store.file, to: endpoint, collections: [device.settings]
        ).start()
        var iterator = statuses.makeAsyncIterator()
        while let status = await iterator.next(), status.phase != .idle {}
        await #expect(throws: ReplicationError.self) { try await device.replicate() }
        withExtendedLifetime(statuses) {}
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
