/// A machine that clients of a server connect to. One machine can be of several servers.
public struct ServerEndpoint: Codable, Hashable, Sendable, Identifiable {
    /// Its id; two endpoints of a server have two, those of different servers can have the same.
    public var id: String
    /// The address to connect to.
    public var entryIp: String?
    /// The address that others see.
    public var exitIp: String
    /// Its domain.
    public var domain: String
    /// 0 under maintenance, else up.
    public var status: Int
    /// What tells it from others with the same address.
    public var label: String?
    /// Its public key, in base 64.
    public var x25519PublicKey: String?
    /// What is different for a protocol, by the API's name of it, known or not; nil if nothing is.
    public var protocolEntries: ProtocolEntries?

    /// An endpoint.
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

/// What endpoints say of protocols: by the API's name of each; nil for one that is only named.
public typealias ProtocolEntries = [String: ServerProtocolEntry?]

/// What is different at an endpoint for one protocol.
public struct ServerProtocolEntry: Codable, Hashable, Sendable {
    /// The address to connect to.
    public var ipv4: String?
    /// The ports, in place of those that are configured.
    public var ports: [Int]?

    /// What is different.
    public init(ipv4: String? = nil, ports: [Int]? = nil) {
        (self.ipv4, self.ports) = (ipv4, ports)
    }

    private enum CodingKeys: String, CodingKey {
        case ipv4 = "IPv4"
        case ports = "Ports"
    }
}

extension ServerEndpoint {
    /// Whether it says that it is under maintenance.
    public var isUnderMaintenance: Bool { status == 0 }

    /// The address to connect to with a protocol; nil if the endpoint does not speak it.
    ///
    /// An entry of the protocol counts, with `entryIp` if it names no address. Without one
    /// `entryIp` counts, unless any other entry goes without an address: then only the protocols
    /// are spoken that have an entry.
    public func entryIP(for vpnProtocol: VPNProtocol) -> String? {
        guard let protocolEntries else { return entryIp }
        if let entry = protocolEntries[vpnProtocol.apiName] { return entry?.ipv4 ?? entryIp }
        let isExclusive = protocolEntries.values.contains { $0?.ipv4 == nil }
        return isExclusive ? nil : entryIp
    }

    /// The ports to connect to with a protocol; nil for those that are configured.
    public func ports(for vpnProtocol: VPNProtocol) -> [Int]? {
        guard let ports = protocolEntries?[vpnProtocol.apiName]??.ports, !ports.isEmpty else {
            return nil
        }
        return ports
    }

    /// The protocols that it speaks: all if it says nothing of any.
    public var supportedProtocols: ProtocolSupport { protocolMask ?? .all }

    /// The protocols that it speaks by its entries; nil if it has none.
    public var protocolMask: ProtocolSupport? {
        guard protocolEntries != nil else { return nil }
        return VPNProtocol.allCases.reduce(into: .zero) { mask, vpnProtocol in
            if entryIP(for: vpnProtocol) != nil { mask.insert(vpnProtocol.support) }
        }
    }
}
