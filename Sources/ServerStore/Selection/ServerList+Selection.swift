internal import Foundation

extension ServerList {
    /// Selects a server for a request, and one of its endpoints.
    ///
    /// The server is the first one in the request's order that matches the location and the
    /// features, is up, and has a usable endpoint. The endpoint is a random one of those that are
    /// up, support a protocol and match the filters; one without an address is used only if all
    /// others lack one, too. It visits all servers once, without sorting.
    /// ```swift
    /// do {
    ///     let request = ServerRequest(
    ///         location: [.kind(.country("SE"))], protocols: .wireGuardUDP)
    ///     let selected = try serverList.select(request)
    ///     print(selected.logical.name, selected.endpoint.entryIP(for: .wireGuardUDP) ?? "")
    /// } catch let failure as ServerSelectionFailure where failure.step == .maintenance {
    ///     print("try another country")
    /// }
    /// ```
    ///
    /// - Parameter request: the criteria; by default the fastest server in any location.
    /// - Returns: the server with the endpoint to connect to.
    /// - Throws: ``ServerSelectionFailure``, with the step after which no server was left and the
    ///   number of servers left after each step.
    public func select(_ request: ServerRequest) throws -> Server {
        var generator = SystemRandomNumberGenerator()
        return try select(request, using: &generator)
    }

    /// Selects a server with the caller's random number generator, for tests with a fixed seed; see
    /// ``select(_:)``.
    ///
    /// - Parameters:
    ///   - request: the criteria.
    ///   - generator: the source of random numbers, for the endpoint and for the order
    ///     ``VPNServerOrder/random``.
    /// - Returns: the server with the endpoint to connect to.
    /// - Throws: ``ServerSelectionFailure``.
    public func select(
        _ request: ServerRequest, using generator: inout some RandomNumberGenerator
    ) throws -> Server {
        var funnel = ServerSelectionFunnel()
        var choice = ServerChoice(request.order)
        var evaluator = FilterEvaluator(request.location, names: names)
        for index in candidates(request.location, .none) {
            let row = rows[index]
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

/// Retains the best of the servers offered to it.
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
        // The probability of a server is proportional to 101 % minus its load (Efraimidis and
        // Spirakis: the maximum of u^(1/weight) is a weighted random choice).
        let weight = Double(101 - min(max(row.server.logical.load, 0), 100))
        let key = chance(&generator) / weight
        if key > bestKey || best == nil { (best, bestKey) = (row, key) }
    }

    /// The logarithm of a random number between 0 and 1, in which a root is a division.
    private func chance(_ generator: inout some RandomNumberGenerator) -> Double {
        log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator))
    }
}

extension ServerRow {
    /// The endpoints that support one of the protocols and match the filters.
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
    /// Whether it has an address to connect to with one of the protocols.
    fileprivate func hasAddress(for protocols: ProtocolSupport) -> Bool {
        VPNProtocol.allCases.contains { vpnProtocol in
            protocols.contains(vpnProtocol.support) && entryIP(for: vpnProtocol) != nil
        }
    }
}

extension [ServerEndpoint] {
    /// The endpoints that fulfil a condition, or all if none does.
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
