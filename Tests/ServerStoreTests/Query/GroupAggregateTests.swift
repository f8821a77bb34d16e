import ServerStore
import Testing

@Suite("The properties of a group")
struct GroupAggregateTests {
    /// How a server is.
    enum State: String {
        /// It is up, and so is its endpoint.
        case up
        /// It says that it is under maintenance; its endpoint is up.
        case down
        /// It says that it is up; its endpoint is not.
        case dark
        /// It is up, and one of its two endpoints.
        case half
    }

    private func server(_ id: String, _ state: State) -> VPNServer {
        let (up, down) = (
            ServerLists.endpoint(id + "-u"), ServerLists.endpoint(id + "-d", status: 0)
        )
        return switch state {
        case .up: ServerLists.server(id, endpoints: [up])
        case .down: ServerLists.server(id, status: 0, endpoints: [up])
        case .dark: ServerLists.server(id, endpoints: [down])
        case .half: ServerLists.server(id, endpoints: [down, up])
        }
    }

    private func groups(
        _ servers: [VPNServer], _ filters: [VPNServerFilter] = [],
        of grouping: VPNServerGrouping = .serverType
    ) throws -> [ServerGroupInfo] {
        try AskedTwice(servers).groups(filters, of: grouping)
    }

    @Test(
        "it is under maintenance if no server can be connected to, for each grouping",
        arguments: [
            ([.up], false), ([.up, .up, .up], false), ([.half], false), ([.down], true),
            ([.dark], true), ([.down, .dark], true), ([.down, .down, .dark, .dark], true),
            ([.up, .down, .dark], false), ([.down, .dark, .half], false), ([.dark, .up], false),
        ] as [([State], Bool)])
    func maintenance(states: [State], isDown: Bool) throws {
        let servers = states.enumerated().map { server("s\($0)", $1) }
        for grouping in VPNServerGrouping.allCases {
            let groups = try groups(servers, of: grouping)
            #expect(groups.map(\.isUnderMaintenance) == [isDown])
            #expect(groups.map(\.serverCount) == [states.count])
        }
    }

    @Test("servers of one city and country are one group; cities come by name")
    func cities() throws {
        let asked = try AskedTwice([
            ServerLists.server("a", exit: "FR", tier: 2, city: "Paris"),
            ServerLists.server("b", exit: "FR", tier: 0, feature: .p2p, city: "Lyon"),
            ServerLists.server("c", exit: "FR", tier: 1, feature: [.p2p, .tor], city: "Lyon"),
            ServerLists.server("d", exit: "FR"),
            ServerLists.server("e", exit: "CH", city: "Geneva"),
        ])
        let groups = try asked.groups([.kind(.country("FR"))], of: .cityName)
        #expect(
            groups.map(\.kind) == [
                .country(code: "FR"), .city(name: "Lyon", code: "FR"),
                .city(name: "Paris", code: "FR"),
            ])
        #expect(groups.map(\.serverCount) == [1, 2, 1])
        #expect(groups.map(\.cityCount) == [0, 1, 1])
        #expect(groups.map(\.minTier) == [0, 0, 2] && groups.map(\.maxTier) == [0, 1, 2])
        #expect(groups.map(\.featureUnion) == [.zero, [.p2p, .tor], .zero])
        #expect(groups.map(\.featureIntersection) == [.zero, .p2p, .zero])
        let all = try asked.groups(of: .cityName, by: .exitCountryCodeAscending)
        #expect(all.map(\.kind.countryCode) == ["CH", "FR", "FR", "FR"])
    }

    @Test("servers of two countries are two groups, also where their cities have one name")
    func sameCity() throws {
        let asked = try AskedTwice([
            ServerLists.server("a", exit: "US", city: "Cambridge"),
            ServerLists.server("b", exit: "UK", city: "Cambridge"),
            ServerLists.server("c", exit: "US", city: "Cambridge"),
            ServerLists.server("d", exit: "US", city: "cambridge"),
        ])
        let cities = try asked.groups(of: .cityName)
        #expect(
            cities.map(\.kind) == [
                .city(name: "Cambridge", code: "UK"), .city(name: "Cambridge", code: "US"),
                .city(name: "cambridge", code: "US"),
            ])
        #expect(cities.map(\.serverCount) == [1, 2, 1])
        let countries = try asked.groups()
        #expect(countries.map(\.kind) == [.country(code: "UK"), .country(code: "US")])
        #expect(countries.map(\.serverCount) == [1, 3])
        #expect(countries.map(\.cityCount) == [1, 2])
    }

    @Test("smart routing is what all have, and what any has; a host at home is none")
    func smartRouting() throws {
        func routing(_ hosts: String?...) throws -> [[Bool]] {
            let servers = hosts.enumerated().map {
                ServerLists.server("s\($0)", exit: "KR", host: $1)
            }
            return try groups(servers).map { [$0.supportsSmartRouting, $0.hasSmartRouting] }
        }
        #expect(try routing("SG", "JP") == [[true, true]])
        #expect(try routing("SG", nil) == [[false, true]])
        #expect(try routing(nil, "SG", "KR") == [[false, true]])
        #expect(try routing(nil, "", "KR") == [[false, false]])
    }

    @Test("it stands where its servers do in the mean, of those that a filter has left")
    func place() throws {
        func server(_ id: String, _ latitude: Double, _ longitude: Double, tier: Int) -> VPNServer {
            var server = ServerLists.server(id, tier: tier)
            (server.logical.latitude, server.logical.longitude) = (latitude, longitude)
            return server
        }
        let servers = [
            server("a", 10, -10, tier: 0), server("b", 20, 10, tier: 0),
            server("c", 60, 30, tier: 2),
        ]
        let all = try groups(servers)
        #expect(all.map(\.latitude) == [30] && all.map(\.longitude) == [10])
        let free = try groups(servers, [.maxTier(0)])
        #expect(free.map(\.latitude) == [15] && free.map(\.longitude) == [0])
    }

    @Test("of endpoints counts what a filter has left, and nothing of a server without any")
    func endpoints() throws {
        let servers = [
            ServerLists.server(
                "a", tier: 1,
                endpoints: [
                    ServerLists.endpoint("x", status: 0, ["IKEv2": .init()]),
                    ServerLists.endpoint("y", ["WireGuardTLS": .init()]),
                ]),
            ServerLists.server(
                "b", tier: 2, endpoints: [ServerLists.endpoint("z", ["WireGuardTCP": .init()])]),
            ServerLists.server("none", tier: 3, endpoints: []),
        ]
        let all = try groups(servers)
        #expect(all.map(\.serverCount) == [2] && all.map(\.maxTier) == [2])
        #expect(all.map(\.protocolSupport) == [[.ikev2, .wireGuardTCP, .wireGuardTLS]])
        #expect(all.map(\.isUnderMaintenance) == [false])
        let ikev2 = try groups(servers, [.supports(.ikev2)])
        #expect(ikev2.map(\.serverCount) == [1] && ikev2.map(\.maxTier) == [1])
        #expect(ikev2.map(\.protocolSupport) == [.ikev2])
        #expect(ikev2.map(\.isUnderMaintenance) == [true])
        let tls = try groups(servers, [.endpointID("y")])
        #expect(tls.map(\.protocolSupport) == [.wireGuardTLS])
        #expect(tls.map(\.isUnderMaintenance) == [false])
        #expect(try groups(servers, [.supports(.wireGuardUDP)]) == [])
    }
}
