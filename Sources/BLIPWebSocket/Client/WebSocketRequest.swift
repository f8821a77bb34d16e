/// A request to open a WebSocket.
public struct WebSocketRequest: Sendable {
    /// The address.
    public var url: WebSocketURL
    /// The protocols that are offered, the best first.
    public var subprotocols: [String]
    /// Further headers, such as `Authorization`.
    public var headers: [(name: String, value: String)] = []
    /// Sent if the server asks for credentials: the value of the header `Authorization`.
    public var authorizationOnChallenge: String?
    /// Which certificates are accepted, and shown.
    public var tls = WebSocketTLS()
    /// How many seconds opening may take.
    public var connectSeconds = 15.0
    /// How the socket behaves.
    public var socket = BLIPSocketSettings()

    /// Creates a request.
    public init(_ url: WebSocketURL, subprotocols: [String]) {
        self.url = url
        self.subprotocols = subprotocols
    }
}

/// How a WebSocket is encrypted.
public struct WebSocketTLS: Sendable {
    /// Which certificates of the other side are accepted.
    public enum Trust: Sendable, Equatable {
        /// Those of the system.
        case system
        /// Those that these certify, in PEM.
        case certificates(pem: [UInt8])
        /// All, of everybody. Only for tests: whoever is between both sides can read everything.
        case all
    }

    /// A certificate of this side with those that certify it, and its key, in PEM.
    public struct Identity: Sendable, Equatable {
        /// The certificate, first, and those that certify it.
        public var certificates: [UInt8]
        /// The private key.
        public var key: [UInt8]

        /// Creates an identity.
        public init(certificates: [UInt8], key: [UInt8]) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// Which certificates of the other side are accepted.
    public var trust = Trust.system
    /// The certificate of this side; a client need not have one.
    public var identity: Identity?

    /// Creates the settings of a client without a certificate, which trusts those of the system.
    public init() {}
}
