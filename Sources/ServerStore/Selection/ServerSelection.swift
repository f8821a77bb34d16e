/// The criteria by which a client selects a server and an endpoint to connect to.
public struct ServerRequest: Hashable, Sendable {
    /// The location: filters on a country, a city, a gateway, a name, or a tier.
    public var location: [VPNServerFilter]
    /// The features that the server must have, and must not have.
    public var features: VPNServerFilter.FeatureFilter
    /// The protocols of which the endpoint must support at least one.
    public var protocols: ProtocolSupport
    /// The order in which the first one is selected; `.random` prefers servers with a low load.
    public var order: VPNServerOrder

    /// Creates a request; by default for the fastest server in any location.
    public init(
        location: [VPNServerFilter] = [], features: VPNServerFilter.FeatureFilter = .standard,
        protocols: ProtocolSupport = .all, order: VPNServerOrder = .fastest
    ) {
        (self.location, self.features) = (location, features)
        (self.protocols, self.order) = (protocols, order)
    }
}

/// The number of servers left after each step of a selection.
public struct ServerSelectionFunnel: Hashable, Sendable {
    /// Servers at the location.
    public internal(set) var atLocation = 0
    /// Of those, servers with the features.
    public internal(set) var withFeatures = 0
    /// Of those, servers with an endpoint that supports a protocol.
    public internal(set) var withProtocol = 0
    /// Of those, servers that are up with such an endpoint.
    public internal(set) var up = 0
}

/// Why no server matches a request: the first step after which none was left.
public struct ServerSelectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The steps, in their order.
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

    /// The step.
    public let step: Step
    /// The number of servers left after each step.
    public let funnel: ServerSelectionFunnel

    /// The failure as one line.
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
