internal import Logging
public import SQLCore

/// A database that repositories are made over: where it is, and who hears of what is written.
///
/// ```swift
/// let configuration = DatabaseConfiguration(databaseType: .physical(filePath: path))
/// let repository = ServerRepository.live(configuration: configuration)
/// ```
/// All repositories of one configuration, and of its copies, use one database, which is opened by
/// the first call that needs it and closed when the last of them goes, or by `closeConnection`.
public struct DatabaseConfiguration: Sendable {
    /// Where the database is.
    public let databaseType: DatabaseType
    /// Who hears of what is written.
    public let executor: DatabaseExecutor
    let connection: DatabaseConnection

    /// A database, of which nothing is opened yet.
    ///
    /// - Parameters:
    ///   - databaseType: where it is.
    ///   - executor: who hears of what is written.
    ///   - names: what countries are called, which searches and orders go by.
    ///   - encryption: the key of a file, or of that which is copied; nil for a plain one. A
    ///     database in memory can have none, and is not opened with one.
    ///   - policy: what is done with a file at a path that a later version of this library has
    ///     written.
    ///   - log: told in one line what was done with it.
    public init(
        databaseType: DatabaseType, executor: DatabaseExecutor = DatabaseExecutor(),
        names: CountryNames = .current, encryption: (any DatabaseKey)? = nil,
        ifNewer policy: NewerVersionPolicy = .fail,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.databaseType, self.executor) = (databaseType, executor)
        connection = DatabaseConnection(
            databaseType, names, encryption, ifNewer: policy, log: log)
    }

    /// The database of the application, at `standardPath`. With a file of a later version builds
    /// that are debugged stop; others log an error, delete it and create an empty one.
    public static let live = DatabaseConfiguration(
        databaseType: .physical(filePath: standardPath), ifNewer: livePolicy,
        log: errorLog(Logger(label: "ServerStore")))

    /// Logs lines as errors: data is lost, or set aside.
    static func errorLog(_ logger: Logger) -> @Sendable (String) -> Void {
        { logger.error("\($0)") }
    }

    /// Where the database of the application is: `servers.cblite2` in a directory of its name, in the
    /// user's directory for what supports applications.
    public static var standardPath: String { DatabaseConnection.standardPath }

    private static var livePolicy: NewerVersionPolicy {
        #if DEBUG
            .assert
        #else
            .recreate
        #endif
    }

    /// A database of a test, with callbacks for what is written.
    public static func withTestExecutor(
        databaseType: DatabaseType = .ephemeral,
        didStoreServers: @escaping @Sendable ([VPNServer]) -> Void = { _ in },
        didUpdateLoads: @escaping @Sendable ([ContinuousServerProperties]) -> Void = { _ in }
    ) -> DatabaseConfiguration {
        let executor = DatabaseExecutor(
            didStoreServers: didStoreServers, didUpdateLoads: didUpdateLoads)
        return DatabaseConfiguration(databaseType: databaseType, executor: executor)
    }
}
