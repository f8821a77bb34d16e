/// What a group of servers has in common.
public struct ServerGroupInfo: Codable, Hashable, Sendable, Identifiable {
    /// What a group is of.
    public enum Kind: Codable, Hashable, Sendable {
        /// The servers of a country.
        case country(code: String)
        /// The servers of a gateway, wherever they are.
        case gateway(name: String)
        /// The servers of a city.
        case city(name: String, code: String)
        /// The servers of a state.
        case state(name: String, code: String)
    }

    /// What the group is of.
    public var kind: Kind
    /// What all servers can do.
    public var featureIntersection: ServerFeature
    /// What any server can do.
    public var featureUnion: ServerFeature
    /// The lowest tier of a server.
    public var minTier: Int
    /// The highest one.
    public var maxTier: Int
    /// How many servers there are.
    public var serverCount: Int
    /// In how many cities.
    public var cityCount: Int
    /// Degrees north: the mean of the servers.
    public var latitude: Double
    /// Degrees east: the mean of the servers.
    public var longitude: Double
    /// Whether all servers say that they are somewhere else than they are.
    public var supportsSmartRouting: Bool
    /// Whether any server does.
    public var hasSmartRouting: Bool
    /// Whether nobody can connect to any of the servers.
    public var isUnderMaintenance: Bool
    /// The protocols that any endpoint speaks.
    public var protocolSupport: ProtocolSupport

    /// What the group is of.
    public var id: Kind { kind }

    /// A group.
    public init(
        kind: Kind, featureIntersection: ServerFeature, featureUnion: ServerFeature, minTier: Int,
        maxTier: Int, serverCount: Int, cityCount: Int, latitude: Double, longitude: Double,
        supportsSmartRouting: Bool, hasSmartRouting: Bool, isUnderMaintenance: Bool,
        protocolSupport: ProtocolSupport
    ) {
        (self.kind, self.minTier, self.maxTier) = (kind, minTier, maxTier)
        self.featureIntersection = featureIntersection
        self.featureUnion = featureUnion
        (self.serverCount, self.cityCount) = (serverCount, cityCount)
        (self.latitude, self.longitude) = (latitude, longitude)
        self.supportsSmartRouting = supportsSmartRouting
        self.hasSmartRouting = hasSmartRouting
        self.isUnderMaintenance = isUnderMaintenance
        self.protocolSupport = protocolSupport
    }
}

extension ServerGroupInfo.Kind {
    /// The country's code; nil for a gateway.
    public var countryCode: String? {
        switch self {
        case .country(let code), .city(_, let code), .state(_, let code): code
        case .gateway: nil
        }
    }
}
