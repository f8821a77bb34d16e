public import ServerStore
internal import Synchronization

/// A database for tests: empty, in memory, and replaced with another one by each `reset()`.
///
/// ```swift
/// let database = TestDatabase()
/// try database.repository.upsert(servers: servers)
/// ```
/// Test cases, drivers and traits have one and make it the dependency of the code that they run.
public final class TestDatabase: Sendable {
    /// Receives the servers that were stored.
    public typealias StoreCallback = @Sendable ([VPNServer]) -> Void
    /// Receives the loads that were stored.
    public typealias LoadCallback = @Sendable ([ContinuousServerProperties]) -> Void

    private struct State {
        var configuration: DatabaseConfiguration
        var didStoreServers: StoreCallback?
        var didUpdateLoads: LoadCallback?
    }

    /// The location of the database.
    public let databaseType: DatabaseType
    private let state: Mutex<State>

    /// The database of the running test, if a trait or a test case has created one.
    @TaskLocal public static var current: TestDatabase?

    /// Creates a database without servers, or a copy of a file.
    public init(databaseType: DatabaseType = .ephemeral) {
        self.databaseType = databaseType
        // It is created again at once, with callbacks that refer to this value.
        state = Mutex(State(configuration: DatabaseConfiguration(databaseType: databaseType)))
        reset()
    }

    /// Replaces the database with a new one. Repositories of the previous one keep using that.
    public func reset() {
        let configuration = DatabaseConfiguration.withTestExecutor(
            databaseType: databaseType,
            didStoreServers: { [weak self] in self?.callbacks.servers?($0) },
            didUpdateLoads: { [weak self] in self?.callbacks.loads?($0) })
        state.withLock { $0 = State(configuration: configuration) }
    }

    private var callbacks: (servers: StoreCallback?, loads: LoadCallback?) {
        state.withLock { ($0.didStoreServers, $0.didUpdateLoads) }
    }

    /// The configuration for repositories.
    public var configuration: DatabaseConfiguration { state.withLock { $0.configuration } }

    /// The repository over the database.
    public var repository: ServerRepository { .live(configuration: configuration) }

    /// Called with servers that were stored, until the next `reset()`.
    public var didStoreServers: StoreCallback? {
        get { callbacks.servers }
        set { state.withLock { $0.didStoreServers = newValue } }
    }

    /// Called with loads that were stored, until the next `reset()`.
    public var didUpdateLoads: LoadCallback? {
        get { callbacks.loads }
        set { state.withLock { $0.didUpdateLoads = newValue } }
    }

    /// Runs an operation whose dependencies are this database and the repository over it.
    public func use<R>(_ operation: () throws -> R) rethrows -> R {
        let configuration = configuration
        return try Self.$current.withValue(self) {
            try withServerDependencies {
                $0.databaseConfiguration = configuration
                $0.serverRepository = .live(configuration: configuration)
            } operation: {
                try operation()
            }
        }
    }

    /// The asynchronous variant.
    @concurrent
    func use(_ operation: @concurrent @Sendable () async throws -> Void) async throws {
        let configuration = configuration
        try await Self.$current.withValue(self) {
            try await withServerDependencies {
                $0.databaseConfiguration = configuration
                $0.serverRepository = .live(configuration: configuration)
            } operation: {
                try await operation()
            }
        }
    }
}
