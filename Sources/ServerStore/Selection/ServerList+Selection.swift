internal import Foundation

extension ServerList {
    /// The server for a request and one of its endpoints, at random one of those that are up, speak
    /// a protocol and meet the filters; one without an address only if there is no other. All
    /// servers are looked at once, and none is put in order.
    ///
    /// Throws `ServerSelectionFailure`, which says after which step none was left.
    public func select(_ request: ServerRequest) throws -> Server {
        var generator = SystemRandomNumberGenerator()
        return try select(request, using: &generator)
    }

    /// The same with chances of one's own.
    public func select(
        _ request: ServerRequest, using generator: inout some RandomNumberGenerator
    ) throws -> Server {
        var funnel = ServerSelectionFunnel()
        var choice = ServerChoice(request.order)
        var evaluator = FilterEvaluator(request.location, names: names)
        for place in candidates(request.location, .none) {
            let row = rows[place]
            guard evaluator.passing(row) != nil else { continue }
            funnel.atLocation += 1
            guard request.features.includes(row.server.logical.feature) else { continue }
            funnel.withFeatures += 1
            let endpoints = row.endpoints(for: request, evaluator)
            guard !endpoints.isEmpty else { continue }
            funnel.withProtocol += 1
            guard !row.isUnderMaintenance, endpoints.contains(where: { $0.status != 0 }) else {
                continue
            }
            funnel.up += 1
            choice.offer(row, &generator)
        }
        guard let best = choice.best,
            let endpoint = best.endpoints(for: request, evaluator)
                .filter({ $0.status != 0 })
                .preferring({ $0.hasAddress(for: request.protocols) })
                .randomElement(using: &generator)
        else { throw ServerSelectionFailure(funnel) }
        return Server(logical: best.server.logical, endpoint: endpoint)
    }
}

/// Keeps the best server of those that it is offered.
private struct ServerChoice {
    private let order: VPNServerOrder
    private let comparison: ServerComparison
    private(set) var best: ServerRow?
    private var bestKey = -Double.infinity

    init(_ order: VPNServerOrder) {
        self.order = order
        comparison = ServerComparison(order)
    }

    mutating func offer(_ row: ServerRow, _ generator: inout some RandomNumberGenerator) {
        guard order == .random else {
            if best.map({ comparison.isLess(row, $0) }) ?? true { best = row }
            return
        }
        // Each server's chance is in proportion to what it has left of 101 % load (Efraimidis and
        // Spirakis: the greatest of u^(1/weight) is a choice by weight).
        let weight = Double(101 - min(max(row.server.logical.load, 0), 100))
        let key = chance(&generator) / weight
        if key > bestKey || best == nil { (best, bestKey) = (row, key) }
    }

    /// The logarithm of a number between 0 and 1, as is that of its power's then.
    private func chance(_ generator: inout some RandomNumberGenerator) -> Double {
        log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator))
    }
}

extension ServerRow {
    /// The endpoints that speak one of the protocols and meet the filters.
    fileprivate func endpoints(
        for request: ServerRequest, _ evaluator: FilterEvaluator
    ) -> [ServerEndpoint] {
        masks.indices.filter { index in
            !masks[index].isDisjoint(with: request.protocols)
                && evaluator.passes(self, endpoint: index)
        }.map { server.endpoints[$0] }
    }
}

extension ServerEndpoint {
    /// Whether there is an address to connect to with one of some protocols.
    fileprivate func hasAddress(for protocols: ProtocolSupport) -> Bool {
        VPNProtocol.allCases.contains { vpnProtocol in
            protocols.contains(vpnProtocol.support) && entryIP(for: vpnProtocol) != nil
        }
    }
}

extension [ServerEndpoint] {
    /// Those that fulfil a condition, or all if none does.
    fileprivate func preferring(_ condition: (ServerEndpoint) -> Bool) -> [ServerEndpoint] {
        let preferred = filter(condition)
        return preferred.isEmpty ? self : preferred
    }
}

extension VPNServerFilter.FeatureFilter {
    func includes(_ feature: ServerFeature) -> Bool {
        feature.isSuperset(of: required) && feature.isDisjoint(with: excluded)
    }
}
