internal import BLIPWebSocket
public import Replication
internal import StorePlatform

/// A database of Sync Gateway, of Capella App Services, or of a ``CouchbaseListener``, to which a
/// file is replicated.
///
/// ```swift
/// var endpoint = try CouchbaseEndpoint("wss://sync.example.com:4984/people")
/// endpoint.authentication = .basic(user: "ada", password: "lovelace")
/// let report = try await Replicator(
///     file, to: endpoint, collections: [ReplicatedCollection(people)]
/// ).run()
/// ```
///
/// The protocol is Couchbase's, BLIP over a WebSocket; see `docs/replication.md`. A file that
/// Couchbase Lite has replicated goes on from its checkpoint.
public struct CouchbaseEndpoint: LegacyRevisionEndpoint {
    /// How a user identifies.
    public enum Authentication: Sendable, Equatable {
        /// Not at all.
        case none
        /// By name and password.
        case basic(user: String, password: String)
        /// By a session of Sync Gateway: the value of its cookie, and its name.
        case session(String, cookie: String = "SyncGatewaySession")
        /// By a token, of OpenID Connect for example.
        case bearer(String)
    }

    /// How the user identifies.
    public var authentication = Authentication.none
    /// Whether a password is only sent when the server asks for it.
    public var waitsForChallenge = false
    /// The channels of Sync Gateway to pull; empty for all that the user may read.
    public var channels: [String] = []
    /// Further headers of the request that opens the connection.
    public var headers: [(name: String, value: String)] = []
    /// Which certificates are accepted, and shown.
    public var tls = TLS()
    /// After how many seconds without a sign of the server it is asked for one.
    public var heartbeatSeconds = 300.0
    /// How many seconds the server may take for an answer.
    public var answerSeconds = 300.0
    /// How many seconds connecting may take.
    public var connectSeconds = 15.0
    /// How much messages are compressed: from 1, fast, to 9, small; 0 for not at all.
    public var compressionLevel = 6

    /// Which certificates are accepted, and shown.
    public struct TLS: Sendable, Equatable {
        /// The certificates that certify those of the server, in PEM; nil for those of the system.
        public var trustedCertificates: [UInt8]?
        /// The user's certificate, with those that certify it, and its key, in PEM.
        public var identity: (certificates: [UInt8], key: [UInt8])?

        /// Creates the default settings: the certificates of the system, and none of the user.
        public init() {}

        /// Whether they are the same.
        public static func == (tls: TLS, other: TLS) -> Bool {
            tls.trustedCertificates == other.trustedCertificates
                && tls.identity?.certificates == other.identity?.certificates
                && tls.identity?.key == other.identity?.key
        }
    }

    /// The URL, with `/_blipsync`.
    let url: WebSocketURL
    /// Where to connect instead, while ``address`` stays what it is; for tests.
    var connectedURL: WebSocketURL?

    /// Creates an endpoint; nothing is connected yet.
    ///
    /// - Parameter url: the URL of the database, `ws://host:port/name` or `wss://…`.
    /// - Throws: `ReplicationError.Code.incompatible` if it is something else.
    public init(_ url: String) throws {
        guard let database = WebSocketURL(url), database.path != "/",
            !database.path.contains("?"),
            ["ws:", "wss:"].contains(where: { url.lowercased().hasPrefix($0) })
        else {
            throw ReplicationError(
                .incompatible,
                "\"\(url)\" is not the URL of a database: write ws://HOST:PORT/NAME, or wss://… "
                    + "for an encrypted connection")
        }
        var url = database
        while url.path.hasSuffix("/") { url.path.removeLast() }
        url.path += "/_blipsync"
        self.url = url
    }

    /// The URL, as LiteCore uses it to identify a database.
    public var address: String { url.description }

    /// LiteCore's.
    public var checkpointFormat: (any CheckpointFormat)? {
        CouchbaseCheckpointFormat(url: address, channels: channels)
    }

    /// Connects, and compares the collections with those of the server.
    ///
    /// - Throws: `ReplicationError`.
    public func connect(
        for database: ReplicatedDatabase
    ) async throws -> any ReplicationSession {
        try await CouchbaseSession(self, database)
    }
}

extension CouchbaseEndpoint {
    /// The request that opens a connection.
    func request(_ subprotocols: [String]) -> WebSocketRequest {
        var request = WebSocketRequest(connectedURL ?? url, subprotocols: subprotocols)
        switch authentication {
        case .none: break
        case .basic(let user, let password):
            let value = "Basic " + Base64.encoded(Array("\(user):\(password)".utf8))
            if waitsForChallenge {
                request.authorizationOnChallenge = value
            } else {
                request.headers.append(("Authorization", value))
            }
        case .session(let value, let cookie):
            request.headers.append(("Cookie", "\(cookie)=\(value)"))
        case .bearer(let token): request.headers.append(("Authorization", "Bearer \(token)"))
        }
        request.headers += headers
        if let pem = tls.trustedCertificates { request.tls.trust = .certificates(pem: pem) }
        request.tls.identity = tls.identity.map {
            WebSocketTLS.Identity(certificates: $0.certificates, key: $0.key)
        }
        request.connectSeconds = connectSeconds
        request.socket.heartbeatSeconds = heartbeatSeconds
        request.socket.responseSeconds = answerSeconds
        request.socket.compressionLevel = Int32(clamping: min(max(compressionLevel, 0), 9))
        return request
    }
}
