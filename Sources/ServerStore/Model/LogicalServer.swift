/// A server that a user selects from the list: a name for one or more endpoints in one location.
public struct LogicalServer: Codable, Hashable, Sendable, Identifiable {
    /// The kind of a server.
    public enum Kind: Codable, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore(entryCountryCode: String)
        /// A server of an organisation's gateway.
        case gateway(name: String)
    }

    /// Its unique id.
    public var id: String
    /// Its name, such as `CH#30`.
    public var name: String
    /// Its domain.
    public var domain: String
    /// Its load, in percent.
    public var load: Int
    /// The country where traffic exits, in two letters; the United Kingdom is `UK`.
    public var exitCountryCode: String
    /// The tier required to use it; see `ServerTier`.
    public var tier: Int
    /// Its score for ranking; lower is better.
    public var score: Double
    /// 0 under maintenance, otherwise up.
    public var status: Int
    /// Its features.
    public var feature: ServerFeature
    /// Its city.
    public var city: String?
    /// The country of the machine, if it differs.
    public var hostCountry: String?
    /// The city in the user's language.
    public var translatedCity: String?
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Its state, in countries that have states.
    public var state: String?
    /// The kind of server.
    public var kind: Kind

    /// Creates a server.
    public init(
        id: String, name: String, domain: String, load: Int, exitCountryCode: String, tier: Int,
        score: Double, status: Int, feature: ServerFeature, city: String? = nil,
        hostCountry: String? = nil, translatedCity: String? = nil, latitude: Double = 0,
        longitude: Double = 0, state: String? = nil, kind: Kind = .country
    ) {
        (self.id, self.name, self.domain, self.load) = (id, name, domain, load)
        (self.exitCountryCode, self.tier, self.score) = (exitCountryCode, tier, score)
        (self.status, self.feature, self.city, self.state) = (status, feature, city, state)
        (self.hostCountry, self.translatedCity) = (hostCountry, translatedCity)
        (self.latitude, self.longitude, self.kind) = (latitude, longitude, kind)
    }
}

extension LogicalServer {
    /// The country where traffic enters, in two letters.
    public var entryCountryCode: String {
        if case .secureCore(let entry) = kind { entry } else { exitCountryCode }
    }

    /// The gateway that it belongs to; nil for other kinds.
    public var gatewayName: String? {
        if case .gateway(let name) = kind { name } else { nil }
    }

    /// Whether its machine is in a country other than its exit country (smart routing).
    public var isVirtual: Bool {
        guard let hostCountry, !hostCountry.isEmpty else { return false }
        return hostCountry != exitCountryCode
    }

    /// Whether its status is maintenance.
    public var isUnderMaintenance: Bool { status == 0 }

    /// The key by which servers are sorted.
    public var serverName: ServerName { ServerName(name) }

    /// Derives the kind from the API's features and gateway name: secure core takes precedence.
    public static func kind(
        feature: ServerFeature, entryCountryCode: String, gatewayName: String?
    ) -> Kind {
        if feature.contains(.secureCore) { return .secureCore(entryCountryCode: entryCountryCode) }
        return gatewayName.map { .gateway(name: $0) } ?? .country
    }
}

/// The properties of a server that change from minute to minute.
public struct ContinuousServerProperties: Codable, Hashable, Sendable {
    /// The id of the server.
    public var serverId: String
    /// Its load, in percent.
    public var load: Int
    /// Its score for ranking; lower is better.
    public var score: Double
    /// 0 under maintenance, otherwise up.
    public var status: Int

    /// Creates the properties of a server.
    public init(serverId: String, load: Int, score: Double, status: Int) {
        (self.serverId, self.load) = (serverId, load)
        (self.score, self.status) = (score, status)
    }
}
