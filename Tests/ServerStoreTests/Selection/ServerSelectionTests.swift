import ProjectTestSupport
import SampleData
import ServerStore
import StoreTestSupport
import Testing

@Suite("The choice of a server")
struct ServerSelectionTests {
    private func failure(
        _ servers: [VPNServer], _ request: ServerRequest
    ) -> ServerSelectionFailure? {
        #expect(throws: ServerSelectionFailure.self) { try ServerList(servers).select(request) }
    }

    @Test("the fastest one that is up, with an endpoint that is up and speaks the protocol")
    func fastest() throws {
        let servers = [
            ServerLists.server("down", score: 0.1, status: 0),
            ServerLists.server(
                "other", score: 0.2, endpoints: [ServerLists.endpoint("a", ["IKEv2": .init()])]),
            ServerLists.server("slow", score: 3),
            ServerLists.server(
                "right", score: 1,
                endpoints: [
                    ServerLists.endpoint("x", ["IKEv2": .init()]),
                    ServerLists.endpoint("y", status: 0, ["WireGuardTLS": .init()]),
                    ServerLists.endpoint("z", ["WireGuardTLS": .init()]),
                ]),
        ]
        let server = try ServerList(servers).select(.init(protocols: .wireGuardTLS))
        #expect(server.logical.id == "right" && server.endpoint.id == "z")
    }

    @Test("the failure has the step after which none was left, and the numbers before")
    func failures() {
        let servers = [
            ServerLists.server(
                "a", exit: "CH", feature: .p2p,
                endpoints: [
                    ServerLists.endpoint("e", ["IKEv2": .init()])
                ]),
            ServerLists.server("b", exit: "CH", status: 0, feature: [.p2p, .tor]),
            ServerLists.server("c", exit: "CH", feature: .secureCore),
        ]
        let nowhere = failure(servers, .init(location: [.kind(.country("FR"))]))
        #expect(nowhere?.step == .locationNotFound)
        let featureless = failure(
            servers,
            .init(location: [.kind(.country("CH"))], features: .standard(with: .streaming)))
        #expect(featureless?.step == .featuresNotSupported && featureless?.funnel.atLocation == 3)
        let silent = failure([servers[0]], .init(features: .p2p, protocols: .wireGuardTCP))
        #expect(silent?.step == .protocolNotSupported && silent?.funnel.withFeatures == 1)
        let down = failure(servers, .init(features: .tor))
        #expect(down?.step == .maintenance)
        #expect(down?.description == "all 1 matching servers are under maintenance")
        let half = ServerLists.server(
            "h",
            endpoints: [
                ServerLists.endpoint("x", ["IKEv2": .init()]),
                ServerLists.endpoint("y", status: 0, ["WireGuardTLS": .init()]),
            ])
        #expect(failure([half], .init(protocols: .wireGuardTLS))?.step == .maintenance)
        #expect(failure([], .init())?.step == .locationNotFound)
    }

    @Test("at random servers with little load come more often, and full ones too")
    func weights() throws {
        var generator = SeededGenerator(seed: 7)
        let list = ServerList([
            ServerLists.server("empty", load: 1), ServerLists.server("half", load: 51),
            ServerLists.server("full", load: 100), ServerLists.server("wild", load: -5),
            ServerLists.server("down", load: 0, status: 0),
        ])
        var counts: [String: Int] = [:]
        for _ in 0..<5_000 {
            let server = try list.select(.init(order: .random), using: &generator)
            counts[server.logical.id, default: 0] += 1
        }
        // 100, 50, 1 and 101 of 252.
        #expect(counts["down"] == nil)
        #expect(abs((counts["empty"] ?? 0) - 1_984) < 150)
        #expect(abs((counts["half"] ?? 0) - 992) < 150)
        #expect(abs((counts["wild"] ?? 0) - 2_004) < 150)
        #expect((1...60).contains(counts["full"] ?? 0))
    }

    @Test(
        "choices among the original's servers", .enabled(if: GoldenFiles.arePresent),
        arguments: [
            ([.maxTier(0)], .all, "fastestFreeServer"),
            ([.maxTier(0)], .wireGuardUDP, "fastestFreeWireGuardUDPServer"),
            ([.kind(.city(name: "Vancouver", code: "CA"))], .all, "fastestVancouverServer"),
            (
                [.kind(.gateway("Mega Gateway 1000"))], .all, "fastestMegaGateway1000Server1"
            ),
        ] as [([VPNServerFilter], ProtocolSupport, String)])
    func golden(location: [VPNServerFilter], protocols: ProtocolSupport, id: String) throws {
        let list = ServerList(try ServerLists.golden("TestServers.json"))
        let server = try list.select(.init(location: location, protocols: protocols))
        #expect(server.logical.id == id)
    }
}
