extension ServerRepository {
    /// Returns the servers that match all filters, in an order.
    ///
    /// Filters on endpoints exclude endpoints; a server without a remaining endpoint does not
    /// match.
    /// ```swift
    /// let names = try repository.servers(
    ///     filteredBy: [.exitCountryCode("SE"), .features(.standard)],
    ///     orderedBy: .nameAscending
    /// ).map(\.logical.name)
    /// ```
    ///
    /// - Parameters:
    ///   - filters: what a server must match; none matches all servers with endpoints.
    ///   - order: the order of the result; by ID by default.
    /// - Returns: the servers, with the protocols of the endpoints that match.
    /// - Throws: errors of ``getServers``: in a live repository a `StoreError`, or
    ///   ``ServerStoreError`` with ``ServerStoreError/Code/closed``.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// Equivalent to ``servers(filteredBy:orderedBy:)``, with the name of an earlier interface.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> [ServerInfo] {
        try getServers(filters, order)
    }

    /// Returns the first of the servers that match all filters, with all its endpoints.
    ///
    /// ```swift
    /// let named = try repository.getFirstServer(filteredBy: [.name("CH#30")])
    /// let fastest = try repository.getFirstServer(
    ///     filteredBy: [.isNotUnderMaintenance], orderedBy: .fastest)
    /// ```
    /// To connect, use ``select(_:)``, which also selects an endpoint.
    ///
    /// - Parameters:
    ///   - filters: what a server must match.
    ///   - order: the order in which the server is the first; by ID by default.
    /// - Returns: the server; nil if none matches.
    /// - Throws: errors of the closure ``getFirstServer``.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) throws -> VPNServer? {
        try getFirstServer(filters, order)
    }

    /// Returns the groups of the servers that match all filters.
    ///
    /// ```swift
    /// let countries = try repository.groups(filteredBy: [.kind(.country())])
    /// let cities = try repository.groups(
    ///     filteredBy: [.kind(.country("CA"))], groupedBy: .cityName)
    /// ```
    ///
    /// - Parameters:
    ///   - filters: what a server must match to count in a group.
    ///   - grouping: what a group consists of; by default gateways and countries.
    ///   - order: the order of the groups; by default countries are sorted by name.
    /// - Returns: the groups that have at least one server.
    /// - Throws: errors of the closure ``getGroups``.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// Equivalent to ``groups(filteredBy:groupedBy:orderedBy:)``, with the name of an earlier
    /// interface.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) throws -> [ServerGroupInfo] {
        try getGroups(filters, grouping, order)
    }

    /// Returns the servers that match a search text, best match first; see
    /// ``ServerList/search(_:limit:)``.
    ///
    /// ```swift
    /// for server in try repository.search("new york", limit: 50) {
    ///     print(server.logical.name, server.logical.translatedCity ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - text: the search text; a blank one finds all servers.
    ///   - limit: the maximum number of servers, without a limit by default.
    /// - Returns: the servers with all their endpoints.
    /// - Throws: errors of the closure ``searchServers``.
    public func search(_ text: String, limit: Int = .max) throws -> [VPNServer] {
        try searchServers(text, limit)
    }

    /// Selects a server for a request, and one of its endpoints; see ``ServerList/select(_:)``.
    ///
    /// ```swift
    /// let request = ServerRequest(location: [.kind(.country("CH"))], protocols: .wireGuardUDP)
    /// let selected = try repository.select(request)
    /// try serverStore.write { transaction in
    ///     try serverStore.noteUse(
    ///         of: selected.logical.id, at: currentMilliseconds, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameter request: the criteria.
    /// - Returns: the server with the endpoint to connect to.
    /// - Throws: ``ServerSelectionFailure``, which contains the step after which no server was
    ///   left; errors of the closure ``selectServer``.
    public func select(_ request: ServerRequest) throws -> Server { try selectServer(request) }

    /// Whether there are no servers, for example before the first refresh.
    ///
    /// - Throws: errors of the closure ``serverCount``.
    public var isEmpty: Bool {
        get throws { try serverCount() == 0 }
    }

    /// The number of servers, rounded for display: "more than 4100". See ``rounded(serverCount:)``.
    public var roundedServerCount: Int {
        get throws { try Self.rounded(serverCount: serverCount()) }
    }

    /// Rounds a number of servers down, so that "more than" it is true.
    ///
    /// Numbers up to 100 are unchanged; a higher one is rounded down to a multiple of 100 strictly
    /// below it.
    /// ```swift
    /// print(ServerRepository.rounded(serverCount: 4200))  // 4100
    /// ```
    public static func rounded(serverCount: Int) -> Int {
        serverCount <= 100 ? serverCount : (serverCount - 1) / 100 * 100
    }
}
