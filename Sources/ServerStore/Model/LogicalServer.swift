/// A server that a user selects from the list: a name for one or more endpoints in one location.
///
/// A logical server has the properties that a user sees: a name, a country, a load. The machines
/// that a client connects to are its ``ServerEndpoint``s; ``VPNServer`` is both together. Load,
/// score and status change from minute to minute, and the store keeps them apart from the rest, so
/// that ``ContinuousServerProperties`` update them without the list.
///
/// Values come from ``ServerListJSON`` or from a query, and are created by hand in tests and
/// previews:
/// ```swift
/// let logical = LogicalServer(
///     id: "s1", name: "CH#30", domain: "ch-30.example", load: 42, exitCountryCode: "CH",
///     tier: ServerTier.plus, score: 1.25, status: 1, feature: [.p2p, .streaming],
///     city: "Zurich", latitude: 47.4, longitude: 8.5)
/// let server = VPNServer(logical: logical, endpoints: [endpoint])
/// ```
/// It is `Codable`; ``ServerListJSON`` reads that format as well as the API's. Strings are compared
/// byte by byte in filters and orders, while `==` of Swift treats canonically equivalent strings as
/// equal.
public struct LogicalServer: Codable, Hashable, Sendable, Identifiable {
    /// How traffic enters a server, and whom the server belongs to.
    ///
    /// The API does not send the kind;
    /// ``LogicalServer/kind(feature:entryCountryCode:gatewayName:)`` derives it.
    /// ``VPNServerFilter/KindFilter`` filters by it: a secure core server counts as one of its exit
    /// country.
    /// ```swift
    /// switch server.logical.kind {
    /// case .country: print(server.logical.exitCountryCode)
    /// case .secureCore(let entry): print("\(entry) → \(server.logical.exitCountryCode)")
    /// case .gateway(let name): print(name)
    /// }
    /// ```
    public enum Kind: Codable, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore(entryCountryCode: String)
        /// A server of an organisation's gateway.
        case gateway(name: String)
    }

    /// The unique ID of the server, `ID` in the API; 1 to 240 bytes in a list that was read.
    ///
    /// IDs are compared byte by byte. Profiles and recents refer to servers by it. An empty ID
    /// cannot be stored: ``ServerStoreError/Code/invalidID``.
    public var id: String
    /// The name that users see, such as `CH#30`; not necessarily unique. ``serverName`` has its
    /// parts, by which lists are sorted.
    public var name: String
    /// The domain name of the server, `Domain` in the API; it may be empty. Each endpoint has one
    /// of its own.
    public var domain: String
    /// The load in percent. It is limited to 0 to 100 when it is read or stored.
    public var load: Int
    /// The country where traffic exits: a code of two upper-case letters, where the United Kingdom
    /// is `UK`. ``CountryNames/name(of:)`` gives its name.
    public var exitCountryCode: String
    /// The lowest plan that may use the server, 0 or more; ``ServerTier`` names the values.
    public var tier: Int
    /// The score by which the API ranks servers; a lower one is better. It must be finite, or the
    /// store throws ``ServerStoreError/Code/invalidNumber``.
    public var score: Double
    /// 0 under maintenance, otherwise up.
    ///
    /// Lists and queries return 0 also for a server none of whose endpoints is up;
    /// ``ServerList/originals`` has the value of the API.
    public var status: Int
    /// The features, as bits of the API; unknown bits are retained. A negative raw value cannot be
    /// stored.
    public var feature: ServerFeature
    /// The city, as the API names it; nil if the API has none. Filters and groups use it, also in
    /// other languages.
    public var city: String?
    /// The country of the machine, in two letters, as the API sends it; nil if it sends none. See
    /// ``isVirtual``.
    public var hostCountry: String?
    /// The city in the user's language (`Translations` in the API); nil without a translation.
    /// Searches find it as well as ``city``.
    public var translatedCity: String?
    /// Degrees north, -90 to 90 in a list that was read; 0 if the API has no location.
    public var latitude: Double
    /// Degrees east, -180 to 180 in a list that was read; 0 if the API has no location.
    public var longitude: Double
    /// The state, in countries whose servers are grouped by states; otherwise nil. See
    /// ``VPNServerGrouping/stateName``.
    public var state: String?
    /// The kind of server, derived from features and gateway when a list is read.
    public var kind: Kind

    /// Creates a server from its properties, without checking them.
    ///
    /// ``ServerStore/replaceList(_:scope:metadata:allowsEmpty:in:)`` checks IDs and numbers when
    /// the server is stored. The defaults are a server of a country without a known location.
    ///
    /// - Parameters:
    ///   - id: the unique ID, not empty.
    ///   - name: the name that users see, such as `CH#30`.
    ///   - domain: the domain name; may be empty.
    ///   - load: the load in percent.
    ///   - exitCountryCode: the country where traffic exits, in two letters.
    ///   - tier: the lowest plan that may use it; see ``ServerTier``.
    ///   - score: the rank; lower is better.
    ///   - status: 0 under maintenance, otherwise up.
    ///   - feature: the features.
    ///   - city: the city, as the API names it; nil if unknown.
    ///   - hostCountry: the country of the machine, if it differs.
    ///   - translatedCity: the city in the user's language.
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - state: the state; nil for none.
    ///   - kind: how traffic enters, and the gateway that it belongs to.
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
    /// The country where traffic enters, in two letters: that of a secure core server's ``kind``,
    /// and the exit country of all others. ``VPNServerFilter/entryCountryCode(_:)`` filters by it.
    public var entryCountryCode: String {
        if case .secureCore(let entry) = kind { entry } else { exitCountryCode }
    }

    /// The name of the gateway that the server belongs to; nil for servers of other kinds.
    public var gatewayName: String? {
        if case .gateway(let name) = kind { name } else { nil }
    }

    /// Whether the machine is in a country other than the exit country (smart routing).
    ///
    /// A server whose ``hostCountry`` is nil, empty or the exit country is not virtual. Groups
    /// summarize it as ``ServerGroupInfo/supportsSmartRouting`` and
    /// ``ServerGroupInfo/hasSmartRouting``.
    public var isVirtual: Bool {
        guard let hostCountry, !hostCountry.isEmpty else { return false }
        return hostCountry != exitCountryCode
    }

    /// Whether ``status`` is 0. It does not consider the endpoints, as
    /// ``VPNServer/isUnderMaintenance`` does.
    public var isUnderMaintenance: Bool { status == 0 }

    /// The parts of ``name``, the key of ``VPNServerOrder/nameAscending``. It is parsed each time,
    /// so compute it once per server when you sort.
    public var serverName: ServerName { ServerName(name) }

    /// Derives the kind from what the API sends.
    ///
    /// A server with ``ServerFeature/secureCore`` is a secure core server even if it has a gateway;
    /// any other server with a gateway's name belongs to that gateway.
    ///
    /// - Parameters:
    ///   - feature: the features of the server.
    ///   - entryCountryCode: the country where traffic enters; used for secure core only.
    ///   - gatewayName: the gateway; nil for none. An empty name is a gateway, too.
    /// - Returns: the kind of server.
    public static func kind(
        feature: ServerFeature, entryCountryCode: String, gatewayName: String?
    ) -> Kind {
        if feature.contains(.secureCore) { return .secureCore(entryCountryCode: entryCountryCode) }
        return gatewayName.map { .gateway(name: $0) } ?? .country
    }
}

