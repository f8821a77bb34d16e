import ServerStore
import Testing

@Suite("Groups of states")
struct GroupStateTests {
    private let asked: AskedTwice

    init() throws {
        let acme = LogicalServer.Kind.gateway(name: "Acme")
        asked = try AskedTwice([
            ServerLists.server(
                "a", exit: "US", tier: 2, feature: .p2p, city: "Los Angeles", state: "California"),
            ServerLists.server(
                "b", exit: "US", feature: [.p2p, .tor], city: "San Jose", state: "California"),
            ServerLists.server("c", exit: "US", city: "New York City", state: "New York"),
            ServerLists.server("d", exit: "US", city: "Miami"),
            ServerLists.server("e", exit: "CA", city: "Toronto", state: "Ontario"),
            ServerLists.server("f", exit: "CO", state: "Amazonas"),
            ServerLists.server("g", exit: "BR", state: "Amazonas"),
            ServerLists.server(
                "h", exit: "US", feature: [.p2p, .restricted], state: "California", kind: acme),
            ServerLists.server("i", exit: "US", feature: .restricted, kind: acme),
            ServerLists.server("j", exit: "DE", state: "Bavaria"),
            ServerLists.server("k", exit: "CH", status: 0, state: "Zurich"),
        ])
    }

    @Test("states come by country, then by name; who has none is with a country or a gateway")
    func byName() throws {
        let groups = try asked.groups(of: .stateName)
        #expect(
            groups.map(\.kind) == [
                .gateway(name: "Acme"), .state(name: "Amazonas", code: "BR"),
                .state(name: "Ontario", code: "CA"), .state(name: "Amazonas", code: "CO"),
                .state(name: "Bavaria", code: "DE"), .state(name: "Zurich", code: "CH"),
                .country(code: "US"), .state(name: "California", code: "US"),
                .state(name: "New York", code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [1, 1, 1, 1, 1, 1, 1, 3, 1])
        #expect(groups.map(\.cityCount) == [0, 0, 1, 0, 0, 0, 1, 2, 1])
        #expect(groups.map(\.isUnderMaintenance).firstIndex(of: true) == 5)
        #expect(groups.count(where: \.isUnderMaintenance) == 1)
        #expect(groups[7].featureUnion == [.p2p, .tor, .restricted])
        #expect(groups[7].featureIntersection == .p2p)
        #expect(groups[7].minTier == 0 && groups[7].maxTier == 2)
    }

    @Test("in the order of codes countries come otherwise, and states as before")
    func byCode() throws {
        let groups = try asked.groups(of: .stateName, by: .exitCountryCodeAscending)
        #expect(
            groups.map(\.kind) == [
                .gateway(name: "Acme"), .state(name: "Amazonas", code: "BR"),
                .state(name: "Ontario", code: "CA"), .state(name: "Zurich", code: "CH"),
                .state(name: "Amazonas", code: "CO"), .state(name: "Bavaria", code: "DE"),
                .country(code: "US"), .state(name: "California", code: "US"),
                .state(name: "New York", code: "US"),
            ])
    }

    @Test("filters come before groups")
    func filters() throws {
        let groups = try asked.groups([.kind(.country("US")), .maxTier(0)], of: .stateName)
        #expect(
            groups.map(\.kind) == [
                .country(code: "US"), .state(name: "California", code: "US"),
                .state(name: "New York", code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [1, 1, 1])
    }

    @Test("a state's filter finds what its group counts, and a state is of one country or of any")
    func found() throws {
        for group in try asked.groups(of: .stateName) {
            guard case .state(let name, let code) = group.kind else { continue }
            let found = try asked.servers([.kind(.state(name: name, code: code))])
            #expect(found.count == group.serverCount)
        }
        let california = VPNServerFilter.KindFilter.state(name: "California", code: "US")
        #expect(try asked.servers([.kind(california)]).labels == "a b h")
        #expect(try asked.servers([.kind(california), .kind(.country())]).labels == "a b")
        #expect(try asked.servers([.kind(.state(name: "Amazonas", code: "BR"))]).labels == "g")
        #expect(try asked.servers([.state("Amazonas")]).labels == "f g")
        #expect(try asked.servers([.state("amazonas")]).labels == "")
    }

    @Test("without states they are the groups of countries and gateways")
    func none() throws {
        let asked = try AskedTwice([
            ServerLists.server("a", exit: "US", city: "Miami"),
            ServerLists.server("b", exit: "US", kind: .gateway(name: "Acme")),
        ])
        let groups = try asked.groups(of: .stateName)
        #expect(groups.map(\.kind) == [.gateway(name: "Acme"), .country(code: "US")])
        #expect(try asked.groups() == groups)
    }
}
