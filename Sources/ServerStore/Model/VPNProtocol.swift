/// A protocol for the connection between a client and an endpoint.
public enum VPNProtocol: String, Codable, CaseIterable, Hashable, Sendable {
    /// IKEv2.
    case ikev2 = "IKEv2"
    /// WireGuard over UDP.
    case wireGuardUDP = "WireGuardUDP"
    /// WireGuard over TCP.
    case wireGuardTCP = "WireGuardTCP"
    /// WireGuard over TLS, also called Stealth.
    case wireGuardTLS = "WireGuardTLS"

    /// The API's name of the protocol.
    public var apiName: String { rawValue }

    /// The set of this protocol only.
    public var support: ProtocolSupport {
        switch self {
        case .ikev2: .ikev2
        case .wireGuardUDP: .wireGuardUDP
        case .wireGuardTCP: .wireGuardTCP
        case .wireGuardTLS: .wireGuardTLS
        }
    }
}

/// A set of protocols.
public struct ProtocolSupport: OptionSet, Codable, Hashable, Sendable {
    /// The bits.
    public var rawValue: Int

    /// Creates a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// IKEv2.
    public static let ikev2 = Self(rawValue: 1)
    /// WireGuard over UDP.
    public static let wireGuardUDP = Self(rawValue: 2)
    /// WireGuard over TCP.
    public static let wireGuardTCP = Self(rawValue: 4)
    /// WireGuard over TLS.
    public static let wireGuardTLS = Self(rawValue: 8)
    /// All protocols; the default for an endpoint without entries.
    public static let all: Self = [.ikev2, .wireGuardUDP, .wireGuardTCP, .wireGuardTLS]
    /// No protocol.
    public static let zero: Self = []

    /// The protocols in the set.
    public var protocols: [VPNProtocol] { VPNProtocol.allCases.filter { contains($0.support) } }
}
