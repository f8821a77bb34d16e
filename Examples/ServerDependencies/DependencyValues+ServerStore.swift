// A bridge to the package swift-dependencies, for applications that use it: copy this file into the
// application's target. The project does not depend on that package, and its own container has
// names of its own (`ServerDependencyValues`), so both can be imported side by side.
#if canImport(Dependencies)
    import Dependencies
    import ServerStore

    private enum ServerRepositoryDependency: DependencyKey {
        static var liveValue: ServerRepository { .liveValue }
        static var testValue: ServerRepository { .testValue }
    }

    private enum DatabaseConfigurationDependency: DependencyKey {
        static var liveValue: DatabaseConfiguration { .live }
        static var testValue: DatabaseConfiguration { .withTestExecutor() }
    }

    extension DependencyValues {
        /// The servers that the application knows. In tests no member is implemented unless it is
        /// set.
        var serverRepository: ServerRepository {
            get { self[ServerRepositoryDependency.self] }
            set { self[ServerRepositoryDependency.self] = newValue }
        }

        /// The database that `ServerRepository.live(configuration:)` is created over. In tests it
        /// is empty and in memory.
        var databaseConfiguration: DatabaseConfiguration {
            get { self[DatabaseConfigurationDependency.self] }
            set { self[DatabaseConfigurationDependency.self] = newValue }
        }
    }
#endif
