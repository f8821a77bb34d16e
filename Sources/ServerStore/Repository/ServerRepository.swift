/// The servers of an application: queries and changes.
///
/// ```swift
/// let free = try repository.servers(
///     filteredBy: [.maxTier(0), .kind(.country("CH"))], orderedBy: .nameAscending)
/// ```
/// It is a struct of closures, not a protocol, so a test implements only the members that the code
/// under test uses: calls of other members make the test fail. `live(store:)` creates one over a
/// `ServerStore`, `init(servers:)` over an array. All members are synchronous; `async` has
/// asynchronous variants.
public struct ServerRepository: Sendable {
    /// The servers that match all filters, in an order.
    public var getServers: GetServers
    /// The first of them, with all its endpoints.
    public var getFirstServer: GetFirstServer
    /// The groups of the servers that match all filters.
    public var getGroups: GetGroups
    /// The servers that match a search text, best match first.
    public var searchServers: SearchServers
    /// Selects a server for a request, and one of its endpoints.
    public var selectServer: SelectServer
    /// The number of servers.
    public var serverCount: Count
    /// The number of exit countries.
    public var countryCount: Count
    /// Stores servers; other servers stay.
    public var upsertServers: UpsertServers
    /// Stores the loads of servers.
    public var upsertLoads: UpsertLoads
    /// Stores a list and removes the servers that are not in it, in one transaction.
    public var replaceList: ReplaceList
    /// Removes the servers up to a tier whose ids are not in a list.
    public var deleteServers: DeleteServers
    /// The value of a metadata key.
    public var getMetadata: GetMetadata
    /// Stores a metadata value; nil removes it.
    public var setMetadata: SetMetadata
    /// Closes the database: later calls throw.
    public var closeConnection: CloseConnection

    /// Creates a repository from some members. Calling another one makes the test fail, and throws
    /// `UnimplementedMember`; see `TestIssues` for how it is reported.
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
    /// Takes filters and an order; returns the servers that match all filters.
    public typealias GetServers =
        @Sendable (_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws -> [ServerInfo]
    /// Takes filters and an order; returns the first server, or nil if there is none.
    public typealias GetFirstServer =
        @Sendable (_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws -> VPNServer?
    /// Takes filters, a grouping and an order; returns the groups.
    public typealias GetGroups =
        @Sendable (
            _ filters: [VPNServerFilter], _ grouping: VPNServerGrouping,
            _ order: VPNServerGroupOrder
        ) throws -> [ServerGroupInfo]
    /// Takes a search text and a limit; returns the servers.
    public typealias SearchServers =
        @Sendable (_ text: String, _ limit: Int) throws -> [VPNServer]
    /// Takes a request; returns a server with one of its endpoints.
    public typealias SelectServer = @Sendable (_ request: ServerRequest) throws -> Server
    /// Returns a number.
    public typealias Count = @Sendable () throws -> Int
    /// Takes servers; returns the changes.
    public typealias UpsertServers = @Sendable (_ servers: [VPNServer]) throws -> ListChange
    /// Takes loads; returns the changes.
    public typealias UpsertLoads =
        @Sendable (_ loads: [ContinuousServerProperties]) throws -> LoadChange
    /// Takes a list, its scope, its metadata, and whether it may be empty; returns the changes.
    public typealias ReplaceList =
        @Sendable (
            _ servers: [VPNServer], _ scope: ListScope,
            _ metadata: [ServerMetadata.Key: String?], _ allowsEmpty: Bool
        ) throws -> ListChange
    /// Takes the ids to keep and the highest tier to remove; returns the removed ids.
    public typealias DeleteServers =
        @Sendable (_ ids: Set<String>, _ maxTier: Int) throws -> [String]
    /// Takes a metadata key; returns its value, or nil if there is none.
    public typealias GetMetadata = @Sendable (_ key: ServerMetadata.Key) throws -> String?
    /// Takes a metadata value, or nil to remove it, and its key.
    public typealias SetMetadata =
        @Sendable (_ value: String?, _ key: ServerMetadata.Key) throws -> Void
    /// Takes and returns nothing.
    public typealias CloseConnection = @Sendable () throws -> Void
}

extension ServerRepository {
    /// Creates a read-only repository of some servers in memory. Members that write, and metadata,
    /// are unimplemented and make the test fail.
    public init(
        servers: [VPNServer], names: CountryNames = .current,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        self.init(
            closeConnection: {}, fileID: fileID, filePath: filePath, line: line, column: column)
        let list = ServerList(servers, names: names)
        implementReading { list }
    }

    /// Implements all members that read over a list, which is requested for each call.
    mutating func implementReading(from list: @escaping @Sendable () throws -> ServerList) {
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
    /// Stores servers; other servers stay. Unchanged servers are not written.
    @discardableResult
    public func upsert(servers: [VPNServer]) throws -> ListChange {
        try upsertServers(servers)
    }

    /// Stores the loads of servers.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try upsertLoads(loads)
    }

    /// Stores a list with its metadata, and removes the servers that are not in it, in one
    /// transaction.
    ///
    /// Throws `ServerStoreError` with `.emptyList` for a list without servers, unless
    /// `allowsEmpty`.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        try replaceList(servers, scope, metadata, allowsEmpty)
    }

    /// Removes the servers up to a tier whose ids are not in a list; returns the removed ids.
    @discardableResult
    public func delete(
        serversWithIDsNotIn ids: Set<String>, maxTier: Int
    ) throws -> [String] {
        try deleteServers(ids, maxTier)
    }

    /// Stores a metadata value; nil removes it.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) throws {
        try setMetadata(value, key)
    }

    /// Removes a metadata value.
    public func deleteMetadata(_ key: ServerMetadata.Key) throws {
        try setMetadata(nil, key)
    }
}
