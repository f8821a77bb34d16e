/// Makes groups of servers, one server after the other.
struct GroupFold {
    private let grouping: VPNServerGrouping
    private var groups: [ServerGroupInfo.Kind: Group] = [:]

    fileprivate struct Group {
        var info: ServerGroupInfo
        var cities: Set<String> = []
    }

    init(_ grouping: VPNServerGrouping) {
        self.grouping = grouping
    }

    mutating func add(_ row: ServerRow, _ passing: PassingServer) {
        let logical = row.server.logical
        let isUp = !row.isUnderMaintenance && passing.hasEndpointUp
        groups[grouping.kind(of: logical), default: Self.empty(grouping.kind(of: logical))]
            .add(logical, isUp, passing.protocolSupport)
    }

    private static func empty(_ kind: ServerGroupInfo.Kind) -> Group {
        Group(
            info: ServerGroupInfo(
                kind: kind, featureIntersection: ServerFeature(rawValue: -1), featureUnion: .zero,
                minTier: .max, maxTier: .min, serverCount: 0, cityCount: 0, latitude: 0,
                longitude: 0, supportsSmartRouting: true, hasSmartRouting: false,
                isUnderMaintenance: true, protocolSupport: .zero))
    }

    /// The groups in an order.
    func sorted(_ order: VPNServerGroupOrder, _ names: CountryNames) -> [ServerGroupInfo] {
        let comparison = GroupComparison(order: order, names: names)
        return groups.values.map { group in
            var info = group.info
            info.cityCount = group.cities.count
            info.latitude /= Double(info.serverCount)
            info.longitude /= Double(info.serverCount)
            return info
        }
        .sorted { comparison.isLess($0.kind, $1.kind) }
    }
}

extension GroupFold.Group {
    fileprivate mutating func add(_ logical: Logical, _ isUp: Bool, _ protocols: ProtocolSupport) {
        info.featureIntersection.formIntersection(logical.feature)
        info.featureUnion.formUnion(logical.feature)
        info.minTier = min(info.minTier, logical.tier)
        info.maxTier = max(info.maxTier, logical.tier)
        info.serverCount += 1
        if let city = logical.city { cities.insert(city) }
        // The sums, until the count is known.
        info.latitude += logical.latitude
        info.longitude += logical.longitude
        if logical.isVirtual {
            info.hasSmartRouting = true
        } else {
            info.supportsSmartRouting = false
        }
        if isUp { info.isUnderMaintenance = false }
        info.protocolSupport.formUnion(protocols)
    }
}

extension VPNServerGrouping {
    /// The group that a server belongs to.
    func kind(of logical: Logical) -> ServerGroupInfo.Kind {
        switch self {
        case .cityName:
            if let city = logical.city { return .city(name: city, code: logical.exitCountryCode) }
        case .stateName:
            if let state = logical.state {
                return .state(name: state, code: logical.exitCountryCode)
            }
        case .serverType: break
        }
        if let gateway = logical.gatewayName { return .gateway(name: gateway) }
        return .country(code: logical.exitCountryCode)
    }
}

/// Which of two groups comes first.
struct GroupComparison {
    let order: VPNServerGroupOrder
    let names: CountryNames

    func isLess(_ one: ServerGroupInfo.Kind, _ other: ServerGroupInfo.Kind) -> Bool {
        switch (one.countryCode, other.countryCode) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (let first?, let second?) where !first.isExactly(second):
            return order == .localizedCountryNameAscending
                ? names.isLess(first, second) : ServerOrdering.isLess(first, second)
        default: break
        }
        return ServerOrdering.isLess(one.orderedName, other.orderedName)
    }
}

extension ServerGroupInfo.Kind {
    /// What groups of one country, and gateways, are put in order by; the country itself is first,
    /// then its states, then its cities.
    fileprivate var orderedName: String {
        switch self {
        case .country: ""
        case .gateway(let name): name
        case .state(let name, _): "0" + name
        case .city(let name, _): "1" + name
        }
    }
}
