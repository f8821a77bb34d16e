/// The order of servers. The ID decides, byte by byte, between servers that are equal.
///
/// So each order except ``random`` is total, and two queries of one list give the same order.
/// Maintenance does not count in the others: add ``VPNServerFilter/isNotUnderMaintenance`` to leave
/// out servers that cannot be used.
/// ```swift
/// let idle = try repository.servers(
///     filteredBy: [.exitCountryCode("NL"), .isNotUnderMaintenance], orderedBy: .loadAscending)
/// ```
public enum VPNServerOrder: Hashable, Sendable, CaseIterable {
    /// By ID.
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

/// How servers are grouped; a server is in exactly one group of each grouping.
///
/// ```swift
/// let grouping: VPNServerGrouping = .cityName
/// let cities = try repository.groups(
///     filteredBy: [.kind(.country("DE"))], groupedBy: grouping)
/// ```
public enum VPNServerGrouping: Hashable, Sendable, CaseIterable {
    /// By gateway; all other servers by country.
    case serverType
    /// By city; servers without a city are grouped by their type.
    case cityName
    /// By state; servers without a state are grouped by their type.
    case stateName
}

/// The order of groups: gateways by name, then countries, and within a country first the country,
/// then its states, then its cities by name.
///
/// Names of gateways, states and cities are compared byte by byte; only names of countries are
/// compared in a language's collation, that of the list's ``CountryNames``.
public enum VPNServerGroupOrder: Hashable, Sendable, CaseIterable {
    /// Countries by code.
    case exitCountryCodeAscending
    /// Countries by name in the user's language.
    case localizedCountryNameAscending
}
