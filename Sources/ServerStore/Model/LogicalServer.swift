/// What a user picks from the list: a name for one or more endpoints in one place.
public struct LogicalServer: Codable, Hashable, Sendable, Identifiable {
    /// What kind of server it is.
    public enum Kind: Codable, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore(entryCountryCode: String)
        /// A server of an organisation's gateway.
        case gateway(name: String)
    }

    /// Its id, which no other server has.
    public var id: String
    /// Its name, such as `CH#30`.
    public var name: String
    /// Its domain.
    public var domain: String
    /// How busy it is, in percent.
    public var load: Int
    /// Where traffic leaves, in two letters; the United Kingdom is `UK`.
    public var exitCountryCode: String
    /// Who can use it; see `ServerTier`.
    public var tier: Int
    /// How well it would do; less is better.
    public var score: Double
    /// 0 under maintenance, else up.
    public var status: Int
    /// What it can do.
    public var feature: ServerFeature
    /// Its city.
    public var city: String?
    /// The country that the machine is in, if that is another one.
    public var hostCountry: String?
    /// The city in the user's language.
    public var translatedCity: String?
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Its state, of countries that have them.
    public var state: String?
    /// What kind of server it is.
    public var kind: Kind

    /// A server.
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
    /// Where traffic enters, in two letters.
    public var entryCountryCode: String {
        if case .secureCore(let entry) = kind { entry } else { exitCountryCode }
    }

    /// The gateway that it is of; nil for other kinds.
    public var gatewayName: String? {
        if case .gateway(let name) = kind { name } else { nil }
    }

    /// Whether it says that it is somewhere else than it is (smart routing).
    public var isVirtual: Bool {
        guard let hostCountry, !hostCountry.isEmpty else { return false }
        return hostCountry != exitCountryCode
    }

    /// Whether it says that it is under maintenance.
    public var isUnderMaintenance: Bool { status == 0 }

    /// What it is put in order by.
    public var serverName: ServerName { ServerName(name) }

    /// What the API calls it by features and a gateway's name: secure core goes before all.
    public static func kind(
        feature: ServerFeature, entryCountryCode: String, gatewayName: String?
    ) -> Kind {
        if feature.contains(.secureCore) { return .secureCore(entryCountryCode: entryCountryCode) }
        return gatewayName.map { .gateway(name: $0) } ?? .country
    }
}

/// What changes of a server from minute to minute.
public struct ContinuousServerProperties: Codable, Hashable, Sendable {
    /// The server.
    public var serverId: String
    /// How busy it is, in percent.
    public var load: Int
    /// How well it would do; less is better.
    public var score: Double
    /// 0 under maintenance, else up.
    public var status: Int

    /// What has changed of a server.
    public init(serverId: String, load: Int, score: Double, status: Int) {
        (self.serverId, self.load) = (serverId, load)
        (self.score, self.status) = (score, status)
    }
}
