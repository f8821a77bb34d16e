extension ServerDependencyValues {
    /// The servers that the application knows. In tests nothing of it is implemented, unless it is
    /// set.
    public var serverRepository: ServerRepository {
        get { self[ServerRepositoryKey.self] }
        set { self[ServerRepositoryKey.self] = newValue }
    }

    /// The database of `ServerRepository.liveValue`. In tests it is empty and in memory, another
    /// one each time, unless it is set.
    public var databaseConfiguration: DatabaseConfiguration {
        get { self[DatabaseConfigurationKey.self] }
        set { self[DatabaseConfigurationKey.self] = newValue }
    }
}

/// Names the servers that the application knows.
public enum ServerRepositoryKey: ServerDependencyKey {
    /// The repository over the database that is configured.
    public static var liveValue: ServerRepository { .liveValue }
    /// A repository that fails the test.
    public static var testValue: ServerRepository { .testValue }
}

/// Names the database that repositories are made over.
public enum DatabaseConfigurationKey: ServerDependencyKey {
    /// The application's own.
    public static var liveValue: DatabaseConfiguration { .live }
    /// An empty one in memory.
    public static var testValue: DatabaseConfiguration { .withTestExecutor() }
}

extension ServerRepository {
    /// The repository over the database that `ServerDependencyValues.databaseConfiguration` names
    /// here.
    public static var liveValue: ServerRepository {
        live(configuration: ServerDependencyValues.current.databaseConfiguration)
    }

    /// A repository of which nothing is implemented: each call fails the test, and throws.
    public static var testValue: ServerRepository { ServerRepository() }
}
