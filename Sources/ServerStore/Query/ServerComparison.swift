internal import DocumentStore

/// Compares two servers. The ID decides between servers that are equal in the order.
struct ServerComparison {
    private let order: VPNServerOrder

    init(_ order: VPNServerOrder) {
        self.order = order
    }

    func isLess(_ one: ServerRow, _ other: ServerRow) -> Bool {
        switch order {
        case .none, .random: break
        case .fastest, .loadAscending:
            let (first, second) = (number(of: one), number(of: other))
            if first != second { return first < second }
        case .fastestGatewaysLast:
            if let isLess = isGatewayLess(one, other) { return isLess }
            let (first, second) = (number(of: one), number(of: other))
            if first != second { return first < second }
        case .nameAscending:
            let (first, second) = (one.server.logical.serverName, other.server.logical.serverName)
            if first != second { return first < second }
        }
        return ServerOrdering.isLess(one.id, other.id)
    }

    /// Sorts elements, each of which represents a row.
    ///
    /// - Parameter index: returns the index of an element's row; rows are sorted by ID.
    func sorted<Element>(
        _ elements: [Element], of rows: [ServerRow], index: (Element) -> Int
    ) -> [Element] {
        switch order {
        case .none, .random: elements
        case .fastest, .loadAscending:
            Self.sorted(elements, index) { number(of: rows[$0]) }
        case .fastestGatewaysLast:
            elements.sorted { isLess(rows[index($0)], rows[index($1)]) }
        case .nameAscending:
            Self.sorted(elements, index) { rows[$0].server.logical.serverName }
        }
    }

    /// Each sort key is computed once. Indices are in the order of IDs, which break ties.
    private static func sorted<Element>(
        _ elements: [Element], _ index: (Element) -> Int, _ key: (Int) -> some Comparable
    ) -> [Element] {
        elements.map { (key: key(index($0)), index: index($0), element: $0) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
            .map(\.element)
    }

    private func number(of row: ServerRow) -> Double {
        order == .loadAscending ? Double(row.status.load) : row.status.score
    }

    /// Nil for servers of the same gateway, and for two servers without a gateway.
    private func isGatewayLess(_ one: ServerRow, _ other: ServerRow) -> Bool? {
        switch (one.server.logical.gatewayName, other.server.logical.gatewayName) {
        case (nil, .some): true
        case (.some, nil): false
        case (let first?, let second?) where !first.isExactly(second):
            ServerOrdering.isLess(second, first)
        default: nil
        }
    }
}

extension Array {
    /// Shuffles the servers found; those under maintenance come last.
    mutating func shuffle(_ row: (Element) -> ServerRow) {
        shuffle()
        self = filter { !row($0).isUnderMaintenance } + filter { row($0).isUnderMaintenance }
    }
}
