import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Orders of servers")
struct ServerOrderTests {
    @Test(
        "each order of the original's servers", .enabled(if: GoldenFiles.arePresent),
        arguments: [
            (
                .fastest,
                """
                fastestFeaturelessUSServer DE1 DE2 IR1 HK#3 JP#4 featureRichUSServer AEServer \
                fastestVancouverServer slowVancouverServer JP#8 fastestMegaGateway1000Server1 \
                fastestMegaGateway1000Server2 fastestMegaGateway2000Server JP#7 \
                fastestFreeServer secureCoreCAServer1 fastestFreeWireGuardUDPServer JP#5 \
                secureCoreCAServer2 secureCoreCAServer3
                """
            ),
            (
                .loadAscending,
                """
                secureCoreCAServer1 fastestFreeWireGuardUDPServer secureCoreCAServer2 HK#3 JP#4 \
                JP#7 secureCoreCAServer3 AEServer fastestFreeServer fastestVancouverServer \
                slowVancouverServer DE1 DE2 IR1 fastestFeaturelessUSServer featureRichUSServer \
                JP#8 fastestMegaGateway1000Server1 fastestMegaGateway1000Server2 \
                fastestMegaGateway2000Server JP#5
                """
            ),
            (
                .fastestGatewaysLast,
                """
                fastestFeaturelessUSServer DE1 DE2 IR1 HK#3 JP#4 featureRichUSServer AEServer \
                fastestVancouverServer slowVancouverServer JP#8 JP#7 fastestFreeServer \
                secureCoreCAServer1 fastestFreeWireGuardUDPServer JP#5 secureCoreCAServer2 \
                secureCoreCAServer3 fastestMegaGateway2000Server fastestMegaGateway1000Server1 \
                fastestMegaGateway1000Server2
                """
            ),
            (
                .nameAscending,
                """
                AEServer fastestFreeServer fastestVancouverServer slowVancouverServer \
                secureCoreCAServer1 DE2 DE1 fastestMegaGateway1000Server1 \
                fastestMegaGateway2000Server fastestMegaGateway1000Server2 HK#3 IR1 \
                secureCoreCAServer3 JP#4 JP#5 JP#7 JP#8 fastestFreeWireGuardUDPServer \
                secureCoreCAServer2 fastestFeaturelessUSServer featureRichUSServer
                """
            ),
            (
                .none,
                """
                AEServer DE1 DE2 IR1 HK#3 JP#4 JP#5 JP#7 JP#8 fastestFeaturelessUSServer \
                fastestFreeServer fastestFreeWireGuardUDPServer fastestMegaGateway1000Server1 \
                fastestMegaGateway1000Server2 fastestMegaGateway2000Server \
                fastestVancouverServer featureRichUSServer secureCoreCAServer1 \
                secureCoreCAServer2 secureCoreCAServer3 slowVancouverServer
                """
            ),
        ] as [(VPNServerOrder, String)])
    func golden(order: VPNServerOrder, expected: String) throws {
        let asked = try AskedTwice(ServerLists.golden("TestServers.json"))
        #expect(try asked.servers(by: order).labels == expected)
        let first = try asked.first(by: order)
        let wanted = expected.prefix { $0 != " " }
        #expect(first?.logical.label == String(wanted))
    }

    @Test("names come by what stands before the number, then by the number, none before any")
    func names() throws {
        let names = [
            "a": "DE#10", "b": "DE#9", "c": "DE#9-TOR", "d": "DE", "e": "DE-BE#1", "f": "CH#200",
            "g": "de#1", "h": "DE#x", "i": "DE#010",
        ]
        let asked = try AskedTwice(names.map { ServerLists.server($0.key, $0.value) })
        #expect(try asked.servers(by: .nameAscending).labels == "f d h b c a i e g")
        #expect(try asked.first(by: .nameAscending)?.id == "f")
        let free = try asked.servers([.exitCountryCode("CH")], by: .nameAscending)
        #expect(free.labels == "f d h b c a i e g")
    }

    @Test("the least load comes first, whatever the score, and servers under maintenance too")
    func loads() throws {
        let asked = try AskedTwice([
            ServerLists.server("a", score: 1, load: 100),
            ServerLists.server("b", score: 2, load: 9),
            ServerLists.server("c", score: 3, load: 10),
            ServerLists.server("d", score: 9, load: 9),
            ServerLists.server("e", score: 4, load: 0, status: 0),
        ])
        #expect(try asked.servers(by: .loadAscending).labels == "e b d c a")
        #expect(try asked.servers([.isNotUnderMaintenance], by: .loadAscending).labels == "b d c a")
        #expect(try asked.first(by: .loadAscending)?.id == "e")
        #expect(try asked.first([.isNotUnderMaintenance], by: .loadAscending)?.id == "b")
    }

