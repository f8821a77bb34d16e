internal import Dispatch
internal import Synchronization

extension ServerRepository {
    /// The same members as `async` functions, which run on threads of their own.
    ///
    /// ```swift
    /// let count = try await repository.async.serverCount()
    /// ```
    /// Creating it costs nothing, so it need not be stored.
    public var async: AsyncServerRepository { AsyncServerRepository(repository: self) }
}

/// A ``ServerRepository`` for tasks: neither the caller's thread nor a thread of Swift's
/// cooperative pool waits for the disk or sorts a list.
///
/// ```swift
/// let servers = try await repository.async.servers(orderedBy: .nameAscending)
/// ```
/// A call in a cancelled task throws `CancellationError` if it has not started; a call that has
/// started runs to its end. The work stays in the caller's task, with its priority and task-local
/// values, so dependencies that a test has set apply. Up to 32 calls run at the same time; further
/// ones wait.
///
/// Parameters, results and errors are those of the synchronous members:
/// ```swift
/// async let groups = repository.async.groups(filteredBy: [.features(.p2p)])
/// async let fastest = repository.async.getFirstServer(orderedBy: .fastest)
/// show(try await groups, try await fastest as Any)
/// ```
public struct AsyncServerRepository: Sendable {
    /// The repository that does the work; its members are synchronous.
    public let repository: ServerRepository

    private func run<T: Sendable>(
        _ body: @Sendable (ServerRepository) throws -> T
    ) async throws -> T {
        // The work stays in the same task, with its priority and its task-local values.
        try await withTaskExecutorPreference(RepositoryThreads.shared) {
            try await Self.run(body, repository)
        }
    }

    @concurrent
    private static func run<T: Sendable>(
        _ body: @Sendable (ServerRepository) throws -> T, _ repository: ServerRepository
    ) async throws -> T {
        try Task.checkCancellation()
        return try body(repository)
    }
}

// Reading.
extension AsyncServerRepository {
    /// The asynchronous variant of ``ServerRepository/servers(filteredBy:orderedBy:)``.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) async throws -> [ServerInfo] {
        try await run { try $0.getServers(filters, order) }
    }

    /// The asynchronous variant of ``ServerRepository/getServers(filteredBy:orderedBy:)``, with the
    /// same result as `servers`.
    public func getServers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) async throws -> [ServerInfo] {
        try await run { try $0.getServers(filters, order) }
    }

    /// The asynchronous variant of ``ServerRepository/getFirstServer(filteredBy:orderedBy:)``.
    public func getFirstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none
    ) async throws -> VPNServer? {
        try await run { try $0.getFirstServer(filters, order) }
    }

    /// The asynchronous variant of ``ServerRepository/groups(filteredBy:groupedBy:orderedBy:)``.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) async throws -> [ServerGroupInfo] {
        try await run { try $0.getGroups(filters, grouping, order) }
    }

    /// The asynchronous variant of ``ServerRepository/getGroups(filteredBy:groupedBy:orderedBy:)``,
    /// with the same result as `groups`.
    public func getGroups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending
    ) async throws -> [ServerGroupInfo] {
        try await run { try $0.getGroups(filters, grouping, order) }
    }

    /// The asynchronous variant of ``ServerRepository/search(_:limit:)``.
    ///
    /// Cancel the task of the previous search when the text changes; one that has not started does
    /// not search.
    /// ```swift
    /// let found = try await repository.async.search("zur", limit: 20)
    /// show(found.map(\.logical.name))
    /// ```
    public func search(_ text: String, limit: Int = .max) async throws -> [VPNServer] {
        try await run { try $0.searchServers(text, limit) }
    }

    /// The asynchronous variant of ``ServerRepository/select(_:)``; it throws
    /// ``ServerSelectionFailure`` if no server matches.
    ///
    /// ```swift
    /// let request = ServerRequest(location: [.kind(.country("CH"))], order: .random)
    /// let selected = try await repository.async.select(request)
    /// ```
    public func select(_ request: ServerRequest) async throws -> Server {
        try await run { try $0.selectServer(request) }
    }

    /// The asynchronous variant of ``ServerRepository/serverCount``.
    public func serverCount() async throws -> Int { try await run { try $0.serverCount() } }

    /// The asynchronous variant of ``ServerRepository/countryCount``.
    public func countryCount() async throws -> Int { try await run { try $0.countryCount() } }

    /// Whether there are no servers; the asynchronous variant of ``ServerRepository/isEmpty``.
    public var isEmpty: Bool {
        get async throws { try await run { try $0.isEmpty } }
    }

    /// The asynchronous variant of ``ServerRepository/roundedServerCount``.
    public var roundedServerCount: Int {
        get async throws { try await run { try $0.roundedServerCount } }
    }

    /// The value of a metadata key, or nil; the asynchronous variant of
    /// ``ServerRepository/getMetadata``.
    public func getMetadata(_ key: ServerMetadata.Key) async throws -> String? {
        try await run { try $0.getMetadata(key) }
    }
}

