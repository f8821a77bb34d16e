/// What a client looks for: one server, and an endpoint of it to connect to.
public struct ServerRequest: Hashable, Sendable {
    /// Where: filters of a country, a city, a gateway, a name, a tier.
    public var location: [VPNServerFilter]
    /// What the server must be able to do, and must not.
    public var features: VPNServerFilter.FeatureFilter
    /// The protocols of which the endpoint must speak one.
    public var protocols: ProtocolSupport
    /// Which of several: at random those with little load are preferred.
    public var order: VPNServerOrder

    /// A request: the fastest server anywhere, unless something else is said.
    public init(
        location: [VPNServerFilter] = [], features: VPNServerFilter.FeatureFilter = .standard,
        protocols: ProtocolSupport = .all, order: VPNServerOrder = .fastest
    ) {
        (self.location, self.features) = (location, features)
        (self.protocols, self.order) = (protocols, order)
    }
}

/// What a request has come to: what is left after each step.
public struct ServerSelectionFunnel: Hashable, Sendable {
    /// Servers at the place.
    public internal(set) var atLocation = 0
    /// Of those, servers with the features.
    public internal(set) var withFeatures = 0
    /// Of those, servers with an endpoint that speaks a protocol.
    public internal(set) var withProtocol = 0
    /// Of those, servers that are up with such an endpoint.
    public internal(set) var up = 0
}

/// Why there is no server for a request: the first step after which none was left.
public struct ServerSelectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The steps, in their order.
    public enum Step: Hashable, Sendable {
        /// There is no server at the place.
        case locationNotFound
        /// None of them has the features.
        case featuresNotSupported
        /// None of those has an endpoint that speaks a protocol.
        case protocolNotSupported
        /// None of those is up with such an endpoint.
        case maintenance
    }

    /// The step.
    public let step: Step
    /// What was left after each.
    public let funnel: ServerSelectionFunnel

    /// One line.
    public var description: String {
        switch step {
        case .locationNotFound: "there is no server at that place"
        case .featuresNotSupported:
            "none of the \(funnel.atLocation) servers there has the features"
        case .protocolNotSupported:
            "none of the \(funnel.withFeatures) servers with the features speaks the protocols"
        case .maintenance:
            "all \(funnel.withProtocol) servers that would do are under maintenance"
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
