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
        case .fastest:
            if one.status.score != other.status.score {
                return one.status.score < other.status.score
            }
        case .loadAscending:
            if one.status.load != other.status.load {
                return one.status.load < other.status.load
            }
        case .fastestGatewaysLast:
            switch (one.server.logical.gatewayName, other.server.logical.gatewayName) {
            case (nil, .some): return true
            case (.some, nil): return false
            case (let first?, let second?) where !first.hasSameBytes(as: second):
                return ServerOrdering.isLess(second, first)
            default: break
            }
            if one.status.score != other.status.score {
                return one.status.score < other.status.score
            }
        case .nameAscending:
            let (first, second) = (one.server.logical.serverName, other.server.logical.serverName)
            if first != second { return first < second }
        }
        return ServerOrdering.isLess(one.id, other.id)
    }
}

extension Array {
    /// Puts what was found in an order by chance, servers that nobody can connect to last.
    mutating func shuffle(_ row: (Element) -> ServerRow) {
        shuffle()
        self = filter { !row($0).isUnderMaintenance } + filter { row($0).isUnderMaintenance }
    }
}
