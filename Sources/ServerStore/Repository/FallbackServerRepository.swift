internal import Foundation

extension ServerRepository {
    /// Returns a repository that never throws.
    ///
    /// ```swift
    /// let fallback = repository.withFallbacks { member, error in
    ///     print("\(member) failed: \(error)")
    /// }
    /// let names = fallback.servers(orderedBy: .nameAscending).map(\.logical.name)
    /// ```
    ///
    /// - Parameter onError: called with the error that was thrown, on the caller's thread; by
    ///   default it is reported as an issue of the test or, outside of tests, written to standard
    ///   error.
    /// - Returns: a repository over this one.
    public func withFallbacks(
        onError: @escaping FallbackServerRepository.ErrorHandler =
            FallbackServerRepository.reportError
    ) -> FallbackServerRepository {
        FallbackServerRepository(self, onError: onError)
    }
}

/// A ``ServerRepository`` for callers that cannot handle errors: if the underlying repository
/// throws, this one returns an empty result and calls a handler.
///
/// An empty result of an error cannot be distinguished from that of an empty store, so use it where
/// both mean the same, for example in previews or in code that was written for an interface without
/// errors. A failed write returns a ``ListChange`` or ``LoadChange`` without changes.
/// ```swift
/// let repository = FallbackServerRepository(.live(configuration: .live))
/// if let selected = repository.select(ServerRequest()) {
///     print(selected.logical.name)
/// }
/// ```
public struct FallbackServerRepository: Sendable {
    /// Receives the name of the member that has thrown, and the error. The name is that of the
    /// closure of ``ServerRepository``, such as `getServers`.
    public typealias ErrorHandler = @Sendable (_ member: String, _ error: any Error) -> Void

    /// The repository that does the work; its members throw.
    public let repository: ServerRepository
    private let onError: ErrorHandler

    /// Creates the repository over one that throws.
    ///
    /// - Parameters:
    ///   - repository: the repository that does the work.
    ///   - onError: called with each error, on the caller's thread.
    public init(
        _ repository: ServerRepository, onError: @escaping ErrorHandler = Self.reportError
    ) {
        (self.repository, self.onError) = (repository, onError)
    }

    /// Fails the running test; in a process without tests, writes a line to standard error. It
    /// ignores ``UnimplementedMember``, which is reported when the member is called.
    public static let reportError: ErrorHandler = { member, error in
        // An unimplemented member was reported when it was called.
        if error is UnimplementedMember { return }
        TestIssues.report("ServerRepository.\(member): \(error)", at: nil)
    }

    private func attempt<T>(
        _ member: String, or fallback: T, _ body: (ServerRepository) throws -> T
    ) -> T {
        do {
            return try body(repository)
        } catch {
            onError(member, error)
            return fallback
        }
    }
}

// Reading.
extension FallbackServerRepository {
    /// Returns the servers as ``ServerRepository/servers(filteredBy:orderedBy:)`` does; none after
    /// an error.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        attempt("getServers", or: []) { try $0.getServers(filters, order) }
    }

    /// Returns the servers as ``servers(filteredBy:orderedBy:)`` does; none after an error.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        servers(filteredBy: filters, orderedBy: order)
    }

    /// Returns the server as ``ServerRepository/getFirstServer(filteredBy:orderedBy:)`` does; nil
    /// after an error.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> VPNServer? {
        attempt("getFirstServer", or: nil) { try $0.getFirstServer(filters, order) }
    }

    /// Returns the groups as ``ServerRepository/groups(filteredBy:groupedBy:orderedBy:)`` does;
    /// none after an error.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        attempt("getGroups", or: []) { try $0.getGroups(filters, grouping, order) }
    }

    /// Returns the groups as ``groups(filteredBy:groupedBy:orderedBy:)`` does; none after an error.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        groups(filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// Returns the servers as ``ServerRepository/search(_:limit:)`` does; none after an error.
    public func search(_ text: String, limit: Int = .max) -> [VPNServer] {
        attempt("searchServers", or: []) { try $0.searchServers(text, limit) }
    }

    /// Selects a server as ``ServerRepository/select(_:)`` does; nil after an error, and also,
    /// without calling the handler, if no server matches.
    public func select(_ request: ServerRequest) -> Server? {
        attempt("selectServer", or: nil) { repository in
            do { return try repository.selectServer(request) } catch is ServerSelectionFailure {
                return nil
            }
        }
    }

    /// The number of servers; 0 after an error.
    public func serverCount() -> Int { attempt("serverCount", or: 0) { try $0.serverCount() } }

    /// The number of exit countries; 0 after an error.
    public func countryCount() -> Int { attempt("countryCount", or: 0) { try $0.countryCount() } }

    /// Whether there are no servers; true after an error.
    public var isEmpty: Bool { serverCount() == 0 }

    /// The number of servers, rounded as by ``ServerRepository/rounded(serverCount:)``; 0 after an
    /// error.
    public var roundedServerCount: Int {
        ServerRepository.rounded(serverCount: serverCount())
    }

    /// The value of a metadata key; nil if there is none, and after an error.
    public func getMetadata(_ key: ServerMetadata.Key) -> String? {
        attempt("getMetadata", or: nil) { try $0.getMetadata(key) }
    }
}

// Writing.
extension FallbackServerRepository {
    /// Stores servers as ``ServerRepository/upsert(servers:)`` does; no changes after an error.
    @discardableResult
    public func upsert(servers: [VPNServer]) -> ListChange {
        attempt("upsertServers", or: ListChange()) { try $0.upsertServers(servers) }
    }

    /// Stores loads as ``ServerRepository/upsert(loads:)`` does; no changes after an error.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) -> LoadChange {
        attempt("upsertLoads", or: LoadChange()) { try $0.upsertLoads(loads) }
    }

    /// Stores a list as ``ServerRepository/replaceList(_:scope:metadata:allowsEmpty:)`` does.
    ///
    /// After an error, such as that of a list without servers, the previous list stays and the
    /// returned change is empty.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) -> ListChange {
        attempt("replaceList", or: ListChange()) {
            try $0.replaceList(servers, scope, metadata, allowsEmpty)
        }
    }

    /// Removes servers as ``ServerRepository/delete(serversWithIDsNotIn:maxTier:)`` does; none
    /// after an error.
    @discardableResult
    public func delete(serversWithIDsNotIn ids: Set<String>, maxTier: Int) -> [String] {
        attempt("deleteServers", or: []) { try $0.deleteServers(ids, maxTier) }
    }

    /// Stores a metadata value; nil removes it. After an error the previous value stays.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) {
        attempt("setMetadata", or: ()) { try $0.setMetadata(value, key) }
    }

    /// Removes a metadata value; after an error it stays.
    public func deleteMetadata(_ key: ServerMetadata.Key) {
        setMetadata(nil, for: key)
    }

    /// Closes the database: later calls return empty results and call the handler.
    public func closeConnection() {
        attempt("closeConnection", or: ()) { try $0.closeConnection() }
    }
}
