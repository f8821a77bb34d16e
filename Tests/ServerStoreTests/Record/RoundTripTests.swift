import DocumentStore
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Servers come back as they were stored")
struct RoundTripTests {
    /// - Parameter masks: what the document has for each endpoint, nil for nothing.
    private func check(
        _ server: VPNServer, masks: [Int64?], speaks: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let asked = try AskedTwice([server])
        let found = try asked.first([.logicalID(server.id)])
        #expect(found == server, sourceLocation: sourceLocation)
        let (shown, originals) = try (asked.list.servers, asked.list.originals)
        #expect(shown == [server] && originals == [server], sourceLocation: sourceLocation)
        let support = try asked.servers().map(\.protocolSupport.rawValue)
        #expect(support == [speaks], sourceLocation: sourceLocation)
        let logicals = DocumentCollection(try CollectionName("vpn.logicals"))
        let document = try asked.store.read { try logicals.get(server.id, in: $0) }
        let endpoints = try #require(document?["endpoints"]?.array)
        let stored = endpoints.map { $0["protocolMask"]?.int }
        #expect(stored == masks, sourceLocation: sourceLocation)
    }

    @Test("endpoints with several overrides, known and unknown, with addresses, ports and neither")
    func multiple() throws {
        let server = ServerLists.server(
            "a",
            endpoints: [
                ServerLists.endpoint(
                    "x",
                    [
                        "IKEv2": .init(ipv4: "10.1.0.1"),
                        "WireGuardUDP": .init(ipv4: "10.1.0.2", ports: [51_820, 443]),
                        "WireGuardTLS": .init(ipv4: "10.1.0.3", ports: []),
                    ]),
                ServerLists.endpoint(
                    "y",
                    ["WireGuardTCP": .init(ports: [1_234]), "OpenVPNUDP": .init(), "New": nil]),
                ServerLists.endpoint(
                    "z", status: 0, ["IKEv2": .init(ipv4: "10.2.0.1"), "WireGuardTLS": nil]),
            ])
        try check(server, masks: [15, 4, 9], speaks: 15)
        let found = try AskedTwice([server]).first()
        let endpoint = try #require(found?.endpoints.first)
        #expect(
            VPNProtocol.allCases.map { endpoint.entryIP(for: $0) }
                == ["10.1.0.1", "10.1.0.2", "10.0.0.1", "10.1.0.3"])
        #expect(endpoint.ports(for: .wireGuardUDP) == [51_820, 443])
        #expect(endpoint.ports(for: .wireGuardTLS) == nil)
    }

    @Test("an endpoint that speaks some protocols only")
    func limited() throws {
        let ports = ServerLists.endpoint("x", ["IKEv2": .init(ports: [500])])
        try check(ServerLists.server("a", endpoints: [ports]), masks: [1], speaks: 1)
        let address = ServerEndpoint(
            id: "x", exitIp: "10.0.0.2", domain: "", status: 1,
            protocolEntries: ["WireGuardTCP": .init(ipv4: "10.0.0.3")])
        try check(ServerLists.server("a", endpoints: [address]), masks: [4], speaks: 4)
        let nothing = ServerLists.endpoint("x", ["New": .init()])
        try check(ServerLists.server("a", endpoints: [nothing]), masks: [0], speaks: 0)
    }

    @Test("an endpoint without overrides has no mask, and differs from one with empty overrides")
    func none() throws {
        let open = ServerLists.endpoint("x")
        try check(ServerLists.server("a", endpoints: [open]), masks: [nil], speaks: 15)
        let empty = ServerLists.endpoint("x", [:])
        try check(ServerLists.server("a", endpoints: [empty]), masks: [15], speaks: 15)
        let least = ServerEndpoint(id: "", exitIp: "", domain: "", status: 1)
        try check(
            ServerLists.server("a", endpoints: [empty, least]), masks: [15, nil], speaks: 15)
    }

    @Test(
        "servers of each kind, with all fields and with none",
        arguments: [
            .country, .gateway(name: "Mega"), .gateway(name: ""),
            .secureCore(entryCountryCode: "SE"), .secureCore(entryCountryCode: ""),
        ] as [LogicalServer.Kind])
    func kinds(kind: LogicalServer.Kind) throws {
        let endpoint = ServerEndpoint(
            id: "e", entryIp: "192.0.2.1", exitIp: "192.0.2.2", domain: "e.example", status: 3,
            label: "8", x25519PublicKey: "a2V5")
        let full = LogicalServer(
            id: "a", name: "US-NY#61-TOR", domain: "a.example", load: 99, exitCountryCode: "US",
            tier: 3, score: 1.389_742_85, status: 2, feature: ServerFeature(rawValue: 1 << 40 | 63),
            city: "New York City", hostCountry: "CA", translatedCity: "Nowy Jork",
            latitude: 40.73, longitude: -73.93, state: "NY", kind: kind)
        try check(VPNServer(logical: full, endpoints: [endpoint]), masks: [nil], speaks: 15)
        let least = LogicalServer(
            id: "a", name: "", domain: "", load: 0, exitCountryCode: "", tier: 0, score: 0,
            status: 1, feature: .zero, kind: kind)
        try check(VPNServer(logical: least, endpoints: [endpoint]), masks: [nil], speaks: 15)
    }

    @Test("all endpoints down: it is under maintenance in queries, its status is unchanged")
    func maintenance() throws {
        let server = ServerLists.server(
            "a", endpoints: ["x", "y"].map { ServerLists.endpoint($0, status: 0) })
        var shown = server
        shown.logical.status = 0
        let asked = try AskedTwice([server])
        #expect(try asked.first() == shown)
        #expect(try asked.servers().map(\.logical) == [shown.logical])
        #expect(try asked.servers([.isNotUnderMaintenance]) == [])
        #expect(try asked.groups().map(\.isUnderMaintenance) == [true])
        #expect(try asked.list.servers == [shown] && asked.list.originals == [server])
        #expect(try asked.store.replaceList([server]).isEmpty)
    }

    @Test(
        "all of the original's, except for one that cannot be connected to",
        .enabled(if: GoldenFiles.arePresent))
    func golden() throws {
        let servers = try ServerLists.golden("TestServers.json")
        let asked = try AskedTwice(servers)
        for server in servers {
            var expected = server
            if server.id == "IR1" { expected.logical.status = 0 }
            let found = try asked.first([.logicalID(server.id)])
            #expect(found == expected, "\(server.id)")
        }
        #expect(try asked.list.originals == servers.sorted { $0.id < $1.id })
        #expect(try asked.store.replaceList(servers) == ListChange(unchanged: 21))
    }

    @Test("a real list, with endpoints of several servers", .enabled(if: GoldenFiles.arePresent))
    func live() throws {
        let servers = try ServerLists.golden("LiveServers.json")
        let asked = try AskedTwice(servers)
        #expect(try asked.list.originals == servers.sorted { $0.id < $1.id })
        let found = try asked.servers()
        #expect(found.count == 405)
        #expect(found.map(\.id) == servers.map(\.id).sorted())
        #expect(try asked.servers([.isNotUnderMaintenance]).count == 402)
        for server in [servers[0], servers[200], servers[404]] {
            #expect(try asked.first([.logicalID(server.id)]) == server)
        }
    }
}
