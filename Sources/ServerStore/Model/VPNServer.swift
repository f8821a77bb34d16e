/// A server with all its endpoints.
public struct VPNServer: Codable, Hashable, Sendable, Identifiable {
    /// The server.
    public var logical: LogicalServer
    /// Its endpoints.
    public var endpoints: [ServerEndpoint]

    /// The server's id.
    public var id: String { logical.id }

    /// A server with its endpoints.
    public init(logical: LogicalServer, endpoints: [ServerEndpoint]) {
        (self.logical, self.endpoints) = (logical, endpoints)
    }

    /// The protocols that any of the endpoints speaks.
    public var supportedProtocols: ProtocolSupport {
        endpoints.reduce(into: .zero) { $0.formUnion($1.supportedProtocols) }
    }

    /// Whether nobody can connect: it says so, or no endpoint is up.
    public var isUnderMaintenance: Bool {
        logical.isUnderMaintenance || endpoints.allSatisfy(\.isUnderMaintenance)
    }
}

/// A server with one of its endpoints, which a client connects to.
public struct Server: Codable, Hashable, Sendable {
    /// The server.
    public var logical: LogicalServer
    /// The endpoint.
    public var endpoint: ServerEndpoint

    /// A server and an endpoint of it.
    public init(logical: LogicalServer, endpoint: ServerEndpoint) {
        (self.logical, self.endpoint) = (logical, endpoint)
    }
}

/// A server as lists show it.
public struct ServerInfo: Codable, Hashable, Sendable, Identifiable {
    /// The server.
    public var logical: LogicalServer
    /// The protocols that those of its endpoints speak that a filter has left.
    public var protocolSupport: ProtocolSupport

    /// The server's id.
    public var id: String { logical.id }

    /// A server, and what it speaks.
    public init(logical: LogicalServer, protocolSupport: ProtocolSupport) {
        (self.logical, self.protocolSupport) = (logical, protocolSupport)
    }
}

/// A server that was asked for, with all its endpoints.
public typealias VPNServerResult = VPNServer
