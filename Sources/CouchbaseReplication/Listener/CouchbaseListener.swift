internal import BLIPWebSocket
public import DataFileCore
internal import Replication

/// A server to which applications with Couchbase Lite, and other ``CouchbaseEndpoint``s, replicate.
///
/// ```swift
/// let listener = try await CouchbaseListener(
///     ["people": file], host: "127.0.0.1", port: 4984)
/// print("replicate to ws://127.0.0.1:\(listener.port)/people")
/// await listener.run()
/// ```
///
/// Clients resolve conflicts: what is based on another revision than the one that a file has is
/// refused, and the client pulls that one first. Files with version vectors are for clients with
/// version vectors, those with revision trees for such with trees.
///
/// See `docs/replication.md`.
public final class CouchbaseListener: Sendable {
    /// How a client identifies.
    public enum Credentials: Sendable, Equatable {
        /// Not at all.
        case none
        /// By name and password.
        case basic(user: String, password: String)
        /// By the cookies that it sends.
        case cookies(String)
        /// By a token.
        case bearer(String)
    }

    /// What a client may do.
    public enum Access: Sendable, Equatable {
        /// Nothing.
        case none
        /// Pull.
        case read
        /// Pull and push.
        case readAndWrite
    }

    /// How a listener behaves.
    public struct Settings: Sendable {
        /// What a client may do with a database; everything by default.
        public var access: @Sendable (Credentials, _ database: String) async -> Access = { _, _ in
            .readAndWrite
        }
        /// The certificate of the server with those that certify it, and its key, in PEM; nil to do
        /// without encryption.
        public var identity: (certificates: [UInt8], key: [UInt8])?
        /// The pages that may connect from a browser, as `https://example.com`; none by default.
        /// Otherwise each page that a person visits could read a listener on their machine.
        public var allowedOrigins: Set<String> = []
        /// How many clients are connected at once.
        public var maximumConnections = 1000
        /// After how many seconds without a sign of a client it is asked for one.
        public var heartbeatSeconds = 300.0
        /// How much messages are compressed: from 1, fast, to 9, small; 0 for not at all.
        public var compressionLevel = 6

        /// Creates the default settings.
        public init() {}
    }

    /// The port, which the system has chosen if it was 0.
    public var port: Int { server.port }

    private let server: BLIPServer
    private let databases: [String: DataFile]
    private let settings: Settings

    /// Listens.
    ///
    /// - Parameters:
    ///   - databases: the files, by the names that are in the URLs; they must stay open.
    ///   - host: the address of this machine; `0.0.0.0` for all.
    ///   - port: the port; 0 for any.
    ///   - settings: how it behaves.
    /// - Throws: `ReplicationError`.
    public init(
        _ databases: [String: DataFile], host: String = "127.0.0.1", port: Int,
        _ settings: Settings = Settings()
    ) async throws {
        var server = BLIPServer.Settings()
        if let identity = settings.identity {
            var tls = WebSocketTLS()
            tls.identity = .init(certificates: identity.certificates, key: identity.key)
            server.tls = tls
        }
        server.maximumConnections = settings.maximumConnections
        server.socket.heartbeatSeconds = settings.heartbeatSeconds
        server.socket.compressionLevel = Int32(clamping: min(max(settings.compressionLevel, 0), 9))
        do {
            self.server = try await BLIPServer(host: host, port: port, server)
        } catch let error as WebSocketError {
            throw ReplicationError(error, "\(host):\(port)")
        }
        self.databases = databases
        self.settings = settings
    }

    /// Serves clients until the task is cancelled.
    public func run() async {
        let (databases, settings) = (databases, settings)
        await server.run { upgrade in
            await ListenerUpgrade(databases: databases, settings: settings).answer(upgrade)
        }
    }
}
