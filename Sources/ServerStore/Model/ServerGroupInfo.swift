/// A group of servers, with their common properties.
public struct ServerGroupInfo: Codable, Hashable, Sendable, Identifiable {
    /// What a group consists of.
    public enum Kind: Codable, Hashable, Sendable {
        /// The servers of a country.
        case country(code: String)
        /// The servers of a gateway, in any country.
        case gateway(name: String)
        /// The servers of a city.
        case city(name: String, code: String)
        /// The servers of a state.
        case state(name: String, code: String)
    }

    /// What the group consists of.
    public var kind: Kind
    /// The features that all servers have.
    public var featureIntersection: ServerFeature
    /// The features that at least one server has.
    public var featureUnion: ServerFeature
    /// The lowest tier of the servers.
    public var minTier: Int
    /// The highest tier of the servers.
    public var maxTier: Int
    /// The number of servers.
    public var serverCount: Int
    /// The number of cities.
    public var cityCount: Int
    /// Degrees north: the mean of the servers.
    public var latitude: Double
    /// Degrees east: the mean of the servers.
    public var longitude: Double
    /// Whether all servers use smart routing.
    public var supportsSmartRouting: Bool
    /// Whether at least one server uses smart routing.
    public var hasSmartRouting: Bool
    /// Whether none of the servers can be connected to.
    public var isUnderMaintenance: Bool
    /// The protocols that at least one endpoint supports.
    public var protocolSupport: ProtocolSupport

    /// What the group consists of.
    public var id: Kind { kind }

    /// Creates a group.
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
