// What the documents of servers hold. Callers use the domain models (docs/serverstore.md §8).

/// A document of `vpn.logicals`: what is known of a server for hours, with its endpoints.
struct LogicalRecord: Hashable, Sendable {
    /// Its id.
    var id: String
    /// Its name, which is put in order by its parts.
    var name: String
    /// Its domain.
    var domain: String
    /// Where traffic leaves.
    var exitCountryCode: String
    /// Where it enters.
    var entryCountryCode: String
    /// What kind of server it is.
    var kind: Kind
    /// Who can use it.
    var tier: Int
    /// What it can do, as bits.
    var feature: Int
    /// Its gateway.
    var gatewayName: String?
    /// Its city.
    var city: String?
    /// Its city in the user's language.
    var translatedCity: String?
    /// Its state.
    var state: String?
    /// Where its machine is.
    var hostCountry: String?
    /// Degrees north.
    var latitude: Double
    /// Degrees east.
    var longitude: Double
    /// Its endpoints, in the order of the list.
    var endpoints: [EndpointRecord]

    /// What kind of server a document is of.
    enum Kind: String, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore
        /// A server of an organisation's gateway, of which there is the name.
        case gateway
    }
}

/// An endpoint in a document of `vpn.logicals`. It belongs to that server alone: others may
/// have one with the same id.
struct EndpointRecord: Hashable, Sendable {
    /// Its id.
    var id: String
    /// The address to connect to.
    var entryIp: String?
    /// The address that others see.
    var exitIp: String
    /// Its domain.
    var domain: String
    /// 0 under maintenance, else up.
    var status: Int
    /// What tells it from others with the same address.
    var label: String?
    /// Its key, in base 64.
    var x25519PublicKey: String?
    /// What is different for protocols; nil if nothing is.
    var overrideInfo: OverrideRecord?
}

/// What an endpoint has for single protocols.
struct OverrideRecord: Hashable, Sendable {
    /// The protocols that it speaks, as bits; those that are queried.
    var protocolMask: Int
    /// What is different for each.
    var protocolEntries: ProtocolEntries
}

/// A document of `vpn.loads`: what changes of a server from minute to minute.
struct StatusRecord: Hashable, Sendable {
    /// 0 under maintenance, else up; as the API said it.
    var status: Int
    /// How busy it is, in percent.
    var load: Int
    /// How well it would do; less is better.
    var score: Double

    /// - Parameter load: held between 0 and 100.
    init(status: Int, load: Int, score: Double) {
        (self.status, self.score) = (status, score)
        self.load = min(max(load, 0), 100)
    }
}
