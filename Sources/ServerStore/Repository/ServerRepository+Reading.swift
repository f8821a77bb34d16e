extension ServerRepository {
    /// Servers that meet all filters, in an order. Filters that are about endpoints leave out
    /// endpoints; a server of which none is left is not found.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// The same as `servers(filteredBy:orderedBy:)`.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// The first of the servers that meet all filters, with all its endpoints; nil if there is
    /// none.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> VPNServer? {
        try getFirstServer(filters, order)
    }

    /// What groups of the servers that meet all filters have in common.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// The same as `groups(filteredBy:groupedBy:orderedBy:)`.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// Servers that a text finds, the best first; see `ServerList.search(_:limit:)`.
    public func search(_ text: String, limit: Int = .max) throws -> [VPNServer] {
        try searchServers(text, limit)
    }

    /// The server for a request, and one of its endpoints.
    ///
    /// Throws `ServerSelectionFailure`, which says after which step none was left.
    public func select(_ request: ServerRequest) throws -> Server { try selectServer(request) }

    /// Whether there are no servers.
    public var isEmpty: Bool {
        get throws { try serverCount() == 0 }
    }

    /// How many servers there are, as it is said to people: "more than 4100".
    public var roundedServerCount: Int {
        get throws { try Self.rounded(serverCount: serverCount()) }
    }

    /// A number up to 100 as it is, a higher one down to hundreds and strictly below it.
    public static func rounded(serverCount: Int) -> Int {
        serverCount <= 100 ? serverCount : (serverCount - 1) / 100 * 100
    }
}
