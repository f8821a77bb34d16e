public import ServerStore
public import Testing

/// A trait that gives tests a database of their own, which is their dependency.
///
/// ```swift
/// @Suite(.serverDatabase(.perTest))
/// struct ServerScreenTests {
///     @ServerDependency(\.serverRepository) var repository
/// }
/// ```
/// `TestDatabase.current` provides the callbacks.
public struct ServerDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// Which tests share a database.
    public enum Isolation: Hashable, Sendable {
        /// None: each test starts with an empty one, and so does each case of a parameterized test.
        case perTest
        /// The tests of the suite with the trait, or the cases of the test with the trait.
        case perSuite
    }

    /// Which tests share a database.
    public let isolation: Isolation
    /// The location of the database.
    public let databaseType: DatabaseType
    /// The servers in it at the start.
    public let servers: [VPNServer]

    /// Whether the tests of a suite inherit the trait.
    public var isRecursive: Bool { isolation == .perTest }

    /// The trait that provides the database for a test: that of each case, or that of the suite.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        switch isolation {
        case .perTest: testCase == nil ? nil : self
        case .perSuite: testCase == nil ? self : nil
        }
    }

    /// Runs a test with a database.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let database = TestDatabase(databaseType: databaseType)
        if !servers.isEmpty { try database.repository.upsert(servers: servers) }
        try await database.use(function)
    }
}

extension Trait where Self == ServerDatabaseTrait {
    /// Gives tests a database of their own, or a shared one.
    ///
    /// - Parameters:
    ///   - isolation: which tests share it.
    ///   - databaseType: the location of the database.
    ///   - servers: the servers in it at the start.
    public static func serverDatabase(
        _ isolation: ServerDatabaseTrait.Isolation = .perTest,
        databaseType: DatabaseType = .ephemeral, servers: [VPNServer] = []
    ) -> Self {
        Self(isolation: isolation, databaseType: databaseType, servers: servers)
    }
}
