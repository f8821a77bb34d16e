/// A protocol for the connection between a client and an endpoint.
///
/// Its raw value is the name that the API and the stored documents use. Endpoints can name other
/// protocols as well; they are retained and ignored. ``ProtocolSupport`` is a set of protocols.
/// ```swift
/// let address = VPNProtocol.allCases.lazy.compactMap { endpoint.entryIP(for: $0) }.first
/// ```
public enum VPNProtocol: String, Codable, CaseIterable, Hashable, Sendable {
    /// IKEv2.
    case ikev2 = "IKEv2"
    /// WireGuard over UDP.
    case wireGuardUDP = "WireGuardUDP"
    /// WireGuard over TCP.
    case wireGuardTCP = "WireGuardTCP"
    /// WireGuard over TLS, also called Stealth.
    case wireGuardTLS = "WireGuardTLS"

    /// The API's name of the protocol, a key of ``ServerEndpoint/protocolEntries``; the same as the
    /// raw value.
    public var apiName: String { rawValue }

    /// The set of this protocol only, for filters and requests that take a set.
    public var support: ProtocolSupport {
        switch self {
        case .ikev2: .ikev2
        case .wireGuardUDP: .wireGuardUDP
        case .wireGuardTCP: .wireGuardTCP
        case .wireGuardTLS: .wireGuardTLS
        }
    }
}

/// A set of protocols, as bits.
///
/// Queries return it for servers and groups, and the filters
/// ``VPNServerFilter/supports(protocol:)`` and ``VPNServerFilter/supportsAll(protocols:)`` take it.
/// Bits without a name are retained and ignored.
/// ```swift
/// let wireGuard: ProtocolSupport = [.wireGuardUDP, .wireGuardTCP]
/// let servers = try repository.servers(filteredBy: [.supports(protocol: wireGuard)])
/// for info in servers { print(info.logical.name, info.protocolSupport.protocols) }
/// ```
public struct ProtocolSupport: OptionSet, Codable, Hashable, Sendable {
    /// The bits: 1 for the first of ``VPNProtocol``, 2 for the second, and so on.
    public var rawValue: Int

    /// Creates a set of bits, such as a stored one.
    ///
    /// - Parameter rawValue: the bits; those without a protocol are retained and ignored.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// IKEv2 (raw value 1).
    public static let ikev2 = Self(rawValue: 1)
    /// WireGuard over UDP (raw value 2).
    public static let wireGuardUDP = Self(rawValue: 2)
    /// WireGuard over TCP (raw value 4).
    public static let wireGuardTCP = Self(rawValue: 4)
    /// WireGuard over TLS, also called Stealth (raw value 8).
    public static let wireGuardTLS = Self(rawValue: 8)
    /// All protocols; that of an endpoint without entries, and the default of a ``ServerRequest``.
    public static let all: Self = [.ikev2, .wireGuardUDP, .wireGuardTCP, .wireGuardTLS]
    /// No protocol; the same as an empty set.
    public static let zero: Self = []

    /// The protocols in the set, in the order of ``VPNProtocol``.
    public var protocols: [VPNProtocol] { VPNProtocol.allCases.filter { contains($0.support) } }
}
