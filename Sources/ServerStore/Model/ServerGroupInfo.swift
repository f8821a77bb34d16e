/// A group of servers, with their common properties.
///
/// A query returns one for each country, gateway, city or state with a matching server;
/// ``VPNServerGrouping`` selects which. All properties are aggregates of the servers that match the
/// filters, and of the endpoints of those that match filters on endpoints.
/// ```swift
/// for group in try repository.groups(filteredBy: [.features(.p2p)]) {
///     let state = group.isUnderMaintenance ? ", under maintenance" : ""
///     print("\(group.kind): \(group.serverCount) servers\(state)")
/// }
/// ```
/// A group is a value: it does not change when the list does. A group without servers does not
/// exist.
public struct ServerGroupInfo: Codable, Hashable, Sendable, Identifiable {
    /// What a group consists of. It identifies the group, and as a filter selects its servers.
    ///
    /// ```swift
    /// func filter(of group: ServerGroupInfo) -> VPNServerFilter {
    ///     switch group.kind {
    ///     case .country(let code): .kind(.country(code))
    ///     case .gateway(let name): .kind(.gateway(name))
    ///     case .city(let name, let code): .kind(.city(name: name, code: code))
    ///     case .state(let name, let code): .kind(.state(name: name, code: code))
    ///     }
    /// }
    /// ```
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

    /// What the group consists of; unique among the groups of one query.
    public var kind: Kind
    /// The features that all servers of the group have.
    public var featureIntersection: ServerFeature
    /// The features that at least one server of the group has.
    public var featureUnion: ServerFeature
    /// The lowest tier of the servers: a user of a lower plan can use none of them. See
    /// ``ServerTier``.
    public var minTier: Int
    /// The highest tier of the servers; equal to ``minTier`` if all require the same plan.
    public var maxTier: Int
    /// The number of servers that match the filters, up or not; at least 1.
    public var serverCount: Int
    /// The number of different cities of the servers; 0 if no server has one. Cities with one name
    /// in two countries, as in a gateway, count twice.
    public var cityCount: Int
    /// Degrees north: the mean of the servers.
    public var latitude: Double
    /// Degrees east: the mean of the servers, -180 to 180. The mean of 179° and -179° is 180°, not
    /// 0°.
    public var longitude: Double
    /// Whether all servers use smart routing; see ``LogicalServer/isVirtual``.
    public var supportsSmartRouting: Bool
    /// Whether at least one server uses smart routing; see ``LogicalServer/isVirtual``.
    public var hasSmartRouting: Bool
    /// Whether none of the servers can be connected to: each has a status of maintenance, or no
    /// matching endpoint that is up.
    public var isUnderMaintenance: Bool
    /// The protocols that at least one endpoint of the servers supports, of those that match the
    /// filters.
    public var protocolSupport: ProtocolSupport

    /// What the group consists of, as ``kind``.
    public var id: Kind { kind }

    /// Creates a group from all its properties, for tests and previews; queries create the others.
    ///
    /// - Parameters:
    ///   - kind: what the group consists of.
    ///   - featureIntersection: the features that all servers have.
    ///   - featureUnion: the features that at least one server has.
    ///   - minTier: the lowest tier of the servers.
    ///   - maxTier: the highest tier of the servers.
    ///   - serverCount: the number of servers.
    ///   - cityCount: the number of different cities.
    ///   - latitude: degrees north, the mean of the servers.
    ///   - longitude: degrees east, the mean of the servers.
    ///   - supportsSmartRouting: whether all servers use smart routing.
    ///   - hasSmartRouting: whether at least one server does.
    ///   - isUnderMaintenance: whether none of the servers can be connected to.
    ///   - protocolSupport: the protocols that at least one endpoint supports.
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
    /// The code of the country that the group is, or is in; nil for a gateway, whose servers can be
    /// in any country.
    public var countryCode: String? {
        switch self {
        case .country(let code), .city(_, let code), .state(_, let code): code
        case .gateway: nil
        }
    }
}
