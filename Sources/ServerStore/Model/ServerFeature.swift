/// The features of a server, as bits of the API.
///
/// Bits that this version does not name are retained when a server is read, stored and written, so
/// a newer API loses nothing. Filters take a ``VPNServerFilter/FeatureFilter`` of required and
/// excluded features:
/// ```swift
/// let hasP2P = server.logical.feature.contains(.p2p)
/// let servers = try repository.servers(
///     filteredBy: [.features(.standard(with: [.p2p, .streaming], without: .tor))])
/// ```
public struct ServerFeature: OptionSet, Codable, Hashable, Sendable {
    /// The bits, `Features` in the API; 0 or more in a stored server.
    public var rawValue: Int

    /// Creates a set of bits.
    ///
    /// - Parameter rawValue: the bits of the API. Bits without a name are retained; a negative
    ///   value cannot be stored.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Traffic enters in a country other than the exit country (raw value 1).
    /// ``LogicalServer/Kind/secureCore(entryCountryCode:)`` has the entry country.
    public static let secureCore = Self(rawValue: 1)
    /// Traffic is routed through Tor, and onion addresses can be reached (raw value 2).
    public static let tor = Self(rawValue: 2)
    /// File sharing between peers is allowed (raw value 4).
    public static let p2p = Self(rawValue: 4)
    /// Optimized for streaming (raw value 8).
    public static let streaming = Self(rawValue: 8)
    /// Reachable by IPv6 (raw value 16).
    public static let ipv6 = Self(rawValue: 16)
    /// Belongs to an organisation's own gateway (raw value 32); see ``LogicalServer/gatewayName``.
    public static let restricted = Self(rawValue: 32)
    /// No feature; the same as an empty set.
    public static let zero: Self = []
}
