/// What a user has made of a server: a name for it, and how to connect.
public struct ServerProfile: Codable, Hashable, Sendable, Identifiable {
    /// Its id, which the application chooses.
    public var id: String
    /// Its name.
    public var name: String
    /// The server, by its id; nil for the fastest one.
    public var serverID: String?
    /// The protocol; nil for the application's choice.
    public var vpnProtocol: VPNProtocol?

    /// A profile.
    public init(
        id: String, name: String, serverID: String? = nil, vpnProtocol: VPNProtocol? = nil
    ) {
        (self.id, self.name) = (id, name)
        (self.serverID, self.vpnProtocol) = (serverID, vpnProtocol)
    }

    /// Reads a profile; a protocol that this version does not know is as none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        serverID = try container.decodeIfPresent(String.self, forKey: .serverID)
        let name = try container.decodeIfPresent(String.self, forKey: .vpnProtocol)
        vpnProtocol = name.flatMap { VPNProtocol(rawValue: $0) }
    }
}

/// A server that was used.
public struct RecentServer: Codable, Hashable, Sendable, Identifiable {
    /// The server, by its id.
    public var serverID: String
    /// When it was used last, in milliseconds since the beginning of 1970.
    public var lastUsed: Int64
    /// Whether the user wants to keep it.
    public var isPinned: Bool

    /// The server's.
    public var id: String { serverID }

    /// A server that was used.
    public init(serverID: String, lastUsed: Int64, isPinned: Bool = false) {
        (self.serverID, self.lastUsed, self.isPinned) = (serverID, lastUsed, isPinned)
    }
}