    @Test("gateways come last, the last name first, each of them by score")
    func gatewaysLast() throws {
        func server(_ id: String, _ gateway: String?, score: Double) -> VPNServer {
            ServerLists.server(
                id, score: score, kind: gateway.map { .gateway(name: $0) } ?? .country)
        }
        let core = LogicalServer.Kind.secureCore(entryCountryCode: "SE")
        let asked = try AskedTwice([
            server("a", "Acme", score: 0.1), server("b", "Zeta", score: 3),
            server("c", "Zeta", score: 0.2), server("d", nil, score: 9),
            server("e", nil, score: 1), server("f", "acme", score: 5),
            server("g", "Zeta", score: 0.2),
            ServerLists.server("h", score: 4, feature: .secureCore, kind: core),
        ])
        #expect(try asked.servers(by: .fastestGatewaysLast).labels == "e h d f c g b a")
        #expect(try asked.first(by: .fastestGatewaysLast)?.id == "e")
        #expect(try asked.first([.kind(.gateway())], by: .fastestGatewaysLast)?.id == "f")
        #expect(try asked.first(by: .fastest)?.id == "a")
    }

    @Test(
        "what an order leaves open the id decides, byte by byte",
        arguments: VPNServerOrder.allCases)
    func ties(order: VPNServerOrder) throws {
        let ids = ["b", "a", "é", "B", "a1", "Z", "ab"]
        let asked = try AskedTwice(ids.map { ServerLists.server($0) })
        let found = try asked.servers(by: order)
        guard order != .random else {
            #expect(Set(found.map(\.id)) == Set(ids))
            return
        }
        #expect(found.labels == "B Z a a1 ab b é")
        #expect(try asked.first(by: order)?.id == "B")
    }

    @Test("a score is not rounded, and may be less than nothing")
    func scores() throws {
        let scores: [String: Double] = [
            "a": 1.000_000_1, "b": 1.000_000_2, "c": 1, "d": -0.5, "e": 1_005, "f": 0,
        ]
        let asked = try AskedTwice(scores.map { ServerLists.server($0.key, score: $0.value) })
        #expect(try asked.servers(by: .fastest).labels == "d f c a b e")
    }
}

@Suite("Servers at random")
struct ServerChanceTests {
    private let asked: AskedTwice

    init() throws {
        let down = (0..<3).map { ServerLists.server("down\($0)", status: 0) }
        let dark = ServerLists.server("dark", endpoints: [ServerLists.endpoint("e", status: 0)])
        let up = (0..<4).map { ServerLists.server("up\($0)", load: $0 * 33) }
        asked = try AskedTwice(down + [dark] + up)
    }

    /// Which servers come first in `count` answers, of both kinds.
    private func firsts(_ filters: [VPNServerFilter], _ count: Int) throws -> [Set<String>] {
        let list = try asked.list
        let store = asked.store
        let known = (0..<count).compactMap { _ in
            list.firstServer(filteredBy: filters, orderedBy: .random)?.id
        }
        let stored = try store.read { snapshot in
            try (0..<count).compactMap { _ in
                try store.firstServer(filteredBy: filters, orderedBy: .random, in: snapshot)?.id
            }
        }
        #expect(known.count == stored.count)
        return [Set(known), Set(stored)]
    }

    private func both(_ ids: String...) -> [Set<String>] { [Set(ids), Set(ids)] }

    // Of 200 draws among four, one is missing with a chance of less than 1e-24.
    @Test("the first one is each of those that are up, and no other while there is one")
    func first() throws {
        let up = both("up0", "up1", "up2", "up3")
        #expect(try firsts([], 200) == up)
        #expect(try firsts([.isNotUnderMaintenance], 200) == up)
        #expect(try firsts([.logicalIDs(["up1", "down1"])], 20) == both("up1"))
    }

    @Test("it is one under maintenance if there is no other, and none if there is none")
    func others() throws {
        #expect(try firsts([.logicalIDs(["down2", "dark"])], 200) == both("dark", "down2"))
        #expect(try firsts([.logicalID("none")], 1) == both())
        #expect(try firsts([.logicalID("dark"), .isNotUnderMaintenance], 1) == both())
    }

    @Test("all of them come, in another order each time, those under maintenance last")
    func all() throws {
        var orders: Set<String> = []
        for _ in 0..<50 {
            let stored = try asked.servers(by: .random)
            let known = try asked.list.servers(orderedBy: .random)
            for found in [stored, known] {
                #expect(Set(found.prefix(4).map(\.id)) == ["up0", "up1", "up2", "up3"])
                #expect(Set(found.suffix(4).map(\.id)) == ["dark", "down0", "down1", "down2"])
                orders.insert(found.labels)
            }
        }
        // There are 576, and 100 draws.
        #expect(orders.count >= 10)
    }
}
