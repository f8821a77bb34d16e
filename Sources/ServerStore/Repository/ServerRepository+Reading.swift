extension ServerRepository {
    /// The servers that match all filters, in an order. Filters on endpoints exclude endpoints; a
    /// server without a remaining endpoint does not match.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// Equivalent to `servers(filteredBy:orderedBy:)`.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// The first of the servers that match all filters, with all its endpoints; nil if there is
    /// none.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> VPNServer? {
        try getFirstServer(filters, order)
    }

    /// The groups of the servers that match all filters.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// Equivalent to `groups(filteredBy:groupedBy:orderedBy:)`.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// The servers that match a search text, best match first; see `ServerList.search(_:limit:)`.
    public func search(_ text: String, limit: Int = .max) throws -> [VPNServer] {
        try searchServers(text, limit)
    }

    /// Selects a server for a request, and one of its endpoints.
    ///
    /// Throws `ServerSelectionFailure`, which contains the step after which no server was left.
    public func select(_ request: ServerRequest) throws -> Server { try selectServer(request) }

    /// Whether there are no servers.
    public var isEmpty: Bool {
        get throws { try serverCount() == 0 }
    }

    /// The number of servers, rounded for display: "more than 4100".
    public var roundedServerCount: Int {
        get throws { try Self.rounded(serverCount: serverCount()) }
    }

    /// Numbers up to 100 are unchanged; a higher one is rounded down to a multiple of 100 strictly
    /// below it.
    public static func rounded(serverCount: Int) -> Int {
        serverCount <= 100 ? serverCount : (serverCount - 1) / 100 * 100
    }
}
