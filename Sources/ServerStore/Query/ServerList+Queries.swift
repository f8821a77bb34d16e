internal import DocumentStore

extension ServerList {
    /// Returns the servers that match all filters, as shown in lists.
    ///
    /// ```swift
    /// let streaming = serverList.servers(
    ///     filteredBy: [.features(.streaming), .tier(.max(tier: ServerTier.plus))],
    ///     orderedBy: .loadAscending)
    /// for info in streaming { print(info.logical.name, "\(info.logical.load) %") }
    /// ```
    /// A filter on an ID or on an exit country visits only these servers; other filters visit all.
    /// The first query by name and the first search of a list build a table that later ones use.
    ///
    /// - Parameters:
    ///   - filters: what a server must match; none matches all servers with endpoints.
    ///   - order: the order of the result; by ID by default.
    /// - Returns: the servers, with the protocols of the endpoints that match.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        found(filters, order).map { index, passing in
            ServerInfo(
                logical: rows[index].server.logical, protocolSupport: passing.protocolSupport)
        }
    }

    /// Returns the first server that matches all filters, with all its endpoints.
    ///
    /// It is the first element of ``servers(filteredBy:orderedBy:)``, found without sorting. In
    /// ``VPNServerOrder/random`` order it returns one of the servers that are up with equal
    /// probability; ``select(_:)`` prefers those with a low load.
    /// ```swift
    /// let fastest = serverList.firstServer(
    ///     filteredBy: [.features(.standard), .isNotUnderMaintenance], orderedBy: .fastest)
    /// ```
    ///
    /// - Parameters:
    ///   - filters: what a server must match.
    ///   - order: the order in which the server is the first; by ID by default.
    /// - Returns: the server, also with endpoints that do not match; nil if no server matches.
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

    /// Returns the servers that match a search text, best match first: by the code of their
    /// country, their name, their location, the name of their country.
    ///
    /// Each word of the text must be a prefix of a word of the server; ``ServerSearch`` describes
    /// the details. The first search builds the index.
    /// ```swift
    /// let names = serverList.search("new york", limit: 10).map(\.logical.name)
    /// ```
    /// To combine a search with filters use ``VPNServerFilter/matches(_:)``, which does not rank.
    ///
    /// - Parameters:
    ///   - text: the search text; a blank one finds all servers.
    ///   - limit: the maximum number of servers; 0 or less finds none.
    /// - Returns: the servers that have endpoints.
    public func search(_ text: String, limit: Int = .max) -> [VPNServer] {
        let found = storage.search.find(text).lazy.map { rows[$0.index].server }
            .filter { !$0.endpoints.isEmpty }
        return Array(found.prefix(max(limit, 0)))
    }

    /// Returns the groups of the servers that match all filters.
    ///
    /// ```swift
    /// let states = serverList.groups(
    ///     filteredBy: [.exitCountryCode("US")], groupedBy: .stateName)
    /// for group in states { print(group.kind, group.serverCount) }
    /// ```
    /// It visits the servers once. Which group a server belongs to is computed by the first query
    /// of each grouping.
    ///
    /// - Parameters:
    ///   - filters: what a server must match to count in a group.
    ///   - grouping: what a group consists of; by default gateways and countries.
    ///   - order: the order of the groups; by default countries are sorted by name.
    /// - Returns: the groups that have at least one server.
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
    /// otherwise of IDs.
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
