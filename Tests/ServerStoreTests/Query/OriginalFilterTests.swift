import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

/// Each filter by itself, and some together. What is found comes by id, byte by byte.
@Suite("What filters find of the original's servers", .enabled(if: GoldenFiles.arePresent))
struct OriginalFilterTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice(ServerLists.golden("TestServers.json"))
    }

    private func check(_ filters: [VPNServerFilter], _ finds: String) throws {
        #expect(try asked.servers(filters).labels == finds)
    }

    @Test(
        "servers and endpoints by their ids and names",
        arguments: [
            ([.logicalID("DE1")], "DE1"), ([.logicalID("de1")], ""), ([.logicalID("")], ""),
            ([.logicalIDs(["IR1", "DE1", "none", "DE1"])], "DE1 IR1"), ([.logicalIDs([])], ""),
            ([.endpointID("DE2s")], "DE2"), ([.endpointID("")], "fastestFreeWireGuardUDPServer"),
            ([.endpointIDs(["DE2s", "IR1s", "DE1"])], "DE2 IR1"), ([.endpointIDs([])], ""),
            ([.name("US-NY#61")], "fastestFeaturelessUSServer featureRichUSServer"),
            ([.name("US-NY#6")], ""),
            ([.names(["DE#9", "GTW#2", "DE"])], "DE2 fastestMegaGateway2000Server"),
        ] as [([VPNServerFilter], String)])
    func ids(filters: [VPNServerFilter], finds: String) throws {
        try check(filters, finds)
    }

    @Test(
        "servers by where traffic enters and leaves, of all kinds",
        arguments: [
            (
                [.exitCountryCode("CA")],
                """
                fastestFreeServer fastestMegaGateway2000Server fastestVancouverServer \
                secureCoreCAServer1 secureCoreCAServer2 secureCoreCAServer3 \
                slowVancouverServer
                """
            ),
            (
                [.exitCountryCodes(["US", "CH", "ZZ"])],
                """
                fastestFeaturelessUSServer fastestMegaGateway1000Server1 \
                fastestMegaGateway1000Server2 featureRichUSServer
                """
            ),
            ([.entryCountryCode("CH")], "fastestMegaGateway1000Server2 secureCoreCAServer1"),
            ([.entryCountryCodes(["IS", "SE"])], "secureCoreCAServer2 secureCoreCAServer3"),
            ([.entryCountryCode("SE"), .exitCountryCode("CA")], "secureCoreCAServer2"),
            ([.exitCountryCode("SE")], ""), ([.exitCountryCode("ca")], ""),
        ] as [([VPNServerFilter], String)])
    func countries(filters: [VPNServerFilter], finds: String) throws {
        try check(filters, finds)
    }

    @Test(
        "servers of a kind: secure core is of countries, gateways are of cities",
        arguments: [
            (
                [.kind(.country("CA"))],
                """
                fastestFreeServer fastestVancouverServer secureCoreCAServer1 \
                secureCoreCAServer2 secureCoreCAServer3 slowVancouverServer
                """
            ),
            ([.kind(.country("CH"))], ""),
            ([.kind(.country("CA")), .features(.secureCore), .maxTier(0)], ""),
            (
                [.kind(.gateway())],
                """
                fastestMegaGateway1000Server1 fastestMegaGateway1000Server2 \
                fastestMegaGateway2000Server
                """
            ),
            (
                [.kind(.gateway("Mega Gateway 1000"))],
                "fastestMegaGateway1000Server1 fastestMegaGateway1000Server2"
            ),
            (
                [.kind(.gateway("Mega Gateway 1000")), .exitCountryCode("CH")],
                "fastestMegaGateway1000Server2"
            ),
            ([.kind(.gateway("Mega Gateway"))], ""),
            ([.kind(.city(name: "Tokyo", code: "JP"))], "JP#4 JP#7 JP#8"),
            ([.kind(.city(name: "Tokyo", code: "CA"))], "fastestMegaGateway2000Server"),
            ([.kind(.city(name: "Tokyo", code: "US"))], ""),
            ([.city("Tokyo")], "JP#4 JP#7 JP#8 fastestMegaGateway2000Server"),
            ([.city("Tokyo"), .kind(.country())], "JP#4 JP#7 JP#8"),
            ([.city("tokyo")], ""), ([.state("Tokyo")], ""),
        ] as [([VPNServerFilter], String)])
    func kinds(filters: [VPNServerFilter], finds: String) throws {
        try check(filters, finds)
    }

    @Test("a country's kind without a code is all but gateways")
    func noGateways() throws {
        let found = try asked.servers([.kind(.country())])
        #expect(found.count == 18 && found.allSatisfy { $0.logical.gatewayName == nil })
    }

    @Test(
        "servers by what they can do, and cannot",
        arguments: [
            (.p2p, "DE1 DE2 IR1 JP#7 fastestFreeWireGuardUDPServer featureRichUSServer"),
            (.tor, "DE1 DE2 IR1 JP#8 featureRichUSServer"),
            (.streaming, "DE1 DE2 IR1 fastestFreeWireGuardUDPServer featureRichUSServer"),
            (.secureCore, "secureCoreCAServer1 secureCoreCAServer2 secureCoreCAServer3"),
            (
                .standard(with: [.p2p, .streaming]),
                "DE1 DE2 IR1 fastestFreeWireGuardUDPServer featureRichUSServer"
            ),
            (.standard(with: .tor, without: .p2p), "JP#8"),
            (.init(required: .p2p, excluded: .tor), "JP#7 fastestFreeWireGuardUDPServer"),
            (.init(required: .p2p, excluded: .p2p), ""),
            (
                .init(required: .zero, excluded: ServerFeature(rawValue: 63)),
                """
                AEServer HK#3 JP#4 JP#5 fastestFeaturelessUSServer fastestFreeServer \
                fastestVancouverServer slowVancouverServer
                """
            ),
        ] as [(VPNServerFilter.FeatureFilter, String)])
    func features(features: VPNServerFilter.FeatureFilter, finds: String) throws {
        try check([.features(features)], finds)
    }

    @Test("standard servers are all but secure core")
    func standard() throws {
        let found = try asked.servers([.features(.standard)])
        #expect(found.count == 18)
        #expect(found.allSatisfy { !$0.logical.feature.contains(.secureCore) })
    }

    @Test(
        "servers of a tier, or up to one",
        arguments: [
            (.exact(tier: 0), 3), (.exact(tier: 1), 0), (.exact(tier: 2), 18),
            (.max(tier: -1), 0), (.max(tier: 0), 3), (.max(tier: 1), 3), (.max(tier: 2), 21),
        ] as [(VPNServerFilter.TierFilter, Int)])
    func tiers(tier: VPNServerFilter.TierFilter, count: Int) throws {
        #expect(try asked.servers([.tier(tier)]).count == count)
        let free = try asked.servers([.tier(tier), .maxTier(0)])
        let isFree = count > 0 && tier != .exact(tier: 2)
        #expect(
            free.labels
                == (isFree ? "JP#5 fastestFreeServer fastestFreeWireGuardUDPServer" : ""))
    }

    /// The servers whose endpoints say nothing of protocols, and so speak all.
    private static let unlimited: Set<String> = [
        "AEServer", "HK#3", "JP#4", "JP#5", "fastestFreeWireGuardUDPServer",
        "fastestMegaGateway1000Server1", "fastestMegaGateway1000Server2",
        "fastestMegaGateway2000Server", "fastestVancouverServer", "featureRichUSServer",
        "secureCoreCAServer1", "secureCoreCAServer2", "secureCoreCAServer3", "slowVancouverServer",
    ]

    @Test(
        "servers that speak any of some protocols",
        arguments: [
            (.ikev2, ["DE1", "fastestFeaturelessUSServer"]), (.wireGuardUDP, []),
            (.wireGuardTCP, ["JP#7", "fastestFreeServer"]), (.wireGuardTLS, ["DE2", "IR1"]),
            ([.ikev2, .wireGuardTLS], ["DE1", "DE2", "IR1", "fastestFeaturelessUSServer"]),
            ([.wireGuardUDP, .wireGuardTCP], ["JP#7", "fastestFreeServer"]), (.zero, []),
            (
                .all,
                ["DE1", "DE2", "IR1", "JP#7", "fastestFeaturelessUSServer", "fastestFreeServer"]
            ),
        ] as [(ProtocolSupport, Set<String>)])
    func anyProtocol(protocols: ProtocolSupport, others: Set<String>) throws {
        let found = try asked.servers([.supports(protocols)])
        #expect(Set(found.map(\.logical.label)) == Self.unlimited.union(others))
    }

    @Test(
        "servers that speak all of some protocols",
        arguments: [
            (.ikev2, ["DE1", "fastestFeaturelessUSServer"]), ([.ikev2, .wireGuardTLS], []),
            (.wireGuardTCP, ["JP#7", "fastestFreeServer"]), (.all, []),
            (
                .zero,
                [
                    "DE1", "DE2", "IR1", "JP#7", "JP#8", "fastestFeaturelessUSServer",
                    "fastestFreeServer",
                ]
            ),
        ] as [(ProtocolSupport, Set<String>)])
    func allProtocols(protocols: ProtocolSupport, others: Set<String>) throws {
        let found = try asked.servers([.supportsAll(protocols: protocols)])
        #expect(Set(found.map(\.logical.label)) == Self.unlimited.union(others))
    }

    @Test("a server's result has its supported protocols")
    func support() throws {
        let found = try asked.servers([.kind(.country("DE"))])
        #expect(found.map(\.protocolSupport) == [.ikev2, .wireGuardTLS])
        let japan = try asked.servers([.kind(.country("JP"))])
        #expect(japan.labels == "JP#4 JP#5 JP#7 JP#8")
        #expect(japan.map(\.protocolSupport) == [.all, .all, .wireGuardTCP, .zero])
    }
}
