/// A filter on servers. A query returns the servers that match all of its filters.
///
/// Most filters apply to a server as a whole. Filters on endpoints exclude endpoints: a server
/// without a remaining endpoint does not match, and for the others only the remaining endpoints
/// count.
public enum VPNServerFilter: Hashable, Sendable {
    /// The server with an id.
    case logicalID(String)
    /// The servers with one of the ids.
    case logicalIDs([String])
    /// Endpoints with an id, which can belong to several servers.
    case endpointID(String)
    /// Endpoints with one of the ids.
    case endpointIDs([String])
    /// Servers whose traffic enters in a country, of all kinds.
    case entryCountryCode(String)
    /// Servers whose traffic enters in one of the countries, of all kinds.
    case entryCountryCodes([String])
    /// Servers whose traffic exits in a country, of all kinds.
    case exitCountryCode(String)
    /// Servers whose traffic exits in one of the countries, of all kinds.
    case exitCountryCodes([String])
    /// Servers of some tiers.
    case tier(TierFilter)
    /// Servers that have some features and lack others.
    case features(FeatureFilter)
    /// Servers that are up and have an endpoint that is up.
    case isNotUnderMaintenance
    /// Endpoints that support at least one of the protocols.
    case supports(protocol: ProtocolSupport)
    /// Endpoints that support all of the protocols.
    case supportsAll(protocols: ProtocolSupport)
    /// Servers of a kind.
    case kind(KindFilter)
    /// Servers of a city, in any country.
    case city(String)
    /// Servers of a state, in any country.
    case state(String)
    /// The servers with a name.
    case name(String)
    /// The servers with one of the names.
    case names([String])
    /// Servers that match a search: see `ServerSearch`.
    case matches(String)

    /// A condition on tiers.
    public enum TierFilter: Hashable, Sendable {
        /// Exactly this tier.
        case exact(tier: Int)
        /// This tier and lower ones.
        case max(tier: Int)
    }

    /// A condition on features.
    public struct FeatureFilter: Hashable, Sendable {
        /// The features that a server must have.
        public var required: ServerFeature
        /// The features that a server must not have; no server matches a feature in both sets.
        public var excluded: ServerFeature

        /// Creates a condition from required and excluded features.
        public init(required: ServerFeature, excluded: ServerFeature = .zero) {
            (self.required, self.excluded) = (required, excluded)
        }
    }

    /// A condition on the kind of server.
    public enum KindFilter: Hashable, Sendable {
        /// All servers except those of gateways; of one country, if specified.
        case country(_ code: String? = nil)
        /// The servers of all gateways, or of one.
        case gateway(_ name: String? = nil)
        /// The servers of a city of a country.
        case city(name: String, code: String)
        /// The servers of a state of a country.
        case state(name: String, code: String)
    }
}

// The names of the first version of this interface.
extension VPNServerFilter {
    /// Servers of a tier and lower ones.
    public static func maxTier(_ tier: Int) -> Self { .tier(.max(tier: tier)) }

    /// Endpoints that support at least one of the protocols.
    public static func supports(_ protocols: ProtocolSupport) -> Self {
        .supports(protocol: protocols)
    }
}

extension VPNServerFilter.FeatureFilter {
    /// All servers except secure core.
    public static let standard = Self(required: .zero, excluded: .secureCore)
    /// Secure core.
    public static let secureCore = Self(required: .secureCore)
    /// Tor, without secure core.
    public static let tor = standard(with: .tor)
    /// File sharing, without secure core.
    public static let p2p = standard(with: .p2p)
    /// Streaming, without secure core.
    public static let streaming = standard(with: .streaming)

    /// The required features, without secure core.
    public static func standard(with required: ServerFeature) -> Self {
        standard(with: required, without: .zero)
    }

    /// The required features, without secure core and other excluded features.
    public static func standard(
        with required: ServerFeature, without excluded: ServerFeature
    ) -> Self {
        Self(required: required, excluded: excluded.union(.secureCore))
    }
}
