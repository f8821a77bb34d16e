/// The servers that an application knows: what it asks of them, and how it changes them.
///
/// ```swift
/// let free = try repository.servers(
///     filteredBy: [.maxTier(0), .kind(.country("CH"))], orderedBy: .nameAscending)
/// ```
/// It is a value of closures and no protocol, so a test gives it those members only that the code
/// under test uses: the others fail the test. `live(store:)` is over a `ServerStore`,
/// `init(servers:)` over an array. All of it is synchronous; `async` has the same for tasks.
public struct ServerRepository: Sendable {
    /// Servers that meet all filters, in an order.
    public var getServers: GetServers
    /// The first of them, with all its endpoints.
    public var getFirstServer: GetFirstServer
    /// What groups of them have in common; filters come first.
    public var getGroups: GetGroups
    /// Servers that a text finds, the best first.
    public var searchServers: SearchServers
    /// The server for a request, and one of its endpoints.
    public var selectServer: SelectServer
    /// How many servers there are.
    public var serverCount: Count
    /// In how many countries traffic leaves.
    public var countryCount: Count
    /// Stores servers; others stay.
    public var upsertServers: UpsertServers
    /// Stores what changes of servers from minute to minute.
    public var upsertLoads: UpsertLoads
    /// Stores a list, and removes what is not in it, at once.
    public var replaceList: ReplaceList
    /// Removes the servers up to a tier whose ids are not among some.
    public var deleteServers: DeleteServers
    /// What is known of a list besides its servers.
    public var getMetadata: GetMetadata
    /// Stores that; nil removes it.
    public var setMetadata: SetMetadata
    /// Ends the use of the database: what comes after throws.
    public var closeConnection: CloseConnection

