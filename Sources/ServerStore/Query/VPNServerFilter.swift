/// A filter on servers. A query returns the servers that match all of its filters.
///
/// Most filters apply to a server as a whole. Filters on endpoints (`endpointID`, `endpointIDs`,
/// `supports`, `supportsAll`) exclude endpoints: a server without a remaining endpoint does not
/// match, and for the others only the remaining endpoints count, for example in
/// ``ServerInfo/protocolSupport``.
/// ```swift
/// let filters: [VPNServerFilter] = [
///     .kind(.country("DE")), .features(.p2p), .supports(protocol: [.wireGuardUDP]),
///     .isNotUnderMaintenance,
/// ]
/// let servers = try repository.servers(filteredBy: filters, orderedBy: .fastest)
/// ```
/// Strings are compared byte by byte, so codes must be in upper case; only ``matches(_:)`` ignores
/// case and accents. A filter with an array of strings matches if one of them is equal; an empty
/// array matches nothing. To match one of several filters, run several queries.
public enum VPNServerFilter: Hashable, Sendable {
    /// The server with an ID.
    case logicalID(String)
    /// The servers with one of the IDs.
    case logicalIDs([String])
    /// Endpoints with an ID, which can belong to several servers.
    case endpointID(String)
    /// Endpoints with one of the IDs.
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

    /// A condition on the tier of servers; ``ServerTier`` names the values.
    public enum TierFilter: Hashable, Sendable {
        /// Exactly this tier.
        case exact(tier: Int)
        /// This tier and lower ones.
        case max(tier: Int)
    }

    /// A condition on features: those that a server must have, and those that it must not have.
    ///
    /// The predefined conditions exclude secure core, except the one for it.
    /// ```swift
    /// let p2p = try repository.groups(filteredBy: [.features(.p2p)])
    /// let core = try repository.servers(filteredBy: [.features(.secureCore)])
    /// let own = VPNServerFilter.FeatureFilter(required: .zero, excluded: [.tor, .secureCore])
    /// ```
    public struct FeatureFilter: Hashable, Sendable {
        /// The features that a server must have, all of them; an empty set requires none.
        public var required: ServerFeature
        /// The features that a server must not have; no server matches a feature in both sets.
        public var excluded: ServerFeature

        /// Creates a condition from required and excluded features.
        ///
        /// - Parameters:
        ///   - required: the features that a server must have.
        ///   - excluded: the features that it must not have; none by default, so that secure core
        ///     is included.
        public init(required: ServerFeature, excluded: ServerFeature = .zero) {
            (self.required, self.excluded) = (required, excluded)
        }
    }

    /// A condition on the kind of server, such as that of a group.
    ///
    /// Secure core servers count with their exit country. The servers of a gateway are in no
    /// country, but a city or a state includes them.
    /// ```swift
    /// let gateways = try repository.groups(filteredBy: [.kind(.gateway())])
    /// let zurich: VPNServerFilter = .kind(.city(name: "Zurich", code: "CH"))
    /// let servers = try repository.servers(filteredBy: [zurich])
    /// ```
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
    /// Returns a filter on servers of a tier and lower ones, as `.tier(.max(tier:))`.
    ///
    /// - Parameter tier: the highest tier, such as ``ServerTier/free``.
    public static func maxTier(_ tier: Int) -> Self { .tier(.max(tier: tier)) }

    /// Returns a filter on endpoints that support at least one of the protocols, as
    /// ``supports(protocol:)``.
    ///
    /// - Parameter protocols: the protocols; an empty set matches only endpoints without protocol
    ///   entries.
    public static func supports(_ protocols: ProtocolSupport) -> Self {
        .supports(protocol: protocols)
    }
}

extension VPNServerFilter.FeatureFilter {
    /// All servers except secure core; the default of a ``ServerRequest``.
    public static let standard = Self(required: .zero, excluded: .secureCore)
    /// Secure core servers only, whatever their other features are.
    public static let secureCore = Self(required: .secureCore)
    /// Servers with Tor, without secure core.
    public static let tor = standard(with: .tor)
    /// Servers that allow file sharing, without secure core.
    public static let p2p = standard(with: .p2p)
    /// Servers for streaming, without secure core.
    public static let streaming = standard(with: .streaming)

    /// Returns the condition that some features are present and secure core is not.
    ///
    /// - Parameter required: the features that a server must have, all of them.
    public static func standard(with required: ServerFeature) -> Self {
        standard(with: required, without: .zero)
    }

    /// Returns the condition that some features are present, and that neither others nor secure
    /// core are.
    ///
    /// - Parameters:
    ///   - required: the features that a server must have.
    ///   - excluded: the features that it must not have, in addition to secure core.
    public static func standard(
        with required: ServerFeature, without excluded: ServerFeature
    ) -> Self {
        Self(required: required, excluded: excluded.union(.secureCore))
    }
}
