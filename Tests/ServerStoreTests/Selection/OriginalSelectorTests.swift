import ProjectTestSupport
import SampleData
import ServerStore
import StoreTestSupport
import Testing

@Suite("A server to connect to, of the original's", .enabled(if: GoldenFiles.arePresent))
struct OriginalSelectorTests {
    private let list: ServerList

    init() throws {
        list = try AskedTwice(ServerLists.golden("TestServers.json")).list
    }

    @Test(
        "is the best one at the place that can do what is asked for",
        arguments: [
            ("anywhere", .init(), "fastestFeaturelessUSServer"),
            ("for who has not paid", .init(location: [.maxTier(0)]), "fastestFreeServer"),
            ("for who has", .init(location: [.maxTier(2)]), "fastestFeaturelessUSServer"),
            (
                "in a country, of no gateway",
                .init(location: [.kind(.country("US"))], protocols: .wireGuardUDP),
                "featureRichUSServer"
            ),
            (
                "in a country, of no gateway and not secure core",
                .init(location: [.kind(.country("CA"))], order: .loadAscending),
                "fastestFreeServer"
            ),
            (
                "in a country for who has not paid",
                .init(location: [.kind(.country("JP")), .maxTier(0)]), "JP#5"
            ),
            (
                "in a city",
                .init(location: [.kind(.city(name: "Tokyo", code: "JP"))]), "JP#4"
            ),
            (
                "in a city with a feature",
                .init(location: [.kind(.city(name: "Tokyo", code: "JP"))], features: .p2p), "JP#7"
            ),
            (
                "of a gateway",
                .init(location: [.kind(.gateway("Mega Gateway 2000"))]),
                "fastestMegaGateway2000Server"
            ),
            (
                "by its name, with a feature",
                .init(location: [.name("US-NY#61")], features: .streaming), "featureRichUSServer"
            ),
            ("by its name", .init(location: [.name("DE#10")]), "DE1"),
            (
                "in secure core",
                .init(location: [.exitCountryCode("CA")], features: .secureCore),
                "secureCoreCAServer1"
            ),
            (
                "in secure core, by where traffic enters",
                .init(location: [.entryCountryCode("SE")], features: .secureCore),
                "secureCoreCAServer2"
            ),
            ("with Tor", .init(features: .tor), "DE1"),
            ("by IKEv2", .init(protocols: .ikev2), "fastestFeaturelessUSServer"),
            ("by WireGuard over UDP", .init(protocols: .wireGuardUDP), "HK#3"),
            ("by WireGuard over TCP", .init(protocols: .wireGuardTCP), "HK#3"),
            ("by Stealth", .init(protocols: .wireGuardTLS), "DE2"),
            (
                "by one of two protocols", .init(protocols: [.ikev2, .wireGuardTLS]),
                "fastestFeaturelessUSServer"
            ),
            (
                "with little load", .init(order: .loadAscending), "fastestFreeWireGuardUDPServer"
            ),
            ("by name", .init(order: .nameAscending), "AEServer"),
        ] as [(String, ServerRequest, String)])
    func best(what: String, request: ServerRequest, expected: String) throws {
        let server = try list.select(request)
        #expect(server.logical.label == expected, "\(what)")
        let whole = try #require(list.server(server.logical.id))
        #expect(whole.logical == server.logical && whole.endpoints.contains(server.endpoint))
        #expect(server.endpoint.status == 1)
        #expect(!server.endpoint.supportedProtocols.isDisjoint(with: request.protocols))
    }

    @Test(
        "or the step after which none was left, and how many were left after each",
        arguments: [
            (.init(location: [.kind(.country("ZZ"))]), .locationNotFound, [0, 0, 0, 0]),
            (.init(location: [.maxTier(-1)]), .locationNotFound, [0, 0, 0, 0]),
            (.init(location: [.kind(.country("CH"))]), .locationNotFound, [0, 0, 0, 0]),
            (
                .init(location: [.maxTier(0)], features: .tor), .featuresNotSupported,
                [3, 0, 0, 0]
            ),
            (
                .init(location: [.exitCountryCode("DE")], features: .secureCore),
                .featuresNotSupported, [2, 0, 0, 0]
            ),
            (
                .init(location: [.kind(.country("DE"))], protocols: .wireGuardUDP),
                .protocolNotSupported, [2, 2, 0, 0]
            ),
            (.init(location: [.name("JP#8")]), .protocolNotSupported, [1, 1, 0, 0]),
            (.init(location: [.kind(.country("IR"))]), .maintenance, [1, 1, 1, 0]),
            (
                .init(
                    location: [.names(["IR#1", "CA#1", "JP#8", "SE-CA#15"])],
                    protocols: .wireGuardTLS),
                .maintenance, [4, 3, 1, 0]
            ),
        ] as [(ServerRequest, ServerSelectionFailure.Step, [Int])])
    func failures(
        request: ServerRequest, step: ServerSelectionFailure.Step, left: [Int]
    ) throws {
        let error = #expect(throws: ServerSelectionFailure.self) { try list.select(request) }
        let funnel = try #require(error).funnel
        #expect(error?.step == step)
        #expect([funnel.atLocation, funnel.withFeatures, funnel.withProtocol, funnel.up] == left)
    }

