/// The criteria by which a client selects a server and an endpoint to connect to.
///
/// The selection applies them one after the other, so that a failure reports which of them excluded
/// the last server: location, features, protocols, maintenance.
/// ```swift
/// let request = ServerRequest(
///     location: [.kind(.country("US")), .maxTier(ServerTier.plus)],
///     features: .standard(with: .p2p), protocols: [.wireGuardUDP, .wireGuardTCP],
///     order: .random)
/// let selected = try repository.select(request)
/// ```
public struct ServerRequest: Hashable, Sendable {
    /// The location: filters on a country, a city, a gateway, a name, or a tier; none selects any
    /// location. Filters on endpoints limit the endpoints as well.
    public var location: [VPNServerFilter]
    /// The features that the server must have, and must not have; by default secure core is
    /// excluded.
    public var features: VPNServerFilter.FeatureFilter
    /// The protocols of which the endpoint must support at least one; all by default. An empty set
    /// matches no endpoint.
    public var protocols: ProtocolSupport
    /// The order in which the first server is selected, by score by default.
    ///
    /// In ``VPNServerOrder/random`` order the probability of each server is proportional to 101 %
    /// minus its load, so busy servers are selected rarely.
    public var order: VPNServerOrder

    /// Creates a request; by default for the fastest server in any location.
    ///
    /// - Parameters:
    ///   - location: the filters on the location.
    ///   - features: the required and the excluded features.
    ///   - protocols: the protocols that the client can use.
    ///   - order: the order in which the first server is selected.
    public init(
        location: [VPNServerFilter] = [], features: VPNServerFilter.FeatureFilter = .standard,
        protocols: ProtocolSupport = .all, order: VPNServerOrder = .fastest
    ) {
        (self.location, self.features) = (location, features)
        (self.protocols, self.order) = (protocols, order)
    }
}

/// The number of servers left after each step of a selection.
///
/// Each step counts the servers that have passed all previous ones. A failure contains it, to
/// explain to users or in a log how near the request was:
/// ```swift
/// do {
///     _ = try repository.select(ServerRequest(features: .tor))
/// } catch let failure as ServerSelectionFailure {
///     let funnel = failure.funnel
///     print(funnel.atLocation, funnel.withFeatures, funnel.withProtocol, funnel.up)
/// }
/// ```
public struct ServerSelectionFunnel: Hashable, Sendable {
    /// The servers that match the filters of ``ServerRequest/location``.
    public internal(set) var atLocation = 0
    /// Of those, the servers with the required features and none of the excluded ones.
    public internal(set) var withFeatures = 0
    /// Of those, the servers with an endpoint that supports one of the protocols, up or not.
    public internal(set) var withProtocol = 0
    /// Of those, the servers that are up with such an endpoint; 0 in a failure.
    public internal(set) var up = 0
}

/// Why no server matches a request: the first step after which none was left.
///
/// It is an expected outcome rather than a defect: ``FallbackServerRepository/select(_:)`` returns
/// nil for it without reporting an error.
/// ```swift
/// do {
///     _ = try serverList.select(ServerRequest(location: [.exitCountryCode("XX")]))
/// } catch let failure as ServerSelectionFailure {
///     print(failure)  // there is no server at that location
/// }
/// ```
public struct ServerSelectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The steps of a selection, in their order.
    public enum Step: Hashable, Sendable {
        /// There is no server at the location.
        case locationNotFound
        /// None of them has the features.
        case featuresNotSupported
        /// None of those has an endpoint that supports a protocol.
        case protocolNotSupported
        /// None of those is up with such an endpoint.
        case maintenance
    }

    /// The first step after which no server was left; it decides what to suggest to the user.
    public let step: Step
    /// The number of servers left after each step.
    public let funnel: ServerSelectionFunnel

    /// The failure as one line in English.
    public var description: String {
        switch step {
        case .locationNotFound: "there is no server at that location"
        case .featuresNotSupported:
            "none of the \(funnel.atLocation) servers there has the features"
        case .protocolNotSupported:
            "none of the \(funnel.withFeatures) servers with the features supports the protocols"
        case .maintenance:
            "all \(funnel.withProtocol) matching servers are under maintenance"
        }
    }

    init(_ funnel: ServerSelectionFunnel) {
        self.funnel = funnel
        step =
            funnel.atLocation == 0
            ? .locationNotFound
            : funnel.withFeatures == 0
                ? .featuresNotSupported
                : funnel.withProtocol == 0 ? .protocolNotSupported : .maintenance
    }
}
