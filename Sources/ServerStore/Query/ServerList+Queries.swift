internal import DocumentStore

extension ServerList {
    /// The servers that match all filters, as shown in lists.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        found(filters, order).map { index, passing in
            ServerInfo(
                logical: rows[index].server.logical, protocolSupport: passing.protocolSupport)
        }
    }

    /// The first server that matches all filters, with all its endpoints; nil if there is none.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> VPNServer? {
        var evaluator = FilterEvaluator(filters, names: names)
        let passing = candidates(filters, order).lazy
            .filter { evaluator.passing(rows[$0]) != nil }
        let index: Int? =
            switch order {
            case .none, .nameAscending: passing.first { _ in true }
            case .random: random(passing)
            case .fastest, .loadAscending, .fastestGatewaysLast: least(passing, order)
            }
        return index.map { rows[$0].server }
    }

    private func least(_ indices: some Sequence<Int>, _ order: VPNServerOrder) -> Int? {
        let comparison = ServerComparison(order)
        return indices.min { comparison.isLess(rows[$0], rows[$1]) }
    }

    /// A random server of those that are up, or of all if none is. The n-th one replaces the
    /// previous choice with a probability of 1/n.
    private func random(_ indices: some Sequence<Int>) -> Int? {
        var chosen: Int?
        var (count, hasUp) = (0, false)
        for index in indices {
            let isUp = !rows[index].isUnderMaintenance
            if isUp && !hasUp { (count, hasUp) = (0, true) }
            guard isUp == hasUp else { continue }
            count += 1
            if Int.random(in: 0..<count) == 0 { chosen = index }
        }
        return chosen
    }

    /// The servers that match a search text, best match first: by the code of their country, their
    /// name, their location, the name of their country; see `ServerSearch`.
    public func search(_ text: String, limit: Int = .max) -> [VPNServer] {
        let found = storage.search.find(text).lazy.map { rows[$0.index].server }
            .filter { !$0.endpoints.isEmpty }
        return Array(found.prefix(max(limit, 0)))
    }

    /// The groups of the servers that match all filters.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        var evaluator = FilterEvaluator(filters, names: names)
        var groups = GroupFold(storage.groups(grouping))
        for index in candidates(filters, .none) {
            guard let passing = evaluator.passing(rows[index]) else { continue }
            groups.add(rows[index], at: index, passing)
        }
        return groups.sorted(order, names)
    }

    /// The indices of the servers that match all filters, in an order.
    private func found(
        _ filters: [VPNServerFilter], _ order: VPNServerOrder
    ) -> [(index: Int, passing: PassingServer)] {
        var evaluator = FilterEvaluator(filters, names: names)
        var found: [(index: Int, passing: PassingServer)] = []
        for index in candidates(filters, order) {
            if let passing = evaluator.passing(rows[index]) { found.append((index, passing)) }
        }
        switch order {
        case .none, .nameAscending: return found
        case .random:
            found.shuffle { rows[$0.index] }
            return found
        case .fastest, .loadAscending, .fastestGatewaysLast:
            return ServerComparison(order).sorted(found, of: rows) { $0.index }
        }
    }

    /// The indices of servers that can match the filters, in the order of names if requested,
    /// otherwise of ids.
    func candidates(
        _ filters: [VPNServerFilter], _ order: VPNServerOrder
    ) -> some Sequence<Int> {
        var few: [Int]?
        func take(_ indices: [Int]) { if indices.count < few?.count ?? .max { few = indices } }
        for filter in filters {
            switch filter {
            case .logicalID(let id): take(storage.indices[ExactString(id)].map { [$0] } ?? [])
            case .logicalIDs(let ids):
                take(Set(ids.compactMap { storage.indices[ExactString($0)] }).sorted())
            case .exitCountryCode(let code), .kind(.country(let code?)),
                .kind(.city(_, let code)), .kind(.state(_, let code)):
                take(storage.byExit[ExactString(code)] ?? [])
            case .matches(let text): take(Array(storage.search.indices(matching: text)))
            default: break
            }
        }
        guard order == .nameAscending else { return few ?? Array(rows.indices) }
        guard let few else { return storage.byName }
        return ServerComparison(order).sorted(few, of: rows) { $0 }
    }
}
