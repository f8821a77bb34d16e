internal import Foundation

extension ServerRepository {
    /// A repository that never throws.
    ///
    /// - Parameter onError: called with the error that was thrown; by default it is reported as an
    ///   issue of the test or, outside of tests, written to standard error.
    public func withFallbacks(
        onError: @escaping FallbackServerRepository.ErrorHandler =
            FallbackServerRepository.reportError
    ) -> FallbackServerRepository {
        FallbackServerRepository(self, onError: onError)
    }
}

/// A `ServerRepository` for callers that cannot handle errors: if the underlying repository throws,
/// this one returns an empty result and calls a handler.
///
/// A failed write returns a `ListChange` or `LoadChange` without changes.
public struct FallbackServerRepository: Sendable {
    /// Receives the name of the member that has thrown, and the error.
    public typealias ErrorHandler = @Sendable (_ member: String, _ error: any Error) -> Void

    /// The repository that does the work.
    public let repository: ServerRepository
    private let onError: ErrorHandler

    /// Creates the repository over one that throws.
    public init(
        _ repository: ServerRepository, onError: @escaping ErrorHandler = Self.reportError
    ) {
        (self.repository, self.onError) = (repository, onError)
    }

    /// Fails the test; in a process without tests, writes a line to standard error.
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
    /// See `ServerRepository.servers(filteredBy:orderedBy:)`; none after an error.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        attempt("getServers", or: []) { try $0.getServers(filters, order) }
    }

    /// See `ServerRepository.getServers(filteredBy:orderedBy:)`; none after an error.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> [ServerInfo] {
        servers(filteredBy: filters, orderedBy: order)
    }

    /// See `ServerRepository.getFirstServer(filteredBy:orderedBy:)`; nil after an error.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) -> VPNServer? {
        attempt("getFirstServer", or: nil) { try $0.getFirstServer(filters, order) }
    }

    /// See `ServerRepository.groups(filteredBy:groupedBy:orderedBy:)`; none after an error.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        attempt("getGroups", or: []) { try $0.getGroups(filters, grouping, order) }
    }

    /// See `ServerRepository.getGroups(filteredBy:groupedBy:orderedBy:)`; none after an error.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) -> [ServerGroupInfo] {
        groups(filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// See `ServerRepository.search(_:limit:)`; none after an error.
    public func search(_ text: String, limit: Int = .max) -> [VPNServer] {
        attempt("searchServers", or: []) { try $0.searchServers(text, limit) }
    }

    /// See `ServerRepository.select(_:)`; nil after an error, and also, without calling the
    /// handler, if no server matches.
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

    /// See `ServerRepository.roundedServerCount`; 0 after an error.
    public var roundedServerCount: Int {
        ServerRepository.rounded(serverCount: serverCount())
    }

    /// The value of a metadata key; nil after an error.
    public func getMetadata(_ key: ServerMetadata.Key) -> String? {
        attempt("getMetadata", or: nil) { try $0.getMetadata(key) }
    }
}

// Writing.
extension FallbackServerRepository {
    /// See `ServerRepository.upsert(servers:)`.
    @discardableResult
    public func upsert(servers: [VPNServer]) -> ListChange {
        attempt("upsertServers", or: ListChange()) { try $0.upsertServers(servers) }
    }

    /// See `ServerRepository.upsert(loads:)`.
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) -> LoadChange {
        attempt("upsertLoads", or: LoadChange()) { try $0.upsertLoads(loads) }
    }

    /// See `ServerRepository.replaceList(_:scope:metadata:allowsEmpty:)`.
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) -> ListChange {
        attempt("replaceList", or: ListChange()) {
            try $0.replaceList(servers, scope, metadata, allowsEmpty)
        }
    }

    /// See `ServerRepository.delete(serversWithIDsNotIn:maxTier:)`; none after an error.
    @discardableResult
    public func delete(serversWithIDsNotIn ids: Set<String>, maxTier: Int) -> [String] {
        attempt("deleteServers", or: []) { try $0.deleteServers(ids, maxTier) }
    }

    /// Stores a metadata value; nil removes it.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) {
        attempt("setMetadata", or: ()) { try $0.setMetadata(value, key) }
    }

    /// Removes a metadata value.
    public func deleteMetadata(_ key: ServerMetadata.Key) {
        setMetadata(nil, for: key)
    }

    /// Closes the database.
    public func closeConnection() {
        attempt("closeConnection", or: ()) { try $0.closeConnection() }
    }
}
