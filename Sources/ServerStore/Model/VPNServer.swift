/// A server with all its endpoints: what a list consists of, and what the store reads and writes.
///
/// ``ServerListJSON`` reads it from the API, and
/// ``ServerRepository/replaceList(_:scope:metadata:allowsEmpty:)`` stores it. For lists on a screen
/// use ``ServerInfo``, which is smaller; to connect use ``ServerRepository/select(_:)``, which
/// returns a ``Server`` with one endpoint.
/// ```swift
/// if let fastest = try repository.getFirstServer(orderedBy: .fastest) {
///     print(fastest.logical.name, "has", fastest.endpoints.count, "endpoints")
/// }
/// ```
public struct VPNServer: Codable, Hashable, Sendable, Identifiable {
    /// What users see of the server: name, location, load.
    public var logical: LogicalServer
    /// The machines to connect to, in the order of the list. Without endpoints it can be stored,
    /// but no query returns it.
    public var endpoints: [ServerEndpoint]

    /// The ID of the server, ``LogicalServer/id``.
    public var id: String { logical.id }

    /// Creates a server with its endpoints, without checking them.
    ///
    /// - Parameters:
    ///   - logical: what users see of the server.
    ///   - endpoints: the machines to connect to; two of them must not have the same ID when the
    ///     server is stored.
    public init(logical: LogicalServer, endpoints: [ServerEndpoint]) {
        (self.logical, self.endpoints) = (logical, endpoints)
    }

    /// The protocols that at least one of the endpoints supports, up or not.
    public var supportedProtocols: ProtocolSupport {
        endpoints.reduce(into: .zero) { $0.formUnion($1.supportedProtocols) }
    }

    /// Whether it cannot be connected to: its status is maintenance, or no endpoint is up. A server
    /// without endpoints is under maintenance.
    public var isUnderMaintenance: Bool {
        logical.isUnderMaintenance || endpoints.allSatisfy(\.isUnderMaintenance)
    }
}

/// A server with the endpoint that a client connects to, the result of a selection.
///
/// ```swift
/// let selected = try repository.select(ServerRequest(location: [.kind(.country("CH"))]))
/// print(selected.logical.name, selected.endpoint.exitIp)
/// ```
/// See ``ServerList/select(_:)`` for how the endpoint is chosen.
public struct Server: Codable, Hashable, Sendable {
    /// What users see of the server.
    public var logical: LogicalServer
    /// The machine to connect to, one of the server's endpoints.
    public var endpoint: ServerEndpoint

    /// Creates a server with one of its endpoints; it does not check that the endpoint belongs to
    /// the server.
    public init(logical: LogicalServer, endpoint: ServerEndpoint) {
        (self.logical, self.endpoint) = (logical, endpoint)
    }
}

/// A server as shown in lists: without endpoints, and with the protocols that they support.
///
/// ``ServerList/servers(filteredBy:orderedBy:)`` returns it. ``ServerList/server(_:)`` returns the
/// same server with its endpoints.
public struct ServerInfo: Codable, Hashable, Sendable, Identifiable {
    /// What users see of the server. Its status is 0 if no endpoint is up.
    public var logical: LogicalServer
    /// The protocols supported by the endpoints that match the query's filters; empty only if
    /// none of these endpoints supports a protocol.
    public var protocolSupport: ProtocolSupport

    /// The ID of the server, ``LogicalServer/id``.
    public var id: String { logical.id }

    /// Creates a server with its supported protocols, for tests and previews.
    ///
    /// - Parameters:
    ///   - logical: what users see of the server.
    ///   - protocolSupport: the protocols that its endpoints support.
    public init(logical: LogicalServer, protocolSupport: ProtocolSupport) {
        (self.logical, self.protocolSupport) = (logical, protocolSupport)
    }
}

/// The name that an earlier interface used for a server with all its endpoints; the same type as
/// ``VPNServer``.
public typealias VPNServerResult = VPNServer
