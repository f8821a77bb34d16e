import ServerStore
import Testing

@Suite("Groups of gateways")
struct GroupGatewayTests {
    private func server(
        _ id: String, _ gateway: String, exit: String, tier: Int = 2, status: Int = 1,
        _ feature: ServerFeature = .restricted, city: String? = nil, host: String? = nil,
        speaks name: String = "IKEv2"
    ) -> VPNServer {
        ServerLists.server(
            id, exit: exit, tier: tier, status: status, feature: feature, city: city, host: host,
            kind: .gateway(name: gateway),
            endpoints: [ServerLists.endpoint(id + "-e", [name: .init()])])
    }

    /// Three servers in one country and two in another. The first one is nothing special.
    private var servers: [VPNServer] {
        [
            server("a", "Acme", exit: "CH", status: 0, city: "Zurich"),
            server(
                "b", "Acme", exit: "CH", tier: 1, [.restricted, .p2p], city: "Zurich", host: "DE"),
            server("c", "Acme", exit: "CH", city: "Geneva", speaks: "WireGuardUDP"),
            server("d", "Acme", exit: "US", tier: 3, [.restricted, .tor], city: "Boston"),
            server("e", "Acme", exit: "US", speaks: "WireGuardTLS"),
        ]
    }

    @Test("a gateway counts all servers, of however many countries, and has what any of them has")
    func fields() throws {
        let groups = try AskedTwice(servers).groups()
        #expect(
            groups == [
                ServerGroupInfo(
                    kind: .gateway(name: "Acme"), featureIntersection: .restricted,
                    featureUnion: [.restricted, .p2p, .tor], minTier: 1, maxTier: 3,
                    serverCount: 5, cityCount: 3, latitude: 1, longitude: 2,
                    supportsSmartRouting: false, hasSmartRouting: true,
                    isUnderMaintenance: false,
                    protocolSupport: [.ikev2, .wireGuardUDP, .wireGuardTLS])
            ])
    }

    @Test("a country that gateways are in counts none of their servers")
    func countries() throws {
        let own = ["x", "y"].map { ServerLists.server($0, exit: "US", city: "Boston") }
        let other = (0..<4).map { server("z\($0)", "Beta", exit: "CH", city: "Geneva") }
        let asked = try AskedTwice(own + servers + other)
        let groups = try asked.groups()
        #expect(
            groups.map(\.kind) == [
                .gateway(name: "Acme"), .gateway(name: "Beta"), .country(code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [5, 4, 2])
        #expect(groups.map(\.cityCount) == [3, 1, 1])
        #expect(try asked.serverCount() == 11 && asked.countryCount() == 2)
        let swiss = try asked.groups([.exitCountryCode("CH")])
        #expect(swiss.map(\.serverCount) == [3, 4])
        #expect(try asked.groups([.kind(.country("CH"))]) == [])
        #expect(try asked.servers([.kind(.gateway("Acme"))]).labels == "a b c d e")
    }

    @Test("a gateway is under maintenance when all of its servers are, in all countries")
    func maintenance() throws {
        let down = [
            server("a", "Acme", exit: "CH", status: 0), server("b", "Acme", exit: "US", status: 0),
        ]
        let up = server("c", "Acme", exit: "US")
        #expect(try AskedTwice(down).groups().map(\.isUnderMaintenance) == [true])
        #expect(try AskedTwice(down + [up]).groups().map(\.isUnderMaintenance) == [false])
    }

    @Test("gateways come by name, byte by byte, before all countries")
    func order() throws {
        let names = ["b", "Zeta", "A", "Ä", "Alpha"]
        let servers = names.enumerated().map { server("g\($0)", $1, exit: "AE") }
        let asked = try AskedTwice(servers + [ServerLists.server("x", exit: "AE")])
        let expected: [ServerGroupInfo.Kind] = [
            .gateway(name: "A"), .gateway(name: "Alpha"), .gateway(name: "Zeta"),
            .gateway(name: "b"), .gateway(name: "Ä"), .country(code: "AE"),
        ]
        for order in VPNServerGroupOrder.allCases {
            #expect(try asked.groups(by: order).map(\.kind) == expected)
        }
    }
}
