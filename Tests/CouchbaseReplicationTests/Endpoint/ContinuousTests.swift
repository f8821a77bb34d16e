import CouchbaseReplication
import DataFileCore
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Continuous replication with a listener", .timeLimit(.minutes(20)))
struct ContinuousTests {
    /// Waits until a file has a document.
    private func wait(for id: String, _ device: Device) async throws {
        let changes = try await device.store.file.changes(of: [Device.people.keyStore])
        if try await device.body(id) != nil { return }
        for await change in changes[0] where change.changes.contains(where: { $0.key == id }) {
            return
        }
    }

    @Test(
        "transfers changes of both sides as they are made",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func both(versioning: Versioning) async throws {
        try await Listening.run(versioning: versioning) { listening in
            let first = try Device(listening.endpoint, versioning: versioning)
            let second = try Device(listening.endpoint, versioning: versioning)
            let running = [first, second].map { device in
                Task {
                    let replicator = Replicator(
                        device.store.file, to: device.endpoint, collections: [device.settings])
                    for await _ in replicator.start() {}
                }
            }
            for number in 0..<20 {
                try await first.save("first-\(number)", #"{"n": \#(number)}"#)
                try await wait(for: "first-\(number)", second)
                try await second.save("second-\(number)", #"{"n": \#(number)}"#)
                try await wait(for: "second-\(number)", first)
            }
            try await wait(for: "second-19", listening.device)
            for task in running {
                task.cancel()
                await task.value
            }
            try await Device.settle([first, second])
            let contents = try await first.contents()
            #expect(contents.count == 40)
            #expect(try await second.contents() == contents)
            #expect(try await listening.device.contents() == contents)
        }
    }

    @Test("goes on after the connection was lost")
    func lostConnection() async throws {
        try await Listening.run { listening in
            let proxy = try await TCPProxy(to: listening.port)
            let endpoint = try CouchbaseEndpoint("ws://127.0.0.1:\(proxy.port)/db")
            let device = try Device(endpoint)
            let running = Task {
                let replicator = Replicator(
                    device.store.file, to: endpoint, collections: [device.settings])
                for await _ in replicator.start() {}
            }
            for number in 0..<3 {
                try await device.save("doc-\(number)", "{}")
                try await wait(for: "doc-\(number)", listening.device)
                proxy.disconnect()
            }
            running.cancel()
            await running.value
            await proxy.stop()
        }
    }
}
