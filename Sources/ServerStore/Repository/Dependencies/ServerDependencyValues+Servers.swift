extension ServerDependencyValues {
    /// The application's servers. In tests, its members are unimplemented unless it is set.
    public var serverRepository: ServerRepository {
        get { self[ServerRepositoryKey.self] }
        set { self[ServerRepositoryKey.self] = newValue }
    }

    /// The database of `ServerRepository.liveValue`. In tests, each access creates an empty one in
    /// memory unless it is set.
    public var databaseConfiguration: DatabaseConfiguration {
        get { self[DatabaseConfigurationKey.self] }
        set { self[DatabaseConfigurationKey.self] = newValue }
    }
}

/// The key of the application's servers.
public enum ServerRepositoryKey: ServerDependencyKey {
    /// The repository over the configured database.
    public static var liveValue: ServerRepository { .liveValue }
    /// A repository that makes the test fail.
    public static var testValue: ServerRepository { .testValue }
}

/// The key of the database of repositories.
public enum DatabaseConfigurationKey: ServerDependencyKey {
    /// The application's database.
    public static var liveValue: DatabaseConfiguration { .live }
    /// An empty one in memory.
    public static var testValue: DatabaseConfiguration { .withTestExecutor() }
}

extension ServerRepository {
    /// The repository over the database of the current
    /// `ServerDependencyValues.databaseConfiguration`.
    public static var liveValue: ServerRepository {
        live(configuration: ServerDependencyValues.current.databaseConfiguration)
    }

    /// A repository without implemented members: each call makes the test fail, and throws.
    public static var testValue: ServerRepository { ServerRepository() }
}
