/// The servers of an application: queries and changes.
///
/// ```swift
/// let free = try repository.servers(
///     filteredBy: [.maxTier(0), .kind(.country("CH"))], orderedBy: .nameAscending)
/// ```
/// It is a struct of closures, not a protocol, so a test implements only the members that the code
/// under test uses: calls of other members make the test fail.
/// ```swift
/// let repository = ServerRepository(
///     getServers: { filters, order in [] }, serverCount: { 0 })
/// ```
/// ``live(store:executor:)`` creates one over a ``ServerStore``, ``live(configuration:)`` over a
/// database that is opened on first use, and ``init(servers:names:fileID:filePath:line:column:)``
/// over an array, for previews. Code under test reads the current one with ``ServerDependency``.
///
/// Each closure has a method with labels and defaults: call ``servers(filteredBy:orderedBy:)``
/// rather than ``getServers``. All members are synchronous, block the calling thread while the disk
/// is read, and can be called from any thread; ``async`` has asynchronous variants, and
/// ``withFallbacks(onError:)`` variants that never throw.
public struct ServerRepository: Sendable {
    /// Returns the servers that match all filters, in an order; called by
    /// ``servers(filteredBy:orderedBy:)``.
    public var getServers: GetServers
    /// Returns the first of the servers that match, with all its endpoints; called by
    /// ``getFirstServer(filteredBy:orderedBy:)``.
    public var getFirstServer: GetFirstServer
    /// Returns the groups of the servers that match all filters; called by
    /// ``groups(filteredBy:groupedBy:orderedBy:)``.
    public var getGroups: GetGroups
    /// Returns the servers that match a search text, best match first; called by
    /// ``search(_:limit:)``.
    public var searchServers: SearchServers
    /// Selects a server for a request, and one of its endpoints; called by ``select(_:)``.
    public var selectServer: SelectServer
    /// Returns the number of servers in the list, also those that no query returns since they have
    /// no endpoint.
    public var serverCount: Count
    /// Returns the number of exit countries.
    public var countryCount: Count
    /// Stores servers; other servers stay. Called by ``upsert(servers:)``.
    public var upsertServers: UpsertServers
    /// Stores the loads of servers; called by ``upsert(loads:)``.
    public var upsertLoads: UpsertLoads
    /// Stores a list and removes the servers that are not in it, in one transaction; called by
    /// ``replaceList(_:scope:metadata:allowsEmpty:)``.
    public var replaceList: ReplaceList
    /// Removes the servers up to a tier whose IDs are not in a set; called by
    /// ``delete(serversWithIDsNotIn:maxTier:)``.
    public var deleteServers: DeleteServers
    /// Returns the value of a metadata key, or nil if there is none.
    public var getMetadata: GetMetadata
    /// Stores a metadata value; nil removes it. Called by ``setMetadata(_:for:)``.
    public var setMetadata: SetMetadata
    /// Closes the database: later calls throw ``ServerStoreError/Code/closed``.
    ///
    /// A store in memory that configurations share stays open. Another repository over the same
    /// configuration is closed, too.
    public var closeConnection: CloseConnection

