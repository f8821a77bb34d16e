/// A user's connection profile: a name, a server, and a protocol.
///
/// Profiles are stored in the collection `vpn.profiles` and refer to a server by its ID. They stay
/// when the server leaves the list, since it may return with the next one, so look the server up
/// when you use a profile:
/// ```swift
/// let profile = ServerProfile(
///     id: UUID().uuidString, name: "Home", serverID: server.id, vpnProtocol: .wireGuardUDP)
/// try serverStore.write { try serverStore.save(profile, in: $0) }
/// let target = try serverStore.currentList().server(profile.serverID ?? "")
/// ```
/// See ``ServerStore/save(_:in:)``, ``ServerStore/profiles(in:)`` and
/// ``ServerStore/deleteProfile(_:in:)``.
public struct ServerProfile: Codable, Hashable, Sendable, Identifiable {
    /// The ID, assigned by the application, such as a UUID; not empty in a stored profile.
    public var id: String
    /// The name that the user has given it; several profiles can have the same one.
    public var name: String
    /// The ID of the server; nil for the fastest one. The server may have left the list.
    public var serverID: String?
    /// The protocol; nil for the application's choice, and for a stored one that this version does
    /// not know.
    public var vpnProtocol: VPNProtocol?

    /// Creates a profile without storing it.
    ///
    /// - Parameters:
    ///   - id: the ID; a profile that is saved replaces the one with the same ID.
    ///   - name: the name that the user sees.
    ///   - serverID: the ID of the server; nil for the fastest one.
    ///   - vpnProtocol: the protocol; nil for the application's choice.
    public init(
        id: String, name: String, serverID: String? = nil, vpnProtocol: VPNProtocol? = nil
    ) {
        (self.id, self.name) = (id, name)
        (self.serverID, self.vpnProtocol) = (serverID, vpnProtocol)
    }

    /// Decodes a profile; a protocol that this version does not know becomes nil, so a profile of a
    /// later version stays usable.
    ///
    /// - Throws: a `DecodingError` if the ID or the name is missing, or if a property has another
    ///   type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        serverID = try container.decodeIfPresent(String.self, forKey: .serverID)
        let name = try container.decodeIfPresent(String.self, forKey: .vpnProtocol)
        vpnProtocol = name.flatMap { VPNProtocol(rawValue: $0) }
    }
}

/// A server that the user has connected to, with the time of the last use.
///
/// ``ServerStore/noteUse(of:at:keeping:in:)`` writes it and removes the oldest ones; pinned ones
/// stay until ``ServerStore/forget(_:in:)`` removes them.
/// ```swift
/// let recents = try serverStore.read { try serverStore.recents(in: $0) }
/// let list = try serverStore.currentList()
/// for recent in recents {
///     guard let server = list.server(recent.serverID) else { continue }
///     print(recent.isPinned ? "pinned" : "recent", server.logical.name)
/// }
/// ```
public struct RecentServer: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the server, ``LogicalServer/id``; the server may have left the list.
    public var serverID: String
    /// When it was last used, in milliseconds since 1970-01-01 00:00 UTC; the caller passes it to
    /// ``ServerStore/noteUse(of:at:keeping:in:)``.
    public var lastUsed: Int64
    /// Whether the user has pinned it. Pinned servers are listed first and are not removed by age.
    public var isPinned: Bool

    /// The ID of the server, as ``serverID``.
    public var id: String { serverID }

    /// Creates a recently used server, for tests and previews.
    ///
    /// - Parameters:
    ///   - serverID: the ID of the server.
    ///   - lastUsed: milliseconds since 1970-01-01 00:00 UTC.
    ///   - isPinned: whether the user has pinned it.
    public init(serverID: String, lastUsed: Int64, isPinned: Bool = false) {
        (self.serverID, self.lastUsed, self.isPinned) = (serverID, lastUsed, isPinned)
    }
}