// Writing.
extension AsyncServerRepository {
    /// The asynchronous variant of ``ServerRepository/upsert(servers:)``.
    ///
    /// - Parameter servers: the servers to store; others stay.
    /// - Returns: the IDs of added and changed servers, and the number of unchanged ones.
    /// - Throws: ``ServerStoreError``, a `StoreError`, or `CancellationError`; nothing is written
    ///   then.
    @discardableResult
    public func upsert(servers: [VPNServer]) async throws -> ListChange {
        try await run { try $0.upsert(servers: servers) }
    }

    /// The asynchronous variant of ``ServerRepository/upsert(loads:)``.
    ///
    /// ```swift
    /// let read = try ServerListJSON.readLoads(responseData)
    /// let change = try await repository.async.upsert(loads: read.loads)
    /// ```
    @discardableResult
    public func upsert(loads: [ContinuousServerProperties]) async throws -> LoadChange {
        try await run { try $0.upsert(loads: loads) }
    }

    /// The asynchronous variant of ``ServerRepository/replaceList(_:scope:metadata:allowsEmpty:)``.
    ///
    /// Parsing is the caller's work; only comparing and writing run on another thread.
    /// ```swift
    /// let read = try ServerListJSON.read(responseData)
    /// let change = try await repository.async.replaceList(read.servers)
    /// ```
    @discardableResult
    public func replaceList(
        _ servers: [VPNServer], scope: ListScope = .all,
        metadata: [ServerMetadata.Key: String?] = [:], allowsEmpty: Bool = false
    ) async throws -> ListChange {
        try await run {
            try $0.replaceList(
                servers, scope: scope, metadata: metadata, allowsEmpty: allowsEmpty)
        }
    }

    /// The asynchronous variant of ``ServerRepository/delete(serversWithIDsNotIn:maxTier:)``.
    @discardableResult
    public func delete(
        serversWithIDsNotIn ids: Set<String>, maxTier: Int
    ) async throws -> [String] {
        try await run { try $0.delete(serversWithIDsNotIn: ids, maxTier: maxTier) }
    }

    /// Stores a metadata value; nil removes it. See ``ServerRepository/setMetadata(_:for:)``.
    public func setMetadata(_ value: String?, for key: ServerMetadata.Key) async throws {
        try await run { try $0.setMetadata(value, for: key) }
    }

    /// Removes a metadata value; see ``ServerRepository/deleteMetadata(_:)``.
    public func deleteMetadata(_ key: ServerMetadata.Key) async throws {
        try await run { try $0.deleteMetadata(key) }
    }

    /// Closes the database, after calls in progress have finished; later calls throw
    /// ``ServerStoreError/Code/closed``.
    public func closeConnection() async throws {
        try await run { try $0.closeConnection() }
    }
}

/// Threads that may block on a disk, which the threads of Swift's cooperative pool must not.
///
/// Each call in progress has a serial queue of its own: Dispatch starts a thread for a serial queue
/// at once, while the threads of a concurrent queue are counted with those of Swift's tasks, and on
/// Linux each blocked one would delay them by a second.
final class RepositoryThreads: TaskExecutor {
    static let shared = RepositoryThreads()

    /// The maximum number of concurrent calls; further calls wait.
    static let limit = 32

    private struct State {
        var idle: [DispatchQueue] = []
        var queueCount = 0
        var line: [UnownedJob] = []
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = state.withLock { state -> DispatchQueue? in
            if let queue = state.idle.popLast() { return queue }
            guard state.queueCount < Self.limit else {
                state.line.append(job)
                return nil
            }
            state.queueCount += 1
            return DispatchQueue(label: "ServerStore.repository")
        }
        if let queue { run(job, on: queue) }
    }

    private func run(_ job: UnownedJob, on queue: DispatchQueue) {
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            let next = self.state.withLock { state -> UnownedJob? in
                guard state.line.isEmpty else { return state.line.removeFirst() }
                state.idle.append(queue)
                return nil
            }
            if let next { self.run(next, on: queue) }
        }
    }
}