    /// Creates a repository from some members, for tests.
    ///
    /// Calling another member makes the test fail, and throws ``UnimplementedMember``; see
    /// ``TestIssues`` for how it is reported. A member can be replaced later, since all are
    /// variables.
    /// ```swift
    /// var repository = ServerRepository(serverCount: { 4_200 })
    /// repository.getMetadata = { key in key == .lastModifiedAll ? "yesterday" : nil }
    /// print(try repository.roundedServerCount)  // 4100
    /// ```
    /// The closures of the members must be thread-safe. `fileID`, `filePath`, `line` and `column`
    /// are the location where the repository is created; it is reported with an unimplemented
    /// member.
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
    /// Takes filters and an order; returns the first server, or nil if none matches.
    public typealias GetFirstServer =
        @Sendable (_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws -> VPNServer?
    /// Takes filters, a grouping and an order; returns the groups.
    public typealias GetGroups =
        @Sendable (
            _ filters: [VPNServerFilter], _ grouping: VPNServerGrouping,
            _ order: VPNServerGroupOrder
        ) throws -> [ServerGroupInfo]
    /// Takes a search text and the maximum number of servers; returns the servers, best match
    /// first.
    public typealias SearchServers =
        @Sendable (_ text: String, _ limit: Int) throws -> [VPNServer]
    /// Takes a request; returns a server with one of its endpoints, or throws
    /// ``ServerSelectionFailure``.
    public typealias SelectServer = @Sendable (_ request: ServerRequest) throws -> Server
    /// Returns a number of servers or countries.
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
    /// Takes the IDs to keep and the highest tier to remove; returns the removed IDs.
    public typealias DeleteServers =
        @Sendable (_ ids: Set<String>, _ maxTier: Int) throws -> [String]
    /// Takes a metadata key; returns its value, or nil if there is none.
    public typealias GetMetadata = @Sendable (_ key: ServerMetadata.Key) throws -> String?
    /// Takes a metadata value, or nil to remove it, and its key.
    public typealias SetMetadata =
        @Sendable (_ value: String?, _ key: ServerMetadata.Key) throws -> Void
    /// Takes and returns nothing; throws if the database cannot be closed.
    public typealias CloseConnection = @Sendable () throws -> Void
}

extension ServerRepository {
    /// Creates a read-only repository of some servers in memory, for tests and previews.
    ///
    /// Members that write, and metadata, are unimplemented and make the test fail. Queries give the
    /// same results as those of a store with these servers.
    /// ```swift
    /// let repository = ServerRepository(servers: [server])
    /// let names = try repository.search("zurich").map(\.logical.name)
    /// ```
    ///
    /// - Parameters:
    ///   - servers: the servers; of those with the same ID, the last one is used.
    ///   - names: the names of countries; by default those of the current locale.
    ///   - fileID: where the repository is created; reported with an unimplemented member.
    ///   - filePath: the path of that file.
    ///   - line: its line.
    ///   - column: its column.
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
    ///
    /// - Parameter servers: the servers to store, replacing those with the same IDs.
    /// - Returns: the IDs of added and changed servers, and the number of unchanged ones.
    /// - Throws: ``ServerStoreError`` as ``ServerStore/upsert(_:in:)`` does; a `StoreError` if the
    ///   file cannot be written.
    @discardableResult
    public func upsert(servers: [VPNServer]) throws -> ListChange {
        try upsertServers(servers)
    }

    /// Stores the loads of servers, without writing the servers; see
    /// ``ServerStore/update(loads:in:)``.
    ///
    /// ```swift
    /// let change = try repository.upsert(loads: loads)
    /// if !change.unknown.isEmpty { print("the list is outdated") }
    /// ```
    ///
    /// - Parameter loads: the new properties, in any order.
    /// - Returns: the number of changed servers, and the IDs of unknown and of ignored ones.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidNumber``; a `StoreError`.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try upsertLoads(loads)
    }

    /// Stores a list with its metadata, and removes the servers that are not in it, in one
    /// transaction.
    ///
    /// ```swift
    /// let change = try repository.replaceList(
    ///     servers, metadata: [.lastModifiedAll: "Sat, 01 Aug 2026 08:00:00 GMT"])
    /// ```
    /// ``ServerRefresh`` does so for the responses of the API; see
    /// ``ServerStore/replaceList(_:scope:metadata:allowsEmpty:in:)`` for the details.
    ///
    /// - Parameters:
    ///   - servers: the list.
    ///   - scope: the servers that the list covers; all by default. Others are not removed.
    ///   - metadata: the metadata of the list; nil removes a value.
    ///   - allowsEmpty: whether a list without servers may remove servers; false by default.
    /// - Returns: the IDs of added, changed and removed servers, and the number of unchanged ones.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/emptyList`` for a list without
    ///   servers, unless `allowsEmpty`; with codes for invalid IDs and numbers.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) throws -> ListChange {
        try replaceList(servers, scope, metadata, allowsEmpty)
    }

    /// Removes the servers up to a tier whose IDs are not in a set; without IDs, all of them.
    ///
    /// - Parameters:
    ///   - ids: the IDs of the servers to keep.
    ///   - maxTier: the highest tier to remove; servers of higher tiers stay.
    /// - Returns: the IDs of the removed servers.
    /// - Throws: errors of the closure ``deleteServers``.
    @discardableResult
    public func delete(
        serversWithIDsNotIn ids: Set<String>, maxTier: Int
    ) throws -> [String] {
        try deleteServers(ids, maxTier)
    }

    /// Stores a metadata value; nil removes it. An unchanged value is not written.
    ///
    /// - Parameters:
    ///   - value: the string to store, or nil.
    ///   - key: the key of the value.
    /// - Throws: errors of the closure ``setMetadata``.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) throws {
        try setMetadata(value, key)
    }

    /// Removes a metadata value; the same as storing nil.
    ///
    /// - Parameter key: the key of the value.
    /// - Throws: errors of the closure ``setMetadata``.
    public func deleteMetadata(_ key: ServerMetadata.Key) throws {
        try setMetadata(nil, key)
    }
}
