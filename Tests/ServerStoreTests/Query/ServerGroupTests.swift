import DocumentStore
import Foundation
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Groups of the original's servers", .enabled(if: GoldenFiles.arePresent))
struct ServerGroupTests {
    private let store: ServerStore
    private let names = CountryNames(locale: .init(identifier: "en_US"))

    init() throws {
        store = try ServerStore.inMemory(names: names)
        let servers = try ServerLists.golden("TestServers.json")
        try store.write { try store.replaceList(servers, in: $0) }
    }

    private func groups(
        _ filters: [VPNServerFilter], _ grouping: VPNServerGrouping = .serverType
    ) throws -> [ServerGroupInfo] {
        let groups = try store.read {
            try store.groups(filteredBy: filters, groupedBy: grouping, in: $0)
        }
        let list: ServerList = try store.currentList()
        #expect(list.groups(filteredBy: filters, groupedBy: grouping) == groups)
        return groups
    }

    @Test("standard servers make gateways, then countries by name")
    func standard() throws {
        let groups = try groups([.features(.standard)])
        #expect(
            groups.map(\.kind) == [
                .gateway(name: "Mega Gateway 1000"), .gateway(name: "Mega Gateway 2000"),
                .country(code: "CA"), .country(code: "DE"), .country(code: "HK"),
                .country(code: "IR"), .country(code: "JP"), .country(code: "KR"),
                .country(code: "AE"), .country(code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [2, 1, 3, 2, 1, 1, 4, 1, 1, 2])
        #expect(groups[0].featureUnion.rawValue == 32 && groups[0].protocolSupport == .all)
        #expect(groups[2].minTier == 0 && groups[2].maxTier == 2 && groups[2].cityCount == 2)
        #expect(groups[3].featureUnion.rawValue == 14)
        #expect(groups[3].featureIntersection.rawValue == 14)
        #expect(groups[3].protocolSupport.rawValue == 9)
        #expect(groups[5].isUnderMaintenance && groups[5].protocolSupport.rawValue == 8)
        #expect(groups.count(where: \.isUnderMaintenance) == 1)
        #expect(groups[6].featureUnion.rawValue == 6 && groups[6].featureIntersection == .zero)
        #expect(groups[7].minTier == 0 && groups[7].maxTier == 0)
        #expect(groups[7].featureUnion.rawValue == 12 && groups[7].supportsSmartRouting)
        #expect(groups[9].featureUnion.rawValue == 14 && groups[9].featureIntersection == .zero)
    }

    @Test("secure core makes one group of its exit")
    func secureCore() throws {
        let groups = try groups([.features(.secureCore)])
        #expect(groups.map(\.kind) == [.country(code: "CA")])
        #expect(groups.map(\.serverCount) == [3])
    }

    @Test("gateways alone, of all countries")
    func gateways() throws {
        let groups = try groups([.kind(.gateway())])
        #expect(groups.map(\.serverCount) == [2, 1])
        #expect(groups.map(\.cityCount) == [2, 1])
    }

    @Test("cities come by country and name, servers without one by their country")
    func cities() throws {
        let groups = try groups([.features(.standard), .kind(.country("CA"))], .cityName)
        #expect(
            groups.map(\.kind) == [
                .city(name: "Toronto", code: "CA"), .city(name: "Vancouver", code: "CA"),
            ])
        #expect(groups.map(\.serverCount) == [1, 2])
        let japan = try self.groups([.features(.standard), .kind(.country("JP"))], .cityName)
        #expect(japan.map(\.kind) == [.country(code: "JP"), .city(name: "Tokyo", code: "JP")])
        #expect(japan.map(\.serverCount) == [1, 3])
    }

    @Test("a city of two countries is two groups")
    func sameName() throws {
        let list = ServerList([
            ServerLists.server("a", exit: "UK", city: "Cambridge"),
            ServerLists.server("b", exit: "US", city: "Cambridge"),
            ServerLists.server("c", exit: "US", city: "Cambridge"),
        ])
        let groups = list.groups(
            groupedBy: .cityName, orderedBy: .exitCountryCodeAscending)
        #expect(
            groups.map(\.kind) == [
                .city(name: "Cambridge", code: "UK"), .city(name: "Cambridge", code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [1, 2])
    }

    @Test("a group is under maintenance if none of its servers can be connected to")
    func maintenance() throws {
        let up = ServerLists.server("a")
        let down = ServerLists.server("b", status: 0)
        let dark = ServerLists.server("c", endpoints: [ServerLists.endpoint("e", status: 0)])
        func isDown(_ servers: [VPNServer]) -> [Bool] {
            ServerList(servers).groups().map(\.isUnderMaintenance)
        }
        #expect(isDown([up, down, dark]) == [false])
        #expect(isDown([down, dark]) == [true])
        #expect(isDown([up]) == [false])
        // It counts what a filter has left.
        let mixed = ServerLists.server(
            "d",
            endpoints: [
                ServerLists.endpoint("x", status: 0, ["IKEv2": .init()]),
                ServerLists.endpoint("y", ["WireGuardTLS": .init()]),
            ])
        let groups = ServerList([mixed]).groups(filteredBy: [.supports(.ikev2)])
        #expect(groups.map(\.isUnderMaintenance) == [true])
        #expect(groups.map(\.protocolSupport) == [.ikev2])
    }
}
