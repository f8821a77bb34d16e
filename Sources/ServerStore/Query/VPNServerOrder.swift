/// The order of servers. The id decides, byte by byte, between servers that are equal.
public enum VPNServerOrder: Hashable, Sendable, CaseIterable {
    /// By id.
    case none
    /// In random order, different each time; servers under maintenance last.
    case random
    /// By score, best first.
    case fastest
    /// By load, lowest first.
    case loadAscending
    /// Servers without a gateway first, by score; then gateways by name in descending order, by
    /// score.
    case fastestGatewaysLast
    /// By the parts of the name: `DE#9` precedes `DE#10`.
    case nameAscending
}

/// How servers are grouped.
public enum VPNServerGrouping: Hashable, Sendable, CaseIterable {
    /// By gateway; all other servers by country.
    case serverType
    /// By city; servers without a city are grouped by their type.
    case cityName
    /// By state; servers without a state are grouped by their type.
    case stateName
}

/// The order of groups: gateways by name, then countries, and cities of a country by name.
public enum VPNServerGroupOrder: Hashable, Sendable, CaseIterable {
    /// Countries by code.
    case exitCountryCodeAscending
    /// Countries by name in the user's language.
    case localizedCountryNameAscending
}
