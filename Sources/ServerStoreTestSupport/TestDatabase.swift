public import ServerStore
internal import Synchronization

/// A database for tests: empty, in memory, and replaced with another one by each ``reset()``.
///
/// ```swift
/// let database = TestDatabase()
/// try database.repository.upsert(servers: testServers)
/// try database.use {
///     // Code that reads the repository as a dependency has this one.
///     print(try ServerScreen().titles())
/// }
/// ```
/// Test cases, drivers and traits have one and make it the dependency of the code that they run, so
/// tests rarely create it. To start with real data, it copies a file, which it never changes:
/// ```swift
/// let database = TestDatabase(databaseType: .ephemeral(filePath: path))
/// print(try database.repository.serverCount())
/// ```
/// It can be used from several threads.
public final class TestDatabase: Sendable {
    /// Receives the servers that were stored, on the thread that wrote.
    public typealias StoreCallback = @Sendable ([VPNServer]) -> Void
    /// Receives the loads that were stored, on the thread that wrote.
    public typealias LoadCallback = @Sendable ([ContinuousServerProperties]) -> Void

    private struct State {
        var configuration: DatabaseConfiguration
        var didStoreServers: StoreCallback?
        var didUpdateLoads: LoadCallback?
    }

    /// The location of the database. With `.physical` all tests with that path share the file, and
    /// ``reset()`` does not empty it.
    public let databaseType: DatabaseType
    private let state: Mutex<State>

    /// The database of the running test, if a trait or a test case has created one; nil outside of
    /// tests, and in detached tasks.
    ///
    /// ```swift
    /// TestDatabase.current?.didUpdateLoads = { loads in print("\(loads.count) loads") }
    /// ```
    @TaskLocal public static var current: TestDatabase?

    /// Creates a database without servers, or a copy of a file.
    ///
    /// The database is opened by the first use of a repository, so errors of opening it are those
    /// of that call.
    ///
    /// - Parameter databaseType: the location of the database; empty and in memory by default.
    public init(databaseType: DatabaseType = .ephemeral) {
        self.databaseType = databaseType
        // It is created again at once, with callbacks that refer to this value.
        state = Mutex(State(configuration: DatabaseConfiguration(databaseType: databaseType)))
        reset()
    }

    /// Replaces the database with a new one, without callbacks.
    ///
    /// Repositories of the previous one keep using that:
    /// ```swift
    /// let database = TestDatabase()
    /// let previous = database.repository
    /// try previous.upsert(servers: testServers)
    /// database.reset()
    /// print(try database.repository.isEmpty)  // true
    /// print(try previous.isEmpty)  // false
    /// ```
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

    /// The configuration for repositories over the current database; another one after ``reset()``.
    public var configuration: DatabaseConfiguration { state.withLock { $0.configuration } }

    /// The repository over the database. Each access creates one; all share the database until
    /// ``reset()``.
    public var repository: ServerRepository { .live(configuration: configuration) }

    /// Called with servers that were stored, until the next ``reset()``; nil by default. Closures
    /// are called on the thread that wrote.
    public var didStoreServers: StoreCallback? {
        get { callbacks.servers }
        set { state.withLock { $0.didStoreServers = newValue } }
    }

    /// Called with loads that were stored, until the next ``reset()``.
    ///
    /// ```swift
    /// let database = TestDatabase()
    /// database.didUpdateLoads = { loads in print(loads.map(\.serverId)) }
    /// try database.repository.upsert(loads: testLoads)
    /// ```
    public var didUpdateLoads: LoadCallback? {
        get { callbacks.loads }
        set { state.withLock { $0.didUpdateLoads = newValue } }
    }

    /// Runs an operation whose dependencies are this database and the repository over it.
    ///
    /// ``current`` is this database for the operation and the tasks that it creates.
    /// ```swift
    /// let count = try TestDatabase().use {
    ///     try ServerDependencyValues.current.serverRepository.serverCount()
    /// }
    /// XCTAssertEqual(count, 0)
    /// ```
    ///
    /// - Parameter operation: the code under test.
    /// - Returns: the result of the operation.
    /// - Throws: errors of the operation.
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
