import DocumentStore
import Foundation
import SampleData
import ServerStore
import StoreTestSupport
import Testing

@Suite("Questions to a list in memory, and to SQL++", .timeLimit(.minutes(20)))
struct ServerFilterPropertyTests {
    private static let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 20_260_324))
    private static let count = TestEnvironment.number("STORE_QUERIES", or: 2_000)

    @Test("2,000 random filters, orders and groups have the same result")
    func answers() throws {
        print("ServerFilterPropertyTests: \(Self.count) questions, STORE_SEED=\(Self.seed)")
        var generator = SeededGenerator(seed: Self.seed)
        var store = try ServerStore.inMemory(names: .init(locale: .init(identifier: "en_US")))
        for number in 0..<Self.count {
            if number % 100 == 0 {
                store = try ServerStore.inMemory(names: store.names)
                let servers = ServerLists.random(60, &generator)
                try store.write { try store.replaceList(servers, in: $0) }
            }
            let filters = (0..<generator.below(4)).map { _ in filter(&generator) }
            let order = generator.pick(VPNServerOrder.allCases)
            let list: ServerList = try store.currentList()
            let comment: Comment = "STORE_SEED=\(Self.seed) question \(number): \(filters) \(order)"
            let query = try ServerQuery(filters, order)
            let ids = try store.read(query.ids(in:))
            let found = ids.compactMap { list.server($0) }
            #expect(found.count == ids.count, comment)
            compareServers(
                list.servers(filteredBy: filters, orderedBy: order),
                Self.passing(found, query.open, store.names), order, comment)
            if order != .random {
                let passing = Set(Self.passing(found, query.open, store.names).map(\.logical.id))
                #expect(
                    list.firstServer(filteredBy: filters, orderedBy: order)
                        == found.first { passing.contains($0.id) }, comment)
            }
            let grouping = generator.pick(VPNServerGrouping.allCases)
            let groupOrder = generator.pick(VPNServerGroupOrder.allCases)
            #expect(
                list.groups(filteredBy: filters, groupedBy: grouping, orderedBy: groupOrder)
                    == ServerList(found, names: store.names).groups(
                        filteredBy: query.open, groupedBy: grouping, orderedBy: groupOrder),
                comment)
        }
    }

    /// What the filters that a query does not know leave of servers, in their order.
    private static func passing(
        _ found: [VPNServer], _ open: [VPNServerFilter], _ names: CountryNames
    ) -> [ServerInfo] {
        found.flatMap { ServerList([$0], names: names).servers(filteredBy: open) }
    }

    private func compareServers(
        _ one: [ServerInfo], _ other: [ServerInfo], _ order: VPNServerOrder, _ comment: Comment
    ) {
        guard order == .random else {
            #expect(one == other, comment)
            return
        }
        #expect(Set(one) == Set(other), comment)
        let states = one.map { $0.logical.status != 0 }
        #expect(states == states.sorted { $0 && !$1 }, comment)
    }

    private func filter(_ generator: inout SeededGenerator) -> VPNServerFilter {
        let codes = ["CH", "US", "UK", "DE", "JP", "SE", "IS", "XX", ""]
        let ids = ["s1", "s2", "s3", "s59", "none", ""]
        let cities = ["Zürich", "New York City", "Łódź", "tokyo", "Tokyo"]
        func some<T>(_ values: [T]) -> [T] {
            (0..<generator.below(4)).map { _ in generator.pick(values) }
        }
        switch generator.below(20) {
        case 0: return .logicalID(generator.pick(ids))
        case 1: return .logicalIDs(some(ids))
        case 2: return .endpointID(generator.pick(["shared", "shared1", "s1-0"]))
        case 3: return .endpointIDs(some(["shared", "shared1", "s1-0"]))
        case 4: return .entryCountryCode(generator.pick(codes))
        case 5: return .entryCountryCodes(some(codes))
        case 6: return .exitCountryCode(generator.pick(codes))
        case 7: return .exitCountryCodes(some(codes))
        case 8: return .tier(.exact(tier: generator.below(5)))
        case 9: return .maxTier(generator.below(5) - 1)
        case 10, 11:
            let required = ServerFeature(rawValue: 1 << generator.below(7))
            let excluded = ServerFeature(rawValue: 1 << generator.below(7))
            return .features(
                generator.pick([
                    .standard, .secureCore, .p2p, .standard(with: required),
                    .init(required: required, excluded: excluded),
                ]))
        case 12: return .isNotUnderMaintenance
        case 13: return .supports(ProtocolSupport(rawValue: generator.below(16)))
        case 14: return .supportsAll(protocols: ProtocolSupport(rawValue: generator.below(16)))
        case 15, 16:
            let code = generator.pick(codes)
            return .kind(
                generator.pick([
                    .country(), .country(code), .gateway(), .gateway("Mega"), .gateway("Ünï"),
                    .city(name: generator.pick(cities), code: code), .state(name: "CA", code: code),
                ]))
        case 17: return generator.pick([.city(generator.pick(cities)), .state("NY")])
        case 18:
            return generator.pick([
                .name("CH#1"), .names(["CH#1", "US#2-TOR", "DE#11"]), .names([]),
            ])
        default:
            let texts = [
                "", " ", "ch", "us#1", "zur", "york new", "lodz", "%", "_", "'", "germ", "mega",
            ]
            return .matches(generator.pick(texts))
        }
    }
}
