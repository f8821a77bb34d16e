/// A server with all its endpoints.
public struct VPNServer: Codable, Hashable, Sendable, Identifiable {
    /// The server.
    public var logical: LogicalServer
    /// Its endpoints.
    public var endpoints: [ServerEndpoint]

    /// The server's id.
    public var id: String { logical.id }

    /// Creates a server with its endpoints.
    public init(logical: LogicalServer, endpoints: [ServerEndpoint]) {
        (self.logical, self.endpoints) = (logical, endpoints)
    }

    /// The protocols that at least one of the endpoints supports.
    public var supportedProtocols: ProtocolSupport {
        endpoints.reduce(into: .zero) { $0.formUnion($1.supportedProtocols) }
    }

    /// Whether it cannot be connected to: its status is maintenance, or no endpoint is up.
    public var isUnderMaintenance: Bool {
        logical.isUnderMaintenance || endpoints.allSatisfy(\.isUnderMaintenance)
    }
}

/// A server with the endpoint that a client connects to.
public struct Server: Codable, Hashable, Sendable {
    /// The server.
    public var logical: LogicalServer
    /// The endpoint.
    public var endpoint: ServerEndpoint

    /// Creates a server with one of its endpoints.
    public init(logical: LogicalServer, endpoint: ServerEndpoint) {
        (self.logical, self.endpoint) = (logical, endpoint)
    }
}

/// A server as shown in lists.
public struct ServerInfo: Codable, Hashable, Sendable, Identifiable {
    /// The server.
    public var logical: LogicalServer
    /// The protocols supported by the endpoints that match the filters.
    public var protocolSupport: ProtocolSupport

    /// The server's id.
    public var id: String { logical.id }

    /// Creates a server with its supported protocols.
    public init(logical: LogicalServer, protocolSupport: ProtocolSupport) {
        (self.logical, self.protocolSupport) = (logical, protocolSupport)
    }
}

/// A server with all its endpoints, as returned by queries.
public typealias VPNServerResult = VPNServer
