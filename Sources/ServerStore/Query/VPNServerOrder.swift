/// In which order servers come. What an order leaves open, the id decides, byte by byte.
public enum VPNServerOrder: Hashable, Sendable, CaseIterable {
    /// By id.
    case none
    /// At random, another one each time; servers under maintenance last.
    case random
    /// By score, the best first.
    case fastest
    /// By load, the least first.
    case loadAscending
    /// Servers of no gateway first, by score; then gateways by name, the last one first, by score.
    case fastestGatewaysLast
    /// By the parts of the name: `DE#9` before `DE#10`.
    case nameAscending
}

/// What groups are made of.
public enum VPNServerGrouping: Hashable, Sendable, CaseIterable {
    /// Gateways, and countries of all other servers.
    case serverType
    /// Cities; servers without one are grouped by their type.
    case cityName
    /// States; servers without one are grouped by their type.
    case stateName
}

/// In which order groups come: gateways by name, then countries, cities of a country by name.
public enum VPNServerGroupOrder: Hashable, Sendable, CaseIterable {
    /// Countries by code.
    case exitCountryCodeAscending
    /// Countries by their names in the user's language.
    case localizedCountryNameAscending
}
