extension ServerDependencyValues {
    /// The application's servers. In tests, its members are unimplemented unless it is set.
    ///
    /// In an application the default is ``ServerRepository/liveValue``. Setting it replaces all
    /// members; a test can also change a single one:
    /// ```swift
    /// try withServerDependencies {
    ///     $0.serverRepository = ServerRepository(servers: servers)
    ///     $0.serverRepository.getMetadata = { _ in nil }
    /// } operation: {
    ///     let repository = ServerDependencyValues.current.serverRepository
    ///     print(try repository.serverCount())
    /// }
    /// ```
    public var serverRepository: ServerRepository {
        get { self[ServerRepositoryKey.self] }
        set { self[ServerRepositoryKey.self] = newValue }
    }

    /// The database of ``ServerRepository/liveValue``.
    ///
    /// In tests, each access creates an empty one in memory unless it is set, so set it once if
    /// several repositories of a test shall share a database.
    /// ```swift
    /// let configuration = DatabaseConfiguration.withTestExecutor()
    /// withServerDependencies { $0.databaseConfiguration = configuration } operation: { … }
    /// ```
    public var databaseConfiguration: DatabaseConfiguration {
        get { self[DatabaseConfigurationKey.self] }
        set { self[DatabaseConfigurationKey.self] = newValue }
    }
}

/// The key of the application's servers; ``ServerDependencyValues/serverRepository`` is its value.
public enum ServerRepositoryKey: ServerDependencyKey {
    /// The repository over the configured database.
    public static var liveValue: ServerRepository { .liveValue }
    /// A repository without implemented members, which makes the test fail when it is used.
    public static var testValue: ServerRepository { .testValue }
}

/// The key of the database of repositories; ``ServerDependencyValues/databaseConfiguration`` is its
/// value.
public enum DatabaseConfigurationKey: ServerDependencyKey {
    /// The application's database, ``DatabaseConfiguration/live``.
    public static var liveValue: DatabaseConfiguration { .live }
    /// An empty in-memory database, another one for each access.
    public static var testValue: DatabaseConfiguration { .withTestExecutor() }
}

extension ServerRepository {
    /// The repository over the database of the current
    /// ``ServerDependencyValues/databaseConfiguration``.
    public static var liveValue: ServerRepository {
        live(configuration: ServerDependencyValues.current.databaseConfiguration)
    }

    /// A repository without implemented members: each call makes the test fail, and throws
    /// ``UnimplementedMember``.
    public static var testValue: ServerRepository { ServerRepository() }
}
