// The contents of the documents of servers. The API uses the domain models (docs/serverstore.md
// §8).

/// A document of `vpn.logicals`: the properties of a server that are valid for hours, with its
/// endpoints.
struct LogicalRecord: Hashable, Sendable {
    /// Its ID.
    var id: String
    /// Its name, which is sorted by its parts.
    var name: String
    /// Its domain.
    var domain: String
    /// The country where traffic exits.
    var exitCountryCode: String
    /// The country where traffic enters.
    var entryCountryCode: String
    /// The kind of server.
    var kind: Kind
    /// The tier required to use it.
    var tier: Int
    /// Its features, as bits.
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

    /// The kind of server of a document.
    enum Kind: String, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore
        /// A server of an organisation's gateway, whose name is stored, too.
        case gateway
    }
}

/// An endpoint in a document of `vpn.logicals`. It belongs to that server only; other servers may
/// have an endpoint with the same ID.
struct EndpointRecord: Hashable, Sendable {
    /// Its ID.
    var id: String
    /// The address to connect to.
    var entryIp: String?
    /// The address that is visible to others.
    var exitIp: String
    /// Its domain.
    var domain: String
    /// 0 under maintenance, otherwise up.
    var status: Int
    /// The label that distinguishes it from endpoints with the same address.
    var label: String?
    /// Its public key, in Base64.
    var x25519PublicKey: String?
    /// The exceptions for protocols; nil for none.
    var overrideInfo: OverrideRecord?
}

/// The exceptions of an endpoint for protocols.
struct OverrideRecord: Hashable, Sendable {
    /// The supported protocols, as bits, for queries.
    var protocolMask: Int
    /// The exceptions by protocol.
    var protocolEntries: ProtocolEntries
}

/// A document of `vpn.loads`: the properties of a server that change from minute to minute.
struct StatusRecord: Hashable, Sendable {
    /// 0 under maintenance, otherwise up; as received from the API.
    var status: Int
    /// Its load, in percent.
    var load: Int
    /// Its score for ranking; lower is better.
    var score: Double

    /// - Parameter load: limited to 0 to 100.
    init(status: Int, load: Int, score: Double) {
        (self.status, self.score) = (status, score)
        self.load = min(max(load, 0), 100)
    }
}
