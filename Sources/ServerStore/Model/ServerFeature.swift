/// The features of a server, as bits of the API.
public struct ServerFeature: OptionSet, Codable, Hashable, Sendable {
    /// The bits.
    public var rawValue: Int

    /// Creates a set of bits; bits without a name are retained.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Traffic enters in a country other than the exit country.
    public static let secureCore = Self(rawValue: 1)
    /// Onion addresses can be reached.
    public static let tor = Self(rawValue: 2)
    /// File sharing between peers is allowed.
    public static let p2p = Self(rawValue: 4)
    /// Optimized for streaming.
    public static let streaming = Self(rawValue: 8)
    /// Reachable by IPv6.
    public static let ipv6 = Self(rawValue: 16)
    /// Belongs to an organisation's own gateway.
    public static let restricted = Self(rawValue: 32)
    /// No feature.
    public static let zero: Self = []
}
