import ServerStore
import Testing

/// A store that is asked each question twice, by a statement in a snapshot and in memory. Both
/// answers must be the same.
struct AskedTwice {
    /// Names of countries that are the same on all systems.
    static let names = CountryNames([
        "AE": "United Arab Emirates", "AT": "Austria", "BR": "Brazil", "CA": "Canada",
        "CH": "Switzerland", "CO": "Colombia", "DE": "Germany", "FR": "France",
        "GB": "United Kingdom", "HK": "Hong Kong", "IR": "Iran", "IS": "Iceland", "JP": "Japan",
        "KR": "South Korea", "SE": "Sweden", "US": "United States",
    ])

    let store: ServerStore

    init(_ servers: [VPNServer], names: CountryNames = AskedTwice.names) throws {
        store = try ServerStore.inMemory(names: names)
        try store.replaceList(servers)
    }

    init(_ store: ServerStore) {
        self.store = store
    }

    /// The list in memory.
    var list: ServerList {
        get throws { try store.currentList() }
    }

    func servers(
        _ filters: [VPNServerFilter] = [], by order: VPNServerOrder = .none,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [ServerInfo] {
        let asked = try store.read {
            try store.servers(filteredBy: filters, orderedBy: order, in: $0)
        }
        let known = try list.servers(filteredBy: filters, orderedBy: order)
        if order == .random {
            #expect(Set(known) == Set(asked), sourceLocation: sourceLocation)
            #expect(known.count == asked.count, sourceLocation: sourceLocation)
        } else {
            #expect(known == asked, sourceLocation: sourceLocation)
        }
        return asked
    }

    /// The first server, which must also be the first one of all; not at random.
    func first(
        _ filters: [VPNServerFilter] = [], by order: VPNServerOrder = .none,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> VPNServer? {
        let asked = try store.read {
            try store.firstServer(filteredBy: filters, orderedBy: order, in: $0)
        }
        let known = try list.firstServer(filteredBy: filters, orderedBy: order)
        #expect(known == asked, sourceLocation: sourceLocation)
        let all = try servers(filters, by: order, sourceLocation: sourceLocation)
        #expect(all.first?.id == asked?.id, sourceLocation: sourceLocation)
        return asked
    }

    func groups(
        _ filters: [VPNServerFilter] = [], of grouping: VPNServerGrouping = .serverType,
        by order: VPNServerGroupOrder = .localizedCountryNameAscending,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [ServerGroupInfo] {
        let asked = try store.read {
            try store.groups(filteredBy: filters, groupedBy: grouping, orderedBy: order, in: $0)
        }
        let known = try list.groups(filteredBy: filters, groupedBy: grouping, orderedBy: order)
        #expect(known == asked, sourceLocation: sourceLocation)
        return asked
    }

    /// How many servers there are, found by something or not.
    func serverCount(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        let asked = try store.read { try store.serverCount(in: $0) }
        #expect(try list.serverCount == asked, sourceLocation: sourceLocation)
        return asked
    }

    /// In how many countries their traffic leaves.
    func countryCount(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        let asked = try store.read { try store.countryCount(in: $0) }
        #expect(try list.countryCount == asked, sourceLocation: sourceLocation)
        return asked
    }
}

extension LogicalServer {
    /// What tests call a server: by its id, and by its name where the original's list has an id
    /// of 88 characters.
    var label: String { id.utf8.count > 80 ? name : id }
}

extension [ServerInfo] {
    /// What tests call the servers, in their order.
    var labels: String { map(\.logical.label).joined(separator: " ") }
}
