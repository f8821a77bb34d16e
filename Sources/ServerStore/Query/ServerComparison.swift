/// Which of two servers comes first. What an order leaves open, the id decides.
struct ServerComparison {
    private let order: VPNServerOrder

    init(_ order: VPNServerOrder) {
        self.order = order
    }

    func isLess(_ one: ServerRow, _ other: ServerRow) -> Bool {
        let (one, other) = (one.server.logical, other.server.logical)
        switch order {
        case .none, .random: break
        case .fastest:
            if one.score != other.score { return one.score < other.score }
        case .loadAscending:
            if one.load != other.load { return one.load < other.load }
        case .fastestGatewaysLast:
            switch (one.gatewayName, other.gatewayName) {
            case (nil, .some): return true
            case (.some, nil): return false
            case (let first?, let second?) where !first.isExactly(second):
                return ServerOrdering.isLess(second, first)
            default: break
            }
            if one.score != other.score { return one.score < other.score }
        case .nameAscending:
            let (first, second) = (one.serverName, other.serverName)
            if first != second { return first < second }
        }
        return ServerOrdering.isLess(one.id, other.id)
    }
}
