internal import DocumentStore

/// Decides which servers match filters, and with which endpoints.
struct FilterEvaluator {
    /// A filter, with a set of its strings if it has several.
    private struct Condition {
        let filter: VPNServerFilter
        let strings: Set<ExactString>

        init(_ filter: VPNServerFilter) {
            self.filter = filter
            strings = Set(filter.strings.map { ExactString($0) })
        }
    }

    private let conditions: [Condition]
    private let endpointConditions: [Condition]
    private var searches: [SearchMatcher]

    init(_ filters: [VPNServerFilter], names: CountryNames) {
        conditions = filters.filter { !$0.isOfEndpoints && $0.searchText == nil }
            .map { Condition($0) }
        endpointConditions = filters.filter(\.isOfEndpoints).map { Condition($0) }
        searches = filters.compactMap { filter in
            filter.searchText.map { SearchMatcher(SearchQuery($0), names) }
        }
    }

    /// Evaluates the filters on a server; nil if it does not match.
    mutating func passing(_ row: ServerRow) -> PassingServer? {
        for condition in conditions where !Self.fulfils(row, condition) { return nil }
        guard isFound(row) else { return nil }
        return passingEndpoints(of: row)
    }

    /// Whether an endpoint of a server meets the conditions on endpoints.
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
        _ row: ServerRow, _ index: Int, _ condition: Condition
    ) -> Bool {
        switch condition.filter {
        case .endpointID(let id): row.server.endpoints[index].id.isExactly(id)
        case .endpointIDs: condition.strings.contains(ExactString(row.server.endpoints[index].id))
        case .supports(let protocols):
            !row.masks[index].isDisjoint(with: protocols)
                || row.server.endpoints[index].protocolEntries == nil
        case .supportsAll(let protocols): row.masks[index].isSuperset(of: protocols)
        default: true
        }
    }

    private static func fulfils(
        _ row: ServerRow, _ condition: Condition
    ) -> Bool {
        let logical = row.server.logical
        return switch condition.filter {
        case .logicalID(let id): logical.id.isExactly(id)
        case .logicalIDs: condition.strings.contains(ExactString(logical.id))
        case .entryCountryCode(let code): logical.entryCountryCode.isExactly(code)
        case .entryCountryCodes: condition.strings.contains(ExactString(logical.entryCountryCode))
        case .exitCountryCode(let code): logical.exitCountryCode.isExactly(code)
        case .exitCountryCodes: condition.strings.contains(ExactString(logical.exitCountryCode))
        case .tier(.exact(let tier)): logical.tier == tier
        case .tier(.max(let tier)): logical.tier <= tier
        case .features(let features): features.includes(logical.feature)
        case .isNotUnderMaintenance: !row.isUnderMaintenance
        case .kind(let kind): kind.includes(logical)
        case .city(let name): logical.city?.isExactly(name) ?? false
        case .state(let name): logical.state?.isExactly(name) ?? false
        case .name(let name): logical.name.isExactly(name)
        case .names: condition.strings.contains(ExactString(logical.name))
        case .endpointID, .endpointIDs, .supports, .supportsAll, .matches: true
        }
    }
}

/// The matching endpoints of a server, summarized.
struct PassingServer {
    /// The number of endpoints.
    var count = 0
    /// The protocols that those endpoints support.
    var protocolSupport: ProtocolSupport = .zero
    /// Whether at least one of them is up.
    var hasEndpointUp = false
}

extension VPNServerFilter {
    /// The strings of which a server must have one; empty for filters with at most one string.
    fileprivate var strings: [String] {
        switch self {
        case .logicalIDs(let strings), .endpointIDs(let strings), .names(let strings),
            .entryCountryCodes(let strings), .exitCountryCodes(let strings):
            strings
        default: []
        }
    }

    /// Whether it excludes endpoints, not only servers.
    var isOfEndpoints: Bool {
        switch self {
        case .endpointID, .endpointIDs, .supports, .supportsAll: true
        default: false
        }
    }

    /// The search text; nil for other filters.
    var searchText: String? {
        if case .matches(let text) = self { text } else { nil }
    }
}

extension VPNServerFilter.KindFilter {
    func includes(_ logical: LogicalServer) -> Bool {
        switch self {
        case .country(nil): logical.gatewayName == nil
        case .country(let code?):
            logical.gatewayName == nil && logical.exitCountryCode.isExactly(code)
        case .gateway(nil): logical.gatewayName != nil
        case .gateway(let name?): logical.gatewayName?.isExactly(name) ?? false
        case .city(let name, let code):
            logical.city?.isExactly(name) ?? false
                && logical.exitCountryCode.isExactly(code)
        case .state(let name, let code):
            logical.state?.isExactly(name) ?? false
                && logical.exitCountryCode.isExactly(code)
        }
    }
}
