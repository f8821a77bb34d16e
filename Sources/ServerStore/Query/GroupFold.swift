internal import DocumentStore

/// Builds the groups of a list from its servers, added one by one.
struct GroupFold {
    private let assignments: GroupAssignments
    private var groups: [ServerGroupInfo?]
    private var hasCity: [Bool]

    init(_ assignments: GroupAssignments) {
        self.assignments = assignments
        groups = Array(repeating: nil, count: assignments.kinds.count)
        hasCity = Array(repeating: false, count: assignments.cityCount)
    }

    /// - Parameter index: the index of the server in the list.
    mutating func add(_ row: ServerRow, at index: Int, _ passing: PassingServer) {
        let group = Int(assignments.groups[index])
        if groups[group] == nil { groups[group] = Self.empty(assignments.kinds[group]) }
        let city = Int(assignments.cities[index])
        let isNewCity = city >= 0 && !hasCity[city]
        if isNewCity { hasCity[city] = true }
        groups[group]?.add(row, passing, isNewCity: isNewCity)
    }

    private static func empty(_ kind: ServerGroupInfo.Kind) -> ServerGroupInfo {
        ServerGroupInfo(
            kind: kind, featureIntersection: ServerFeature(rawValue: -1), featureUnion: .zero,
            minTier: .max, maxTier: .min, serverCount: 0, cityCount: 0, latitude: 0,
            longitude: 0, supportsSmartRouting: true, hasSmartRouting: false,
            isUnderMaintenance: true, protocolSupport: .zero)
    }

    /// The groups in a given order.
    func sorted(_ order: VPNServerGroupOrder, _ names: CountryNames) -> [ServerGroupInfo] {
        let comparison = GroupComparison(order: order, names: names)
        return groups.compactMap { group in
            guard var group else { return nil }
            group.latitude /= Double(group.serverCount)
            group.longitude /= Double(group.serverCount)
            if abs(group.longitude) > 180 {
                group.longitude = group.longitude.remainder(dividingBy: 360)
            }
            return group
        }
        .sorted { comparison.isLess($0.kind, $1.kind) }
    }
}

extension ServerGroupInfo {
    /// Adds a server. The location is the sum over the servers until their count is known.
    fileprivate mutating func add(
        _ row: ServerRow, _ passing: PassingServer, isNewCity: Bool
    ) {
        featureIntersection.formIntersection(row.server.logical.feature)
        featureUnion.formUnion(row.server.logical.feature)
        minTier = min(minTier, row.server.logical.tier)
        maxTier = max(maxTier, row.server.logical.tier)
        longitude += longitudeNearby(row.server.logical.longitude)
        serverCount += 1
        if isNewCity { cityCount += 1 }
        latitude += row.server.logical.latitude
        if row.isVirtual { hasSmartRouting = true } else { supportsSmartRouting = false }
        if !row.isUnderMaintenance && passing.hasEndpointUp { isUnderMaintenance = false }
        protocolSupport.formUnion(passing.protocolSupport)
    }

    /// A longitude shifted by full turns so that it is next to the servers so far: the mean of 179°
    /// and -179° is 180°, not 0°.
    private func longitudeNearby(_ other: Double) -> Double {
        guard serverCount > 0 else { return other }
        let mean = longitude / Double(serverCount)
        let difference = other - mean
        guard abs(difference) > 180 else { return other }
        return mean + difference.remainder(dividingBy: 360)
    }
}

extension VPNServerGrouping {
    /// The group that a server belongs to.
    func kind(of logical: LogicalServer) -> ServerGroupInfo.Kind {
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

/// Compares two groups.
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
    /// The sort key of groups of one country, and of gateways; the country itself is first, then
    /// its states, then its cities.
    fileprivate var orderedName: String {
        switch self {
        case .country: ""
        case .gateway(let name): name
        case .state(let name, _): "0" + name
        case .city(let name, _): "1" + name
        }
    }
}
