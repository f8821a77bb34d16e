import CouchbaseReplication
import DataFileCore
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// A file that clients replicate with, on this machine.
struct Listening {
    let store: TemporaryStore
    let endpoint: CouchbaseEndpoint
    let port: Int

    /// Runs `body` while a listener serves a new file.
    static func run<T: Sendable>(
        versioning: Versioning = .versionVectors,
        _ settings: CouchbaseListener.Settings = CouchbaseListener.Settings(),
        _ body: (Listening) async throws -> T
    ) async throws -> T {
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let store = try TemporaryStore(options: options)
        let listener = try await CouchbaseListener(["db": store.file], port: 0, settings)
        var endpoint = try CouchbaseEndpoint("ws://127.0.0.1:\(listener.port)/db")
        // Hundreds of tests run at once.
        endpoint.connectSeconds = 120
        let running = Task { await listener.run() }
        defer { running.cancel() }
        let result = try await body(
            Listening(store: store, endpoint: endpoint, port: listener.port))
        running.cancel()
        await running.value
        return result
    }

    /// The listener's file.
    var device: Device {
        get throws { try Device(endpoint, store: store) }
    }
}