    /// A repository of some members. Calling another one fails the test, and throws
    /// `UnimplementedMember`; `TestIssues` says how the test hears of it.
    public init(
        getServers: GetServers? = nil, getFirstServer: GetFirstServer? = nil,
        getGroups: GetGroups? = nil, searchServers: SearchServers? = nil,
        selectServer: SelectServer? = nil, serverCount: Count? = nil, countryCount: Count? = nil,
        upsertServers: UpsertServers? = nil, upsertLoads: UpsertLoads? = nil,
        replaceList: ReplaceList? = nil, deleteServers: DeleteServers? = nil,
        getMetadata: GetMetadata? = nil, setMetadata: SetMetadata? = nil,
        closeConnection: CloseConnection? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        let absent = AbsentMembers(
            of: "ServerRepository",
            madeAt: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        self.getServers = getServers ?? { _, _ in throw absent.called("getServers") }
        self.getFirstServer = getFirstServer ?? { _, _ in throw absent.called("getFirstServer") }
        self.getGroups = getGroups ?? { _, _, _ in throw absent.called("getGroups") }
        self.searchServers = searchServers ?? { _, _ in throw absent.called("searchServers") }
        self.selectServer = selectServer ?? { _ in throw absent.called("selectServer") }
        self.serverCount = serverCount ?? { throw absent.called("serverCount") }
        self.countryCount = countryCount ?? { throw absent.called("countryCount") }
        self.upsertServers = upsertServers ?? { _ in throw absent.called("upsertServers") }
        self.upsertLoads = upsertLoads ?? { _ in throw absent.called("upsertLoads") }
        self.replaceList = replaceList ?? { _, _, _, _ in throw absent.called("replaceList") }
        self.deleteServers = deleteServers ?? { _, _ in throw absent.called("deleteServers") }
        self.getMetadata = getMetadata ?? { _ in throw absent.called("getMetadata") }
        self.setMetadata = setMetadata ?? { _, _ in throw absent.called("setMetadata") }
        self.closeConnection = closeConnection ?? { throw absent.called("closeConnection") }
    }
}

extension ServerRepository {
    /// Filters and an order; the servers that meet all filters.
    public typealias GetServers =
        @Sendable (_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws -> [ServerInfo]
    /// Filters and an order; the first server, nil if there is none.
    public typealias GetFirstServer =
        @Sendable (_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws -> VPNServer?
    /// Filters, what groups are made of, their order; the groups.
    public typealias GetGroups =
        @Sendable (
            _ filters: [VPNServerFilter], _ grouping: VPNServerGrouping,
            _ order: VPNServerGroupOrder
        ) throws -> [ServerGroupInfo]
    /// A text, and the most that are wanted; the servers.
    public typealias SearchServers =
        @Sendable (_ text: String, _ limit: Int) throws -> [VPNServer]
    /// What is looked for; the server and an endpoint of it.
    public typealias SelectServer = @Sendable (_ request: ServerRequest) throws -> Server
    /// A number.
    public typealias Count = @Sendable () throws -> Int
    /// Servers; what has become of them.
    public typealias UpsertServers = @Sendable (_ servers: [VPNServer]) throws -> ListChange
    /// Loads; what has become of them.
    public typealias UpsertLoads =
        @Sendable (_ loads: [ContinuousServerProperties]) throws -> LoadChange
    /// A list, what it is a list of, what is known besides, whether it may have no servers; what
    /// has become of it.
    public typealias ReplaceList =
        @Sendable (
            _ servers: [VPNServer], _ scope: ListScope,
            _ metadata: [ServerMetadata.Key: String?], _ allowsEmpty: Bool
        ) throws -> ListChange
    /// The ids to keep, the highest tier to remove; the ids of those that are gone.
    public typealias DeleteServers =
        @Sendable (_ ids: Set<String>, _ maxTier: Int) throws -> [String]
    /// What of; the value, nil if there is none.
    public typealias GetMetadata = @Sendable (_ key: ServerMetadata.Key) throws -> String?
    /// A value, nil to remove it, and what of.
    public typealias SetMetadata =
        @Sendable (_ value: String?, _ key: ServerMetadata.Key) throws -> Void
    /// Nothing; nothing.
    public typealias CloseConnection = @Sendable () throws -> Void
}

extension ServerRepository {
    /// A repository of some servers, which answers from memory. It cannot be changed: members that
    /// would, and metadata, fail the test as those do that are not implemented.
    public init(
        servers: [VPNServer], names: CountryNames = .current,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        self.init(
            closeConnection: {}, fileID: fileID, filePath: filePath, line: line, column: column)
        let list = ServerList(servers, names: names)
        answer { list }
    }

    /// Makes all members that read answer from a list, which each call asks for.
    mutating func answer(from list: @escaping @Sendable () throws -> ServerList) {
        getServers = { try list().servers(filteredBy: $0, orderedBy: $1) }
        getFirstServer = { try list().firstServer(filteredBy: $0, orderedBy: $1) }
        getGroups = { try list().groups(filteredBy: $0, groupedBy: $1, orderedBy: $2) }
        searchServers = { try list().search($0, limit: $1) }
        selectServer = { try list().select($0) }
        serverCount = { try list().serverCount }
        countryCount = { try list().countryCount }
    }
}

extension ServerRepository {
    /// Stores servers; others stay. Nothing is written that is as it was.
    @discardableResult
    public func upsert(servers: [VPNServer]) throws -> ListChange {
        try upsertServers(servers)
    }

    /// Stores what changes of servers from minute to minute.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try upsertLoads(loads)
    }

    /// Stores a list with what is known of it besides, and removes what is not in it: all of it at
    /// once, or nothing.
    ///
    /// Throws `ServerStoreError` with `.emptyList` for one without servers, unless `allowsEmpty`.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        try replaceList(servers, scope, metadata, allowsEmpty)
    }

    /// Removes the servers up to a tier whose ids are not among some; returns theirs.
    @discardableResult
    public func delete(
        serversWithIDsNotIn ids: Set<String>, maxTier: Int
    ) throws -> [String] {
        try deleteServers(ids, maxTier)
    }

    /// Stores what is known of a list besides its servers; nil removes it.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) throws {
        try setMetadata(value, key)
    }

    /// Removes what is known of a list besides its servers.
    public func deleteMetadata(_ key: ServerMetadata.Key) throws {
        try setMetadata(nil, key)
    }
}