    @Test("at random is any that is up, but for those elsewhere, of gateways or without protocol")
    func random() throws {
        var generator = SeededGenerator(seed: 3)
        func names(
            _ location: [VPNServerFilter], _ protocols: ProtocolSupport
        ) throws -> Set<String> {
            let request = ServerRequest(location: location, protocols: protocols, order: .random)
            var names: Set<String> = []
            for _ in 0..<400 {
                names.insert(try list.select(request, using: &generator).logical.label)
            }
            return names
        }
        let japan = try names([.kind(.country("JP"))], .all)
        #expect(japan == ["JP#4", "JP#5", "JP#7"])
        let overUDP = try names([.kind(.country("JP"))], .wireGuardUDP)
        #expect(overUDP == ["JP#4", "JP#5"])
        let american = try names([.kind(.country("US"))], .all)
        #expect(american == ["fastestFeaturelessUSServer", "featureRichUSServer"])
        let sharing = try names([.kind(.country()), .features(.p2p)], .wireGuardTLS)
        #expect(sharing == ["DE2", "fastestFreeWireGuardUDPServer", "featureRichUSServer"])
    }

    @Test("has an endpoint that is up, any of them")
    func upEndpoints() throws {
        let request = ServerRequest(location: [.kind(.country("JP")), .maxTier(0)])
        let addresses = try (0..<200).map { _ in try list.select(request).endpoint.exitIp }
        #expect(Set(addresses) == ["1.2.4.8", "1.2.5.8"])
    }
}

@Suite("The endpoint to connect to")
struct EndpointChoiceTests {
    @Test("is one of those that are up and speak a protocol, each of them now and then")
    func right() throws {
        let server = ServerLists.server(
            "a",
            endpoints: [
                ServerLists.endpoint("udp", ["WireGuardUDP": .init()]),
                ServerLists.endpoint("tls1", ["WireGuardTLS": .init()]),
                ServerLists.endpoint("tls2", status: 0, ["WireGuardTLS": .init()]),
                ServerLists.endpoint("tls3", ["WireGuardTLS": .init(ipv4: "10.0.0.9")]),
                ServerLists.endpoint("any"),
                ServerLists.endpoint("none", ["Other": .init()]),
            ])
        let list = try AskedTwice([server]).list
        func ids(_ protocols: ProtocolSupport) throws -> Set<String> {
            let request = ServerRequest(protocols: protocols)
            return Set(try (0..<300).map { _ in try list.select(request).endpoint.id })
        }
        #expect(try ids(.wireGuardTLS) == ["tls1", "tls3", "any"])
        #expect(try ids(.wireGuardUDP) == ["udp", "tls3", "any"])
        #expect(try ids([.wireGuardUDP, .wireGuardTLS]) == ["udp", "tls1", "tls3", "any"])
        #expect(try ids(.all) == ["udp", "tls1", "tls3", "any"])
    }

    @Test("is of the next server if all of the best one that would do are down")
    func next() throws {
        let half = ServerLists.server(
            "half", score: 1,
            endpoints: [
                ServerLists.endpoint("x", ["IKEv2": .init()]),
                ServerLists.endpoint("y", status: 0, ["WireGuardTLS": .init()]),
            ])
        let list = try AskedTwice([half, ServerLists.server("whole", score: 2)]).list
        #expect(try list.select(.init(protocols: .wireGuardTLS)).endpoint.id == "whole-e")
        #expect(try list.select(.init(protocols: .ikev2)).endpoint.id == "x")
        #expect(try list.select(.init(location: [.isNotUnderMaintenance])).endpoint.id == "x")
    }

    @Test("follows the loads of servers, not a list read before")
    func loads() throws {
        let asked = try AskedTwice([
            ServerLists.server("a", score: 1), ServerLists.server("b", score: 2),
        ])
        let before = try asked.list
        try asked.store.update(loads: [.init(serverId: "a", load: 0, score: 1, status: 0)])
        #expect(try asked.list.select(.init()).logical.id == "b")
        #expect(try before.select(.init()).logical.id == "a")
    }
}
