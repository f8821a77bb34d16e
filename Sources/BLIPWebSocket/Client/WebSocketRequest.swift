/// A request to open a WebSocket.
package struct WebSocketRequest: Sendable {
    /// The address.
    package var url: WebSocketURL
    /// The protocols that are offered, the best first.
    package var subprotocols: [String]
    /// Further headers, such as `Authorization`.
    package var headers: [(name: String, value: String)] = []
    /// Sent if the server asks for credentials: the value of the header `Authorization`.
    package var authorizationOnChallenge: String?
    /// Which certificates are accepted, and shown.
    package var tls = WebSocketTLS()
    /// How many seconds opening may take.
    package var connectSeconds = 15.0
    /// How the socket behaves.
    package var socket = BLIPSocketSettings()

    /// Creates a request.
    package init(_ url: WebSocketURL, subprotocols: [String]) {
        self.url = url
        self.subprotocols = subprotocols
    }
}

/// How a WebSocket is encrypted.
package struct WebSocketTLS: Sendable {
    /// Which certificates of the other side are accepted.
    package enum Trust: Sendable, Equatable {
        /// Those of the system.
        case system
        /// Those that these certify, in PEM.
        case certificates(pem: [UInt8])
        /// All. Only for tests: a machine between both sides can read and change everything.
        case all
    }

    /// A certificate of this side with those that certify it, and its key, in PEM.
    package struct Identity: Sendable, Equatable {
        /// The certificate, first, and those that certify it.
        package var certificates: [UInt8]
        /// The private key.
        package var key: [UInt8]

        /// Creates an identity.
        package init(certificates: [UInt8], key: [UInt8]) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// Which certificates of the other side are accepted.
    package var trust = Trust.system
    /// The certificate of this side; a client need not have one.
    package var identity: Identity?

    /// Creates the settings of a client without a certificate, which trusts those of the system.
    package init() {}
}
