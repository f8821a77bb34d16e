/// What servers are asked for. Filters of one call must all be met.
///
/// Most are about a server as a whole. Those about endpoints leave out endpoints: a server of which
/// none is left is not found, and of others only what is left counts.
public enum VPNServerFilter: Hashable, Sendable {
    /// The server of an id.
    case logicalID(String)
    /// The servers of some ids.
    case logicalIDs([String])
    /// An endpoint of an id, which can be of several servers.
    case endpointID(String)
    /// Endpoints of some ids.
    case endpointIDs([String])
    /// Servers where traffic enters in a country, of all kinds.
    case entryCountryCode(String)
    /// Servers where traffic enters in one of some countries, of all kinds.
    case entryCountryCodes([String])
    /// Servers where traffic leaves in a country, of all kinds.
    case exitCountryCode(String)
    /// Servers where traffic leaves in one of some countries, of all kinds.
    case exitCountryCodes([String])
    /// Servers of some tiers.
    case tier(TierFilter)
    /// Servers that can do something, or cannot.
    case features(FeatureFilter)
    /// Servers that are up and have an endpoint that is.
    case isNotUnderMaintenance
    /// Endpoints that speak any of some protocols.
    case supports(protocol: ProtocolSupport)
    /// Endpoints that speak all of some protocols.
    case supportsAll(protocols: ProtocolSupport)
    /// Servers of a kind.
    case kind(KindFilter)
    /// Servers of a city, in any country.
    case city(String)
    /// Servers of a state, in any country.
    case state(String)
    /// The servers of a name.
    case name(String)
    /// The servers of some names.
    case names([String])
    /// Servers that a search finds: see `ServerSearch`.
    case matches(String)

    /// Which tiers.
    public enum TierFilter: Hashable, Sendable {
        /// That one.
        case exact(tier: Int)
        /// That one and those below it.
        case max(tier: Int)
    }

    /// Which features.
    public struct FeatureFilter: Hashable, Sendable {
        /// What a server must be able to do.
        public var required: ServerFeature
        /// What it must not; of what is in both sets there is no server.
        public var excluded: ServerFeature

        /// Features that are asked for, and others that are not wanted.
        public init(required: ServerFeature, excluded: ServerFeature = .zero) {
            (self.required, self.excluded) = (required, excluded)
        }
    }

    /// Which kind, and what more is known of it.
    public enum KindFilter: Hashable, Sendable {
        /// All servers but those of gateways; of a country, if that is given.
        case country(_ code: String? = nil)
        /// The servers of all gateways, or of one.
        case gateway(_ name: String? = nil)
        /// The servers of a city of a country.
        case city(name: String, code: String)
        /// The servers of a state of a country.
        case state(name: String, code: String)
    }
}

// The names of the first description of this interface.
extension VPNServerFilter {
    /// Servers of a tier and those below it.
    public static func maxTier(_ tier: Int) -> Self { .tier(.max(tier: tier)) }

    /// Endpoints that speak any of some protocols.
    public static func supports(_ protocols: ProtocolSupport) -> Self {
        .supports(protocol: protocols)
    }
}

extension VPNServerFilter.FeatureFilter {
    /// All but secure core.
    public static let standard = Self(required: .zero, excluded: .secureCore)
    /// Secure core.
    public static let secureCore = Self(required: .secureCore)
    /// Onion addresses, without secure core.
    public static let tor = standard(with: .tor)
    /// File sharing, without secure core.
    public static let p2p = standard(with: .p2p)
    /// Streaming, without secure core.
    public static let streaming = standard(with: .streaming)

    /// Without secure core, with some features.
    public static func standard(with required: ServerFeature) -> Self {
        standard(with: required, without: .zero)
    }

    /// Without secure core and some other features, with some features.
    public static func standard(
        with required: ServerFeature, without excluded: ServerFeature
    ) -> Self {
        Self(required: required, excluded: excluded.union(.secureCore))
    }
}
