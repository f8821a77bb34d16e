internal import DataFileCore

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
        for condition in conditions where !Self.fulfils(row, condition) { return nil }
        guard isFound(row) else { return nil }
        return passingEndpoints(of: row)
    }

    /// What the conditions on endpoints, and searches, leave of a server that a query has found.
    mutating func passingRest(_ row: ServerRow) -> PassingServer? {
        isFound(row) ? passingEndpoints(of: row) : nil
    }

    /// Whether the conditions on endpoints leave one of a server's endpoints.
    func passes(_ row: ServerRow, endpoint index: Int) -> Bool {
        endpointConditions.allSatisfy { Self.fulfils(row, index, $0) }
    }

    private mutating func isFound(_ row: ServerRow) -> Bool {
        for index in searches.indices where !searches[index].matches(row.server.logical) {
            return false
        }
        return true
    }

    private func passingEndpoints(of row: ServerRow) -> PassingServer? {
        var passing = PassingServer()
        for index in row.masks.indices where passes(row, endpoint: index) {
            passing.count += 1
            passing.protocolSupport.formUnion(row.masks[index])
            if row.server.endpoints[index].status != 0 { passing.hasEndpointUp = true }
        }
        return passing.count > 0 ? passing : nil
    }

    private static func fulfils(
        _ row: ServerRow, _ index: Int, _ condition: VPNServerFilter
    ) -> Bool {
        switch condition {
        case .endpointID(let id): row.server.endpoints[index].id.hasSameBytes(as: id)
        case .endpointIDs(let ids):
            ids.contains { row.server.endpoints[index].id.hasSameBytes(as: $0) }
        case .supports(let protocols):
            !row.masks[index].isDisjoint(with: protocols)
                || row.server.endpoints[index].protocolEntries == nil
        case .supportsAll(let protocols): row.masks[index].isSuperset(of: protocols)
        default: true
        }
    }

    private static func fulfils(
        _ row: ServerRow, _ condition: VPNServerFilter
    ) -> Bool {
        switch condition {
        case .logicalID(let id): row.server.logical.id.hasSameBytes(as: id)
        case .logicalIDs(let ids): ids.contains { row.server.logical.id.hasSameBytes(as: $0) }
        case .entryCountryCode(let code): row.server.logical.entryCountryCode.hasSameBytes(as: code)
        case .entryCountryCodes(let codes):
            codes.contains { row.server.logical.entryCountryCode.hasSameBytes(as: $0) }
        case .exitCountryCode(let code): row.server.logical.exitCountryCode.hasSameBytes(as: code)
        case .exitCountryCodes(let codes):
            codes.contains { row.server.logical.exitCountryCode.hasSameBytes(as: $0) }
        case .tier(.exact(let tier)): row.server.logical.tier == tier
        case .tier(.max(let tier)): row.server.logical.tier <= tier
        case .features(let features): features.includes(row.server.logical.feature)
        case .isNotUnderMaintenance: !row.isUnderMaintenance
        case .kind(let kind): kind.includes(row.server.logical)
        case .city(let name): row.server.logical.city?.hasSameBytes(as: name) ?? false
        case .state(let name): row.server.logical.state?.hasSameBytes(as: name) ?? false
        case .name(let name): row.server.logical.name.hasSameBytes(as: name)
        case .names(let names): names.contains { row.server.logical.name.hasSameBytes(as: $0) }
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
            logical.gatewayName == nil && logical.exitCountryCode.hasSameBytes(as: code)
        case .gateway(nil): logical.gatewayName != nil
        case .gateway(let name?): logical.gatewayName?.hasSameBytes(as: name) ?? false
        case .city(let name, let code):
            logical.city?.hasSameBytes(as: name) ?? false
                && logical.exitCountryCode.hasSameBytes(as: code)
        case .state(let name, let code):
            logical.state?.hasSameBytes(as: name) ?? false
                && logical.exitCountryCode.hasSameBytes(as: code)
        }
    }
}
