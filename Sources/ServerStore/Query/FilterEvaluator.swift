/// Decides which servers filters find, and with which endpoints. Lists in memory and what queries
/// have left open go through it.
struct FilterEvaluator {
    private let conditions: [VPNServerFilter]
    private let endpointConditions: [VPNServerFilter]
    private var searches: [SearchMatcher]

    init(_ filters: [VPNServerFilter], names: CountryNames) {
        conditions = filters.filter { !$0.isOfEndpoints && $0.searchText == nil }
        endpointConditions = filters.filter(\.isOfEndpoints)
        searches = filters.compactMap { filter in
            filter.searchText.map { SearchMatcher(SearchQuery($0), names) }
        }
    }

    /// What is left of a server; nil if it is not found.
    mutating func passing(_ row: ServerRow) -> PassingServer? {
        let logical = row.server.logical
        guard conditions.allSatisfy({ Self.fulfils(row, logical, $0) }), isFound(logical) else {
            return nil
        }
        return passingEndpoints(of: row)
    }

    /// What the conditions on endpoints, and searches, leave of a server that a query has found.
    mutating func passingRest(_ row: ServerRow) -> PassingServer? {
        isFound(row.server.logical) ? passingEndpoints(of: row) : nil
    }

    private mutating func isFound(_ logical: Logical) -> Bool {
        for index in searches.indices where !searches[index].matches(logical) { return false }
        return true
    }

    private func passingEndpoints(of row: ServerRow) -> PassingServer? {
        var passing = PassingServer()
        for (endpoint, mask) in zip(row.server.endpoints, row.masks)
        where endpointConditions.allSatisfy({ Self.fulfils(endpoint, mask, $0) }) {
            passing.count += 1
            passing.protocolSupport.formUnion(mask)
            if endpoint.status != 0 { passing.hasEndpointUp = true }
        }
        return passing.count > 0 ? passing : nil
    }

    private static func fulfils(
        _ endpoint: ServerEndpoint, _ mask: ProtocolSupport, _ condition: VPNServerFilter
    ) -> Bool {
        switch condition {
        case .endpointID(let id): endpoint.id.isExactly(id)
        case .endpointIDs(let ids): ids.contains { endpoint.id.isExactly($0) }
        case .supports(let protocols):
            endpoint.protocolEntries == nil || !mask.isDisjoint(with: protocols)
        case .supportsAll(let protocols): mask.isSuperset(of: protocols)
        default: true
        }
    }

    private static func fulfils(
        _ row: ServerRow, _ logical: Logical, _ condition: VPNServerFilter
    ) -> Bool {
        switch condition {
        case .logicalID(let id): logical.id.isExactly(id)
        case .logicalIDs(let ids): ids.contains { logical.id.isExactly($0) }
        case .entryCountryCode(let code): logical.entryCountryCode.isExactly(code)
        case .entryCountryCodes(let codes):
            codes.contains { logical.entryCountryCode.isExactly($0) }
        case .exitCountryCode(let code): logical.exitCountryCode.isExactly(code)
        case .exitCountryCodes(let codes):
            codes.contains { logical.exitCountryCode.isExactly($0) }
        case .tier(.exact(let tier)): logical.tier == tier
        case .tier(.max(let tier)): logical.tier <= tier
        case .features(let features):
            logical.feature.isSuperset(of: features.required)
                && logical.feature.isDisjoint(with: features.excluded)
        case .isNotUnderMaintenance: !row.isUnderMaintenance
        case .kind(let kind): kind.includes(logical)
        case .city(let name): logical.city?.isExactly(name) ?? false
        case .state(let name): logical.state?.isExactly(name) ?? false
        case .name(let name): logical.name.isExactly(name)
        case .names(let names): names.contains { logical.name.isExactly($0) }
        case .endpointID, .endpointIDs, .supports, .supportsAll, .matches: true
        }
    }
}

/// What filters have left of a server.
struct PassingServer {
    /// How many endpoints.
    var count = 0
    /// What those endpoints speak.
    var protocolSupport: ProtocolSupport = .zero
    /// Whether one of them is up.
    var hasEndpointUp = false
}

extension VPNServerFilter {
    /// Whether it leaves out endpoints, not only servers.
    var isOfEndpoints: Bool {
        switch self {
        case .endpointID, .endpointIDs, .supports, .supportsAll: true
        default: false
        }
    }

    /// What is searched for; nil for other filters.
    var searchText: String? {
        if case .matches(let text) = self { text } else { nil }
    }
}

extension VPNServerFilter.KindFilter {
    func includes(_ logical: Logical) -> Bool {
        switch self {
        case .country(nil): logical.gatewayName == nil
        case .country(let code?):
            logical.gatewayName == nil && logical.exitCountryCode.isExactly(code)
        case .gateway(nil): logical.gatewayName != nil
        case .gateway(let name?): logical.gatewayName?.isExactly(name) ?? false
        case .city(let name, let code):
            logical.city?.isExactly(name) ?? false && logical.exitCountryCode.isExactly(code)
        case .state(let name, let code):
            logical.state?.isExactly(name) ?? false && logical.exitCountryCode.isExactly(code)
        }
    }
}

extension String {
    /// Whether two texts have the same bytes; to `==` an `é` of one scalar and one of two are the
    /// same.
    func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && self == other
            && (utf8.allSatisfy { $0 < 0x80 } || utf8.elementsEqual(other.utf8))
    }
}
