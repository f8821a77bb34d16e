/// A user's connection profile: a name, a server, and a protocol.
public struct ServerProfile: Codable, Hashable, Sendable, Identifiable {
    /// Its id, assigned by the application.
    public var id: String
    /// Its name.
    public var name: String
    /// The id of the server; nil for the fastest one.
    public var serverID: String?
    /// The protocol; nil for the application's choice.
    public var vpnProtocol: VPNProtocol?

    /// Creates a profile.
    public init(
        id: String, name: String, serverID: String? = nil, vpnProtocol: VPNProtocol? = nil
    ) {
        (self.id, self.name) = (id, name)
        (self.serverID, self.vpnProtocol) = (serverID, vpnProtocol)
    }

    /// Decodes a profile; an unknown protocol becomes nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        serverID = try container.decodeIfPresent(String.self, forKey: .serverID)
        let name = try container.decodeIfPresent(String.self, forKey: .vpnProtocol)
        vpnProtocol = name.flatMap { VPNProtocol(rawValue: $0) }
    }
}

/// A recently used server.
public struct RecentServer: Codable, Hashable, Sendable, Identifiable {
    /// The id of the server.
    public var serverID: String
    /// When it was last used, in milliseconds since 1970-01-01 00:00 UTC.
    public var lastUsed: Int64
    /// Whether the user has pinned it.
    public var isPinned: Bool

    /// The id of the server.
    public var id: String { serverID }

    /// Creates a recently used server.
    public init(serverID: String, lastUsed: Int64, isPinned: Bool = false) {
        (self.serverID, self.lastUsed, self.isPinned) = (serverID, lastUsed, isPinned)
    }
}
