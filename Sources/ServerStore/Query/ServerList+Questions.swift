internal import DocumentStore

extension ServerList {
    /// The servers that filters find, as lists show them.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        found(filters, order).map { place, passing in
            ServerInfo(
                logical: rows[place].server.logical, protocolSupport: passing.protocolSupport)
        }
    }

    /// The first server that filters find, with all its endpoints; nil if they find none.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> VPNServer? {
        var evaluator = FilterEvaluator(filters, names: names)
        let passing = candidates(filters, order).lazy
            .filter { evaluator.passing(rows[$0]) != nil }
        let place: Int? =
            switch order {
            case .none, .nameAscending: passing.first { _ in true }
            case .random: random(passing)
            case .fastest, .loadAscending, .fastestGatewaysLast: least(passing, order)
            }
        return place.map { rows[$0].server }
    }

    private func least(_ places: some Sequence<Int>, _ order: VPNServerOrder) -> Int? {
        let comparison = ServerComparison(order)
        return places.min { comparison.isLess(rows[$0], rows[$1]) }
    }

    /// One of those that are up, or of all if none is. The newest of n is taken with a chance of 1
    /// in n.
    private func random(_ places: some Sequence<Int>) -> Int? {
        var chosen: Int?
        var (count, hasUp) = (0, false)
        for place in places {
            let isUp = !rows[place].isUnderMaintenance
            if isUp && !hasUp { (count, hasUp) = (0, true) }
            guard isUp == hasUp else { continue }
            count += 1
            if Int.random(in: 0..<count) == 0 { chosen = place }
        }
        return chosen
    }

    /// The servers that a text finds, the best first: by the code of their country, their name,
    /// their place, the name of their country; see `ServerSearch`.
    public func search(_ text: String, limit: Int = .max) -> [VPNServer] {
        let found = storage.search.find(text).lazy.map { rows[$0.place].server }
            .filter { !$0.endpoints.isEmpty }
        return Array(found.prefix(max(limit, 0)))
    }

    /// The groups of the servers that filters find.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        var evaluator = FilterEvaluator(filters, names: names)
        var groups = GroupFold(storage.groups(grouping))
        for place in candidates(filters, .none) {
            guard let passing = evaluator.passing(rows[place]) else { continue }
            groups.add(rows[place], at: place, passing)
        }
        return groups.sorted(order, names)
    }

    /// The places of the servers that filters find, in an order.
    private func found(
        _ filters: [VPNServerFilter], _ order: VPNServerOrder
    ) -> [(place: Int, passing: PassingServer)] {
        var evaluator = FilterEvaluator(filters, names: names)
        var found: [(place: Int, passing: PassingServer)] = []
        for place in candidates(filters, order) {
            if let passing = evaluator.passing(rows[place]) { found.append((place, passing)) }
        }
        switch order {
        case .none, .nameAscending: return found
        case .random:
            found.shuffle { rows[$0.place] }
            return found
        case .fastest, .loadAscending, .fastestGatewaysLast:
            return ServerComparison(order).sorted(found, of: rows) { $0.place }
        }
    }

    /// Where servers can stand that filters find, in the order of names if that is asked for, else
    /// of ids.
    func candidates(
        _ filters: [VPNServerFilter], _ order: VPNServerOrder
    ) -> some Sequence<Int> {
        var few: [Int]?
        func take(_ places: [Int]) { if places.count < few?.count ?? .max { few = places } }
        for filter in filters {
            switch filter {
            case .logicalID(let id): take(storage.places[ExactString(id)].map { [$0] } ?? [])
            case .logicalIDs(let ids):
                take(Set(ids.compactMap { storage.places[ExactString($0)] }).sorted())
            case .exitCountryCode(let code), .kind(.country(let code?)),
                .kind(.city(_, let code)), .kind(.state(_, let code)):
                take(storage.byExit[ExactString(code)] ?? [])
            case .matches(let text): take(Array(storage.search.places(matching: text)))
            default: break
            }
        }
        guard order == .nameAscending else { return few ?? Array(rows.indices) }
        guard let few else { return storage.byName }
        return ServerComparison(order).sorted(few, of: rows) { $0 }
    }
}
