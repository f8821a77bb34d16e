public import ServerStore
public import Testing

/// Gives tests a database of their own, which is their dependency.
///
/// ```swift
/// @Suite(.serverDatabase(.perTest))
/// struct ServerScreenTests {
///     @ServerDependency(\.serverRepository) var repository
/// }
/// ```
/// `TestDatabase.current` has the callbacks.
public struct ServerDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// Which tests share a database.
    public enum Isolation: Hashable, Sendable {
        /// None: each test begins with an empty one, and so does each case of one with arguments.
        case perTest
        /// Those of the suite, or the cases of the test, that has the trait.
        case perSuite
    }

    /// Which tests share a database.
    public let isolation: Isolation
    /// Where it is.
    public let databaseType: DatabaseType
    /// The servers that it has at the beginning.
    public let servers: [VPNServer]

    /// Whether the tests of a suite have the trait in its place.
    public var isRecursive: Bool { isolation == .perTest }

    /// Who makes a database for a test: the trait of each case, or that of the suite.
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
    /// Gives tests a database of their own, or one together.
    ///
    /// - Parameters:
    ///   - isolation: which tests share it.
    ///   - databaseType: where it is.
    ///   - servers: what it has at the beginning.
    public static func serverDatabase(
        _ isolation: ServerDatabaseTrait.Isolation = .perTest,
        databaseType: DatabaseType = .ephemeral, servers: [VPNServer] = []
    ) -> Self {
        Self(isolation: isolation, databaseType: databaseType, servers: servers)
    }
}
