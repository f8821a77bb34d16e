internal import DocumentStore

/// Which of two servers comes first. What an order leaves open, the id decides.
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

    /// Elements, each of which stands for a row, in this order.
    ///
    /// - Parameter place: where an element's row stands among the rows, which are by id.
    func sorted<Element>(
        _ elements: [Element], of rows: [ServerRow], place: (Element) -> Int
    ) -> [Element] {
        switch order {
        case .none, .random: elements
        case .fastest, .loadAscending:
            Self.sorted(elements, place) { number(of: rows[$0]) }
        case .fastestGatewaysLast:
            elements.sorted { isLess(rows[place($0)], rows[place($1)]) }
        case .nameAscending:
            Self.sorted(elements, place) { rows[$0].server.logical.serverName }
        }
    }

    /// Each key is made once. Places are in the order of ids, which decide at last.
    private static func sorted<Element>(
        _ elements: [Element], _ place: (Element) -> Int, _ key: (Int) -> some Comparable
    ) -> [Element] {
        elements.map { (key: key(place($0)), place: place($0), element: $0) }
            .sorted { ($0.key, $0.place) < ($1.key, $1.place) }
            .map(\.element)
    }

    private func number(of row: ServerRow) -> Double {
        order == .loadAscending ? Double(row.status.load) : row.status.score
    }

    /// Nil for servers of one gateway, and for two of none.
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
    /// Puts what was found in an order at random, servers that nobody can connect to last.
    mutating func shuffle(_ row: (Element) -> ServerRow) {
        shuffle()
        self = filter { !row($0).isUnderMaintenance } + filter { row($0).isUnderMaintenance }
    }
}
