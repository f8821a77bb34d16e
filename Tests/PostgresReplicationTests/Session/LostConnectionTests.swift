import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
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

    /// Replicates with a fault at each message in turn, until a replication meets none.
    ///
    /// - Returns: how many replications failed.
    private func sweep(
        _ fault: PostgresProxy.Fault, isExpected: (ReplicationError) -> Bool = \.isTransient
    ) async throws -> Int {
        defer { proxy.stop() }
        var pair = try await ProxiedPair(proxy, server)
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
            // The second one is the first of the server.
            message += message == 1 ? 1 : Self.stride
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
    func noise(noise: Noise) async throws {
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
            var pair = try await ProxiedPair(proxy, server)
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
        var pair = try await ProxiedPair(proxy, server)
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
        var pair = try await ProxiedPair(proxy, server)
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

    @Test("without a word counts as lost after a while")
    func answerTimeout() async throws {
        defer { proxy.stop() }
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        // Also a server that other tests delay answers within this time.
        let timeout = Duration.seconds(2)
        let device = try Device(proxy.endpoint(schema: name, answerTimeout: timeout))
        for number in 0..<3000 { try await device.save("doc-\(number)", "{}") }
        for message in [20, 50, 80, 110, 140] {
            proxy.plan(.silence, message: message)
            let error = await #expect(throws: ReplicationError.self) {
                try await device.replicate()
            }
            #expect(error?.code == .unreachable && error?.isTransient == true)
            #expect(
                error?.message.contains("did not answer within 2 s") == true, "\(error as Any)")
            #expect(proxy.heal().hasFailed)
            try await device.save("doc-\(message)", #"{"n": \#(message)}"#)
        }
        try await device.replicate()
        #expect(try await Device(endpoint).received() == device.contents())
    }

    @Test("while it waits for changes connects again, and follows further")
    func listening() async throws {
        defer { proxy.stop() }
        var pair = try await ProxiedPair(proxy, server)
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
