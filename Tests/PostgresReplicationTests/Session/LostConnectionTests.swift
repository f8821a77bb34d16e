import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_SYNC_CUT_STRIDE` is the distance between the messages that fail; 1 tests all of them.
@Suite("A connection that fails", .enabled(if: PostgresServer.isInstalled))
struct LostConnectionTests {
    private static let stride = TestEnvironment.number("STORE_SYNC_CUT_STRIDE", or: 11)

    let server: PostgresServer
    let proxy: PostgresProxy

    init() throws {
        server = try #require(PostgresServer.shared)
        proxy = try PostgresProxy(server)
    }

    /// Two files that are changed again and again; the first one is behind the proxy.
    private struct Pair {
        let first: Device
        let second: Device
        private var expected: Set<String> = []

        init(_ proxy: PostgresProxy, _ server: PostgresServer) async throws {
            let (endpoint, name) = try server.namedEndpoint()
            try await endpoint.prepare()
            first = try Device(proxy.endpoint(schema: name))
            second = try Device(endpoint)
        }

        /// Changes both: documents of each, one with a blob, and a conflict.
        mutating func change(_ number: Int) async throws {
            try await change(first, "first", number)
            try await change(second, "second", number)
            try await second.replicate()
        }

        /// Changes the first one only.
        mutating func changeFirst() async throws { try await change(first, "first", 1) }

        private mutating func change(
            _ device: Device, _ name: String, _ number: Int
        ) async throws {
            let blob = try device.store.file.blobs.put(Array("\(name) \(number)".utf8))
            let ids = ["\(name)-\(number)", name, "both"]
            try await device.store.file.write { transaction in
                for id in ids {
                    _ = try Device.people.save(id, in: transaction) { encoder in
                        encoder.beginDictionary()
                        try encoder.writeKey("n")
                        encoder.writeInt(Int64(number))
                        try encoder.writeKey("file")
                        try encoder.write(blob)
                        try encoder.endDictionary()
                    }
                }
            }
            expected.formUnion(ids)
        }

        /// Saves many documents in the second one, and sends them.
        mutating func fillSecond(_ count: Int) async throws {
            let ids = (0..<count).map { "doc-\($0)" }
            try await second.store.file.write { transaction in
                for id in ids {
                    _ = try Device.people.save(id, in: transaction) {
                        try $0.writeJSON(#"{"id": "\#(id)"}"#)
                    }
                }
            }
            expected.formUnion(ids)
            try await second.replicate()
        }

        /// Replicates both without faults, and compares them with what was saved.
        func settle(_ comment: Comment) async throws {
            for device in [first, second] {
                let report = try await device.replicate()
                #expect(report.rejectionCount == 0, comment)
            }
            let report = try await first.replicate()
            #expect(report.pushed == 0, comment)
            let contents = try await first.contents()
            #expect(try await second.contents() == contents, comment)
            let ids = contents.compactMap { $0.split(separator: " ").first.map { String($0) } }
            #expect(Set(ids) == expected && ids.count == expected.count, comment)
        }
    }

    /// Replicates with a fault at each message in turn, until a replication meets none.
    ///
    /// - Returns: how many replications failed.
    private func sweep(
        _ fault: PostgresProxy.Fault, isExpected: (ReplicationError) -> Bool = \.isTransient
    ) async throws -> Int {
        defer { proxy.stop() }
        var pair = try await Pair(proxy, server)
        var (message, failures) = (1, 0)
        while true {
            try await pair.change(message)
            proxy.plan(fault, message: message)
            var failure: (any Error)?
            do { try await pair.first.replicate() } catch { failure = error }
            let (hasFailed, count) = proxy.heal()
            let comment: Comment = "\(fault) at \(message) of \(count): \(failure as Any)"
            if let failure {
                failures += 1
                let error = failure as? ReplicationError
                #expect(error.map { isExpected($0) } == true, comment)
            }
            try await pair.settle(comment)
            guard hasFailed else {
                #expect(failure == nil, comment)
                return failures
            }
            message += Self.stride
        }
    }

    @Test("after any message is an error that passes, and costs nothing")
    func cut() async throws {
        #expect(try await sweep(.cut) * Self.stride > 100)
    }

    @Test("in the middle of any message, too")
    func cutInside() async throws {
        #expect(try await sweep(.cutInside) * Self.stride > 100)
    }

    @Test("with bytes that are not PostgreSQL's protocol is an error", arguments: Noise.all)
    fileprivate func noise(noise: Noise) async throws {
        let failures = try await sweep(.replacement(noise.bytes)) { error in
            [.unreachable, .remoteFailure, .badRemoteData].contains(error.code)
        }
        #expect(failures * Self.stride > 50)
    }

    @Test("before the collection exists, too")
    func creation() async throws {
        defer { proxy.stop() }
        var message = 1
        while true {
            var pair = try await Pair(proxy, server)
            try await pair.changeFirst()
            proxy.plan(.cut, message: message)
            var failure: (any Error)?
            do { try await pair.first.replicate() } catch { failure = error }
            let hasFailed = proxy.heal().hasFailed
            let comment: Comment = "\(message): \(failure as Any)"
            if let failure {
                #expect((failure as? ReplicationError)?.isTransient == true, comment)
            }
            try await pair.settle(comment)
            guard hasFailed else { break }
            message += 3 * Self.stride
        }
        #expect(message > 100)
    }

    @Test("in a long stream of changes continues there")
    func copy() async throws {
        defer { proxy.stop() }
        var pair = try await Pair(proxy, server)
        let documents = 10_100
        try await pair.fillSecond(documents)
        var message = 100
        var (counts, failures): ([Int], Int) = ([], 0)
        while counts.last != documents {
            proxy.plan(message % 200 == 0 ? .cut : .cutInside, message: message)
            do {
                try await pair.first.replicate()
            } catch let error as ReplicationError where error.isTransient {
                failures += 1
            }
            counts.append(try await pair.first.contents().count)
            message += 1900
        }
        proxy.heal()
        #expect(failures > 2 && counts == counts.sorted(), "\(counts)")
        try await pair.settle("\(counts)")
    }

    @Test("without a word can be cancelled")
    func silence() async throws {
        defer { proxy.stop() }
        var pair = try await Pair(proxy, server)
        var message = 1
        while true {
            try await pair.change(message)
            proxy.plan(.silence, message: message)
            let device = pair.first
            let replication = Task { try await device.replicate() }
            // Either the fault happens, or the replication ends before it.
            let waiting = Task { try await proxy.waitForFault() }
            let ended = Task {
                _ = await replication.result
                waiting.cancel()
            }
            _ = await waiting.result
            let start = ContinuousClock.now
            replication.cancel()
            let result = await replication.result
            await ended.value
            #expect(ContinuousClock.now - start < .seconds(20), "\(message): \(result)")
            let hasFailed = proxy.heal().hasFailed
            try await pair.settle("\(message)")
            guard hasFailed else { return }
            message += 2 * Self.stride
        }
    }

    @Test("while it waits for changes connects again, and follows further")
    func listening() async throws {
        defer { proxy.stop() }
        var pair = try await Pair(proxy, server)
        try await pair.change(1)
        try await pair.settle("before")
        let device = pair.first
        let changes = try await device.store.file.changes(of: [Device.people.keyStore])[0]
        let following = Task {
            var failures = 0
            for await status in Replicator(
                device.store.file, to: device.endpoint, collections: [device.settings]
            ).start() {
                if case .waiting = status.phase { failures += 1 }
                if status.phase == .idle, failures == 0 { proxy.plan(.cut, message: 1) }
            }
            return failures
        }
        var received = changes.makeAsyncIterator()
        for number in 2..<4 {
            // The notification is the first message, after which the connection ends.
            try await pair.change(number)
            while let change = await received.next(),
                !change.changes.contains(where: { $0.key == "second-\(number)" })
            {}
        }
        following.cancel()
        #expect(await following.value >= 1)
        proxy.heal()
        try await pair.settle("after")
    }
}

/// What a server sends instead of a message.
private struct Noise: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    static let all = [
        Noise(testDescription: "bytes without a form", bytes: [UInt8](repeating: 0xFF, count: 64)),
        Noise(testDescription: "a page of the web", bytes: Array("HTTP/1.1 400 Bad Request".utf8)),
        // A row of data of a gigabyte, of which a part arrives.
        Noise(
            testDescription: "a message of a gigabyte",
            bytes: [UInt8(ascii: "D"), 0x3F, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0, 0, 1]),
        Noise(
            testDescription: "a message of an unknown type",
            bytes: [UInt8(ascii: "%"), 0, 0, 0, 8, 1, 2, 3, 4]),
        Noise(
            testDescription: "a row with a length that is not possible",
            bytes: [UInt8(ascii: "D"), 0, 0, 0, 10, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]),
        Noise(testDescription: "a message of no length", bytes: [UInt8(ascii: "Z"), 0, 0, 0, 0]),
    ]
}
