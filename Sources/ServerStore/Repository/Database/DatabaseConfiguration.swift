internal import Logging
public import SQLCore

/// The database of repositories: its location, and the callbacks for writes.
///
/// ```swift
/// let configuration = DatabaseConfiguration(databaseType: .physical(filePath: path))
/// let repository = ServerRepository.live(configuration: configuration)
/// ```
/// All repositories of one configuration, and of its copies, share one database. The first call
/// that needs it opens it; it is closed when the last repository is released, or by
/// `closeConnection`.
public struct DatabaseConfiguration: Sendable {
    /// The location of the database.
    public let databaseType: DatabaseType
    /// The callbacks for writes.
    public let executor: DatabaseExecutor
    let connection: DatabaseConnection

    /// Creates a configuration without opening the database.
    ///
    /// - Parameters:
    ///   - databaseType: the location of the database.
    ///   - executor: the callbacks for writes.
    ///   - names: the names of countries, used by searches and orders.
    ///   - encryption: the key of the file, or of the file that is copied; nil for a plain one. A
    ///     database in memory cannot be encrypted; with a key it fails to open.
    ///   - policy: what to do with a file written by a later version of this library.
    ///   - log: receives one line about what was done with such a file.
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

    /// The database of the application, at `standardPath`. For a file of a later version, debug
    /// builds stop; other builds log an error, delete the file and create an empty one.
    public static let live = DatabaseConfiguration(
        databaseType: .physical(filePath: standardPath), ifNewer: livePolicy,
        log: errorLog(Logger(label: "ServerStore")))

    /// Logs lines as errors, since data is lost or set aside.
    static func errorLog(_ logger: Logger) -> @Sendable (String) -> Void {
        { logger.error("\($0)") }
    }

    /// The path of the application's database: `servers.cblite2` in a directory with the
    /// application's name in the user's application support directory.
    public static var standardPath: String { DatabaseConnection.standardPath }

    private static var livePolicy: NewerVersionPolicy {
        #if DEBUG
            .assert
        #else
            .recreate
        #endif
    }

    /// A database for a test, with callbacks for writes.
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
