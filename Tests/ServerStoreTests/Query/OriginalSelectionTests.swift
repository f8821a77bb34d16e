import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite(
    "The first of the original's servers, by filters and an order",
    .enabled(if: GoldenFiles.arePresent))
struct OriginalSelectionTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice(ServerLists.golden("TestServers.json"))
    }

    @Test(
        "the fastest one",
        arguments: [
            ("of all", [], "fastestFeaturelessUSServer"),
            ("that is free", [.maxTier(0)], "fastestFreeServer"),
            (
                "that is free and speaks WireGuard over UDP",
                [.maxTier(0), .supports(.wireGuardUDP)], "fastestFreeWireGuardUDPServer"
            ),
            ("with Tor", [.features(.tor)], "DE1"),
            ("with Tor and Stealth", [.features(.tor), .supports(.wireGuardTLS)], "DE2"),
            ("with Stealth", [.supports(.wireGuardTLS), .isNotUnderMaintenance], "DE2"),
            (
                "of a country with features",
                [.kind(.country("US")), .features(.standard(with: [.tor, .p2p]))],
                "featureRichUSServer"
            ),
            ("of a country", [.kind(.country("CA"))], "fastestVancouverServer"),
            (
                "of a city and its country", [.kind(.city(name: "Toronto", code: "CA"))],
                "fastestFreeServer"
            ),
            ("of a city", [.city("Vancouver")], "fastestVancouverServer"),
            (
                "of a gateway", [.kind(.gateway("Mega Gateway 1000"))],
                "fastestMegaGateway1000Server1"
            ),
            (
                "of another gateway", [.kind(.gateway("Mega Gateway 2000"))],
                "fastestMegaGateway2000Server"
            ),
            (
                "of a gateway in a country",
                [.kind(.gateway("Mega Gateway 1000")), .exitCountryCode("CH")],
                "fastestMegaGateway1000Server2"
            ),
            ("of secure core", [.features(.secureCore)], "secureCoreCAServer1"),
            (
                "of secure core by where traffic enters",
                [.features(.secureCore), .entryCountryCode("IS")], "secureCoreCAServer3"
            ),
        ] as [(String, [VPNServerFilter], String)])
    func fastest(what: String, filters: [VPNServerFilter], id: String) throws {
        #expect(try asked.first(filters, by: .fastest)?.id == id, "\(what)")
    }

    @Test("there is none that is free and has Tor")
    func freeTor() throws {
        let filters: [VPNServerFilter] = [.maxTier(0), .features(.tor)]
        #expect(try asked.first(filters, by: .fastest) == nil)
        #expect(try asked.servers(filters) == [] && asked.groups(filters) == [])
    }

    @Test("the secure core servers of a country come by score")
    func secureCore() throws {
        let filters: [VPNServerFilter] = [.kind(.country("CA")), .features(.secureCore)]
        let found = try asked.servers(filters, by: .fastest)
        #expect(found.labels == "secureCoreCAServer1 secureCoreCAServer2 secureCoreCAServer3")
        #expect(found.map(\.logical.entryCountryCode) == ["CH", "SE", "IS"])
        #expect(found.map(\.logical.exitCountryCode) == ["CA", "CA", "CA"])
    }

    @Test("by name DE#9 comes before DE#10")
    func names() throws {
        let found = try asked.servers([.kind(.country("DE"))], by: .nameAscending)
        #expect(found.map(\.logical.name) == ["DE#9", "DE#10"])
        #expect(try asked.first([.kind(.country("DE"))], by: .nameAscending)?.id == "DE2")
    }

    @Test("at random it is each of those that filters find, and none else")
    func random() throws {
        let filters: [VPNServerFilter] = [.exitCountryCode("JP"), .maxTier(2)]
        let list = try asked.list
        let store = asked.store
        var (known, stored) = (Set<String>(), Set<String>())
        for _ in 0..<200 {
            let one = list.firstServer(filteredBy: filters, orderedBy: .random)
            known.insert(try #require(one).logical.name)
            let other = try store.read {
                try store.firstServer(filteredBy: filters, orderedBy: .random, in: $0)
            }
            stored.insert(try #require(other).logical.name)
        }
        #expect(known == ["JP#4", "JP#5", "JP#7", "JP#8"] && stored == known)
        let iran = list.firstServer(filteredBy: [.exitCountryCode("IR")], orderedBy: .random)
        #expect(iran?.id == "IR1")
    }

    @Test("it comes with all endpoints, whatever a filter leaves out of them")
    func endpoints() throws {
        let free = try asked.first([.exitCountryCode("JP"), .maxTier(0)], by: .fastest)
        #expect(free?.endpoints.map(\.exitIp) == ["1.2.4.8", "1.2.5.8", "1.2.6.8"])
        #expect(free?.endpoints.map(\.status) == [1, 1, 0])
        let last = try #require(free?.endpoints.last)
        let filtered = try asked.first([.endpointID(last.id)], by: .fastest)
        #expect(filtered == free)
    }

    @Test("a server none of whose endpoints is up is under maintenance, one with one up is not")
    func maintenance() throws {
        let iran = try asked.first([.exitCountryCode("IR")], by: .fastest)
        #expect(iran?.id == "IR1" && iran?.logical.status == 0)
        #expect(try asked.servers([.exitCountryCode("IR"), .isNotUnderMaintenance]) == [])
        #expect(try asked.first([.exitCountryCode("IR"), .isNotUnderMaintenance]) == nil)
        let up = try asked.servers([.isNotUnderMaintenance])
        #expect(up.count == 20 && up.allSatisfy { $0.logical.status == 1 })
        let all = try asked.servers()
        #expect(all.count == 21 && Set(all).subtracting(up).map(\.id) == ["IR1"])
        #expect(up.labels.contains("JP#5"))
    }
}

@Suite("Servers under maintenance")
struct ServerMaintenanceTests {
    private let asked: AskedTwice

    init() throws {
        func server(_ id: String, _ status: Int, _ endpoints: [Int]) -> VPNServer {
            ServerLists.server(
                id, status: status,
                endpoints: endpoints.enumerated().map {
                    ServerLists.endpoint("\(id)\($0)", status: $1)
                })
        }
        asked = try AskedTwice([
            server("a", 1, [1]), server("b", 1, [0]), server("c", 0, [1]), server("d", 0, [0]),
            server("e", 1, [0, 0, 1]), server("f", 1, [0, 0]), server("g", 2, [3]),
            server("h", 1, []),
        ])
    }

    @Test("are those whose status is so, and those without an endpoint that is up")
    func found() throws {
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a e g")
        let all = try asked.servers()
        #expect(all.labels == "a b c d e f g")
        #expect(all.map(\.logical.status) == [1, 0, 0, 0, 1, 0, 2])
        #expect(all.count(where: \.logical.isUnderMaintenance) == 4)
        let servers = try asked.list.servers
        #expect(servers.map(\.id) == all.map(\.id) + ["h"])
        #expect(
            servers.map(\.isUnderMaintenance)
                == [false, true, true, true, false, true, false, true])
    }

    @Test("retain the API's status")
    func originals() throws {
        let statuses = try asked.list.originals.map(\.logical.status)
        #expect(statuses == [1, 1, 0, 0, 1, 1, 2, 1])
        for id in ["b", "f"] {
            let found = try asked.first([.logicalID(id)])
            #expect(found?.logical.status == 0)
            #expect(found?.endpoints.allSatisfy(\.isUnderMaintenance) == true)
        }
    }

    @Test("are not, when one of their endpoints is up again")
    func upAgain() throws {
        let store = asked.store
        let server = ServerLists.server("b", endpoints: [ServerLists.endpoint("b0")])
        let change = try store.write { try store.upsert([server], in: $0) }
        #expect(change == ListChange(changed: ["b"]))
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a b e g")
        #expect(try asked.first([.logicalID("b")]) == server)
    }

    @Test("are found by an endpoint that is down, and left out if another one is up")
    func endpoints() throws {
        #expect(try asked.servers([.endpointID("e0")]).labels == "e")
        #expect(try asked.servers([.endpointID("e0"), .isNotUnderMaintenance]).labels == "e")
        #expect(try asked.servers([.endpointID("f1")]).labels == "f")
        #expect(try asked.servers([.endpointID("f1"), .isNotUnderMaintenance]).labels == "")
    }
}
