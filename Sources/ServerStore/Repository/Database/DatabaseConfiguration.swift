internal import Logging
public import SQLCore

/// The database of repositories: its location, and the callbacks for writes.
///
/// ```swift
/// let configuration = DatabaseConfiguration(databaseType: .physical(filePath: path))
/// let repository = ServerRepository.live(configuration: configuration)
/// ```
/// All repositories of one configuration, and of its copies, share one database. The first call
/// that needs it opens it; concurrent calls wait for that. It is closed when the last repository is
/// released, or by `closeConnection`, after which the configuration cannot be used again.
///
/// An application that opens a ``ServerStore`` itself uses
/// ``ServerRepository/live(store:executor:)`` instead.
public struct DatabaseConfiguration: Sendable {
    /// The location of the database.
    public let databaseType: DatabaseType
    /// The callbacks for writes of repositories over this configuration.
    public let executor: DatabaseExecutor
    let connection: DatabaseConnection

    /// Creates a configuration without opening the database, so it cannot fail.
    ///
    /// - Parameters:
    ///   - databaseType: the location of the database. Missing directories of a file's path are
    ///     created when it is opened.
    ///   - executor: the callbacks for writes.
    ///   - names: the names of countries, used by searches and orders.
    ///   - encryption: the key of the file, or of the file that is copied; nil for a plaintext one.
    ///     An in-memory database cannot be encrypted; with a key it fails to open.
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

    /// The database of the application, at ``standardPath``.
    ///
    /// For a file of a later version, debug builds stop; other builds log an error, delete the file
    /// and create an empty one, which loses profiles and recents. Use
    /// ``init(databaseType:executor:names:encryption:ifNewer:log:)`` for another location, a key or
    /// another policy.
    /// ```swift
    /// let repository = ServerRepository.live(configuration: .live)
    /// ```
    public static let live = DatabaseConfiguration(
        databaseType: .physical(filePath: standardPath), ifNewer: livePolicy,
        log: errorLog(Logger(label: "ServerStore")))

    /// Logs lines as errors, since data is lost or set aside.
    static func errorLog(_ logger: Logger) -> @Sendable (String) -> Void {
        { logger.error("\($0)") }
    }

    /// The path of the application's database: `servers.cblite2` in a directory with the
    /// application's bundle identifier, or else the name of the process, in the user's application
    /// support directory.
    ///
    /// On a system without such a directory it is in the directory for temporary files.
    public static var standardPath: String { DatabaseConnection.standardPath }

    private static var livePolicy: NewerVersionPolicy {
        #if DEBUG
            .assert
        #else
            .recreate
        #endif
    }

    /// Returns a database for a test, with callbacks for writes.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.withTestExecutor(didStoreServers: { servers in
    ///     print("stored \(servers.map(\.id))")
    /// })
    /// try ServerRepository.live(configuration: configuration).upsert(servers: servers)
    /// ```
    ///
    /// - Parameters:
    ///   - databaseType: the location; empty and in memory by default.
    ///   - didStoreServers: called with stored servers.
    ///   - didUpdateLoads: called with stored loads.
    /// - Returns: a configuration whose database is opened on first use.
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
