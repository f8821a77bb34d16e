/// A machine that clients of a server connect to. Several servers can share a machine.
///
/// An endpoint has the address to connect to, the public key to expect there, and exceptions for
/// single protocols. Do not use ``entryIp`` directly: ``entryIP(for:)`` and ``ports(for:)`` apply
/// the exceptions.
/// ```swift
/// let selected = try repository.select(ServerRequest(protocols: .wireGuardTLS))
/// if let address = selected.endpoint.entryIP(for: .wireGuardTLS) {
///     let ports = selected.endpoint.ports(for: .wireGuardTLS)
///     ServerClient.connect(to: address, ports: ports)
/// }
/// ```
/// Endpoints are stored in the document of their server, so an endpoint that two servers share is
/// stored twice.
public struct ServerEndpoint: Codable, Hashable, Sendable, Identifiable {
    /// The ID, unique within a server; endpoints of different servers can have the same ID. It may
    /// be empty, as in some lists.
    public var id: String
    /// The address to connect to, unless a protocol has an entry with another one; nil if only such
    /// entries have addresses.
    public var entryIp: String?
    /// The address that others see when traffic exits.
    public var exitIp: String
    /// The domain name of the machine; it may be empty.
    public var domain: String
    /// 0 under maintenance, otherwise up. A server none of whose endpoints is up cannot be
    /// connected to.
    public var status: Int
    /// The label that distinguishes it from endpoints with the same address; nil for none.
    public var label: String?
    /// The X25519 public key of the machine, in Base64; nil if the API has none.
    public var x25519PublicKey: String?
    /// The exceptions for protocols, by the API's name of the protocol, known to this library or
    /// not.
    ///
    /// Nil means that there are no exceptions and all protocols are supported. An entry without an
    /// address limits the endpoint to the protocols with entries; see ``entryIP(for:)``.
    public var protocolEntries: ProtocolEntries?

    /// Creates an endpoint, without checking its properties.
    ///
    /// - Parameters:
    ///   - id: the ID, unique within the server.
    ///   - entryIp: the address to connect to; nil for none.
    ///   - exitIp: the address that others see.
    ///   - domain: the domain name; may be empty.
    ///   - status: 0 under maintenance, otherwise up.
    ///   - label: what distinguishes it from endpoints with the same address.
    ///   - x25519PublicKey: the public key, in Base64.
    ///   - protocolEntries: the exceptions for protocols; nil for none.
    public init(
        id: String, entryIp: String? = nil, exitIp: String, domain: String, status: Int,
        label: String? = nil, x25519PublicKey: String? = nil,
        protocolEntries: ProtocolEntries? = nil
    ) {
        (self.id, self.entryIp, self.exitIp, self.domain) = (id, entryIp, exitIp, domain)
        (self.status, self.label, self.x25519PublicKey) = (status, label, x25519PublicKey)
        self.protocolEntries = protocolEntries
    }
}

/// The protocol entries of an endpoint by the API's name; nil for a protocol that is only named.
///
/// A protocol with the value nil is supported at the endpoint's own address, like one with an empty
/// entry. Use `updateValue` to store such a nil, since assigning nil to a subscript removes the
/// key.
/// ```swift
/// var entries: ProtocolEntries = ["WireGuardTLS": ServerProtocolEntry(ports: [443])]
/// entries.updateValue(nil, forKey: VPNProtocol.ikev2.apiName)
/// ```
public typealias ProtocolEntries = [String: ServerProtocolEntry?]

/// The exceptions of an endpoint for one protocol: another address, other ports, or neither.
///
/// In JSON the fields are `IPv4` and `Ports`. An entry without an address makes the endpoint
/// exclusive to the protocols that have entries; see ``ServerEndpoint/entryIP(for:)``.
public struct ServerProtocolEntry: Codable, Hashable, Sendable {
    /// The address to connect to with this protocol; nil for that of the endpoint.
    public var ipv4: String?
    /// The ports to connect to, 1 to 65535; nil or empty for those that the client has configured.
    public var ports: [Int]?

    /// Creates an entry; without arguments, one that names a supported protocol.
    ///
    /// - Parameters:
    ///   - ipv4: the address to connect to; nil for that of the endpoint.
    ///   - ports: the ports; nil for the configured ones.
    public init(ipv4: String? = nil, ports: [Int]? = nil) {
        (self.ipv4, self.ports) = (ipv4, ports)
    }

    private enum CodingKeys: String, CodingKey {
        case ipv4 = "IPv4"
        case ports = "Ports"
    }
}

extension ServerEndpoint {
    /// Whether ``status`` is 0.
    public var isUnderMaintenance: Bool { status == 0 }

    /// Returns the address to connect to with a protocol.
    ///
    /// An entry for the protocol takes precedence, with ``entryIp`` if it has no address. Without
    /// an entry ``entryIp`` is used, unless any other entry has no address: then only the protocols
    /// with an entry are supported.
    /// ```swift
    /// let tls = ServerEndpoint(
    ///     id: "e", entryIp: "192.0.2.1", exitIp: "192.0.2.2", domain: "e.example", status: 1,
    ///     protocolEntries: ["WireGuardTLS": ServerProtocolEntry(ports: [443])])
    /// print(tls.entryIP(for: .wireGuardTLS) ?? "none")  // 192.0.2.1
    /// print(tls.entryIP(for: .ikev2) ?? "none")  // none: the entry has no address
    /// ```
    ///
    /// - Parameter vpnProtocol: the protocol of the connection.
    /// - Returns: the address; nil if the endpoint does not support the protocol, or has no
    ///   address.
    public func entryIP(for vpnProtocol: VPNProtocol) -> String? {
        guard let protocolEntries else { return entryIp }
        if let entry = protocolEntries[vpnProtocol.apiName] { return entry?.ipv4 ?? entryIp }
        let isExclusive = protocolEntries.values.contains { $0?.ipv4 == nil }
        return isExclusive ? nil : entryIp
    }

    /// Returns the ports to connect to with a protocol.
    ///
    /// - Parameter vpnProtocol: the protocol of the connection.
    /// - Returns: the ports of the protocol's entry; nil for those that the client has configured,
    ///   also for an empty array.
    public func ports(for vpnProtocol: VPNProtocol) -> [Int]? {
        guard let ports = protocolEntries?[vpnProtocol.apiName]??.ports, !ports.isEmpty else {
            return nil
        }
        return ports
    }

    /// The supported protocols: ``ProtocolSupport/all`` without entries, otherwise
    /// ``protocolMask``.
    public var supportedProtocols: ProtocolSupport { protocolMask ?? .all }

    /// The protocols supported according to the entries; nil without entries.
    ///
    /// A protocol counts if ``entryIP(for:)`` returns an address for it, so entries for unknown
    /// protocols add nothing, but can exclude the known ones. The filter
    /// ``VPNServerFilter/supports(protocol:)`` uses it.
    public var protocolMask: ProtocolSupport? {
        guard protocolEntries != nil else { return nil }
        return VPNProtocol.allCases.reduce(into: .zero) { mask, vpnProtocol in
            if entryIP(for: vpnProtocol) != nil { mask.insert(vpnProtocol.support) }
        }
    }
}