/// The properties of a server that change from minute to minute.
///
/// The API sends them more often than the list; ``ServerListJSON`` reads them, and the store writes
/// them without touching the rest of a server, so a refresh of loads is cheap:
/// ```swift
/// let loads = try ServerListJSON.readLoads(responseData).loads
/// let change = try repository.upsert(loads: loads)
/// print("\(change.updated) servers changed, \(change.unknown.count) are unknown")
/// ```
/// See ``ServerStore/update(loads:in:)`` for what happens to unknown servers and to those under
/// maintenance.
public struct ContinuousServerProperties: Codable, Hashable, Sendable {
    /// The ID of the server, ``LogicalServer/id``. A load of a server that is not in the store is
    /// ignored.
    public var serverId: String
    /// The load in percent, limited to 0 to 100 when it is stored.
    public var load: Int
    /// The score by which the API ranks servers; a lower one is better. It must be finite.
    public var score: Double
    /// 0 under maintenance, otherwise up. It cannot bring up a server that is stored as under
    /// maintenance.
    public var status: Int

    /// Creates the properties of a server, without checking them.
    ///
    /// - Parameters:
    ///   - serverId: the ID of the server.
    ///   - load: the load in percent.
    ///   - score: the rank; lower is better.
    ///   - status: 0 under maintenance, otherwise up.
    public init(serverId: String, load: Int, score: Double, status: Int) {
        (self.serverId, self.load) = (serverId, load)
        (self.score, self.status) = (score, status)
    }
}
