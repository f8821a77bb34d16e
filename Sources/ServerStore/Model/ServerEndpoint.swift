/// A machine that clients of a server connect to. Several servers can share a machine.
public struct ServerEndpoint: Codable, Hashable, Sendable, Identifiable {
    /// Its id, unique within a server; endpoints of different servers can have the same id.
    public var id: String
    /// The address to connect to.
    public var entryIp: String?
    /// The address that is visible to others.
    public var exitIp: String
    /// Its domain.
    public var domain: String
    /// 0 under maintenance, otherwise up.
    public var status: Int
    /// The label that distinguishes it from endpoints with the same address.
    public var label: String?
    /// Its public key, in Base64.
    public var x25519PublicKey: String?
    /// The exceptions for protocols, by the API's name of the protocol, known or not; nil for none.
    public var protocolEntries: ProtocolEntries?

    /// Creates an endpoint.
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
public typealias ProtocolEntries = [String: ServerProtocolEntry?]

/// The exceptions of an endpoint for one protocol.
public struct ServerProtocolEntry: Codable, Hashable, Sendable {
    /// The address to connect to.
    public var ipv4: String?
    /// The ports, instead of the configured ones.
    public var ports: [Int]?

    /// Creates an entry.
    public init(ipv4: String? = nil, ports: [Int]? = nil) {
        (self.ipv4, self.ports) = (ipv4, ports)
    }

    private enum CodingKeys: String, CodingKey {
        case ipv4 = "IPv4"
        case ports = "Ports"
    }
}

extension ServerEndpoint {
    /// Whether its status is maintenance.
    public var isUnderMaintenance: Bool { status == 0 }

    /// The address to connect to with a protocol; nil if the endpoint does not support it.
    ///
    /// An entry for the protocol takes precedence, with `entryIp` if it has no address. Without an
    /// entry `entryIp` is used, unless any other entry has no address: then only the protocols with
    /// an entry are supported.
    public func entryIP(for vpnProtocol: VPNProtocol) -> String? {
        guard let protocolEntries else { return entryIp }
        if let entry = protocolEntries[vpnProtocol.apiName] { return entry?.ipv4 ?? entryIp }
        let isExclusive = protocolEntries.values.contains { $0?.ipv4 == nil }
        return isExclusive ? nil : entryIp
    }

    /// The ports to connect to with a protocol; nil for the configured ones.
    public func ports(for vpnProtocol: VPNProtocol) -> [Int]? {
        guard let ports = protocolEntries?[vpnProtocol.apiName]??.ports, !ports.isEmpty else {
            return nil
        }
        return ports
    }

    /// The supported protocols: all if there are no entries.
    public var supportedProtocols: ProtocolSupport { protocolMask ?? .all }

    /// The protocols supported according to the entries; nil without entries.
    public var protocolMask: ProtocolSupport? {
        guard protocolEntries != nil else { return nil }
        return VPNProtocol.allCases.reduce(into: .zero) { mask, vpnProtocol in
            if entryIP(for: vpnProtocol) != nil { mask.insert(vpnProtocol.support) }
        }
    }
}
