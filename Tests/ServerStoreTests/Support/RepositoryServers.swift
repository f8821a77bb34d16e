import ServerStore

/// Four servers that tests of repositories share: two of Switzerland, which are free, one of them
/// in secure core, and two of Germany, which are paid.
enum RepositoryServers {
    static let all = [
        server("a", "CH#10", "CH", tier: 0, score: 3, [.p2p]),
        server("b", "CH#9", "CH", tier: 0, score: 2, []),
        server("c", "DE#1", "DE", tier: 2, score: 1, [.p2p, .streaming]),
        server("d", "SE-DE#1", "DE", tier: 2, score: 4, [.secureCore]),
    ]

    static func server(
        _ id: String, _ name: String, _ country: String, tier: Int, score: Double,
        _ feature: ServerFeature
    ) -> VPNServer {
        let logical = LogicalServer(
            id: id, name: name, domain: "\(id).example", load: 50, exitCountryCode: country,
            tier: tier, score: score, status: 1, feature: feature,
            kind: LogicalServer.kind(feature: feature, entryCountryCode: "SE", gatewayName: nil))
        let endpoint = ServerEndpoint(
            id: "\(id)-1", entryIp: "1.1.1.1", exitIp: "2.2.2.2", domain: "\(id)-1.example",
            status: 1)
        return VPNServer(logical: logical, endpoints: [endpoint])
    }

    static func load(_ id: String, _ load: Int) -> ContinuousServerProperties {
        ContinuousServerProperties(serverId: id, load: load, score: 1, status: 1)
    }
}
