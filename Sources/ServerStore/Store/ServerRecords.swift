// What the documents hold: the record types of the first description of this store, by its names.
extension ServerStore {
    /// A document of `vpn.logicals`: what is known of a server for hours, with its endpoints.
    public struct Logical: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its name, which is put in order by its parts.
        public var name: String
        /// Its domain.
        public var domain: String
        /// Where traffic leaves.
        public var exitCountryCode: String
        /// Where it enters.
        public var entryCountryCode: String
        /// What kind of server it is.
        public var kind: Kind
        /// Who can use it.
        public var tier: Int
        /// What it can do, as bits.
        public var feature: Int
        /// Its gateway.
        public var gatewayName: String?
        /// Its city.
        public var city: String?
        /// Its city in the user's language.
        public var translatedCity: String?
        /// Its state.
        public var state: String?
        /// Where its machine is.
        public var hostCountry: String?
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double
        /// Its endpoints, in the order of the list.
        public var endpoints: [Endpoint]
    }

    /// What kind of server a document is of.
    public enum Kind: String, Hashable, Sendable {
        /// A server of a country.
        case country
        /// A server whose traffic enters in another country.
        case secureCore
        /// A server of an organisation's gateway, of which there is the name.
        case gateway
    }

    /// An endpoint in a document of `vpn.logicals`. It belongs to that server alone: others may
    /// have one with the same id.
    public struct Endpoint: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// The address to connect to.
        public var entryIp: String?
        /// The address that others see.
        public var exitIp: String
        /// Its domain.
        public var domain: String
        /// 0 under maintenance, else up.
        public var status: Int
        /// What tells it from others with the same address.
        public var label: String?
        /// Its public key, in base 64.
        public var x25519PublicKey: String?
        /// What is different for protocols; nil if nothing is.
        public var overrideInfo: OverrideInfo?
    }

    /// What an endpoint has for single protocols.
    public struct OverrideInfo: Hashable, Sendable {
        /// The protocols that it speaks, as bits; those that are queried.
        public var protocolMask: Int
        /// What is different for each.
        public var protocolEntries: ProtocolEntries
    }

    /// A document of `vpn.loads`: what changes of a server from minute to minute.
    public struct LogicalStatus: Hashable, Sendable {
        /// 0 under maintenance, else up; as the API said it.
        public var status: Int
        /// How busy it is, in percent.
        public var load: Int
        /// How well it would do; less is better.
        public var score: Double

        /// - Parameter load: held between 0 and 100.
        init(status: Int, load: Int, score: Double) {
            (self.status, self.score) = (status, score)
            self.load = min(max(load, 0), 100)
        }
    }

    /// What a query for one server gives.
    public typealias ServerResult = VPNServer
    /// What a query for a list gives of each server.
    public typealias ServerInfoResult = ServerInfo
    /// What a query for groups gives of each.
    public typealias GroupInfoResult = ServerGroupInfo
}
