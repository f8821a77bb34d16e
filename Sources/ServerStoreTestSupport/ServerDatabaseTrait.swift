public import ServerStore
public import Testing

/// A trait that gives tests a database of their own, which is their dependency.
///
/// ```swift
/// @Suite(.serverDatabase(.perTest))
/// struct ServerScreenTests {
///     @ServerDependency(\.serverRepository) var repository
/// }
///
/// extension ServerScreenTests {
///     @Test("The screen has a title for each server")
///     func titles() throws {
///         try repository.upsert(servers: testServers)
///         #expect(try ServerScreen().titles().count == testServers.count)
///     }
/// }
/// ```
/// ``TestDatabase/current`` is the database of the running test, with callbacks for writes:
/// ```swift
/// @Suite(.serverDatabase())
/// struct ServerWriteTests {
///     let stored = Confirmations()
/// }
///
/// extension ServerWriteTests {
///     @Test func notifies() throws {
///         let database = try #require(TestDatabase.current)
///         database.didStoreServers = { servers in stored.add(servers.count) }
///         try database.repository.upsert(servers: testServers)
///         #expect(stored.count == testServers.count)
///     }
/// }
/// ```
/// Databases of different tests are independent, so tests can run in parallel. With XCTest use
/// ``TestIsolatedDatabaseTestCase``.
public struct ServerDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    /// Which tests share a database.
    public enum Isolation: Hashable, Sendable {
        /// None: each test starts with an empty one, and so does each case of a parameterized test.
        case perTest
        /// The tests of the suite with the trait, or the cases of the test with the trait.
        case perSuite
    }

    /// Which tests share a database; by default none do.
    public let isolation: Isolation
    /// The location of the database: empty and in memory, unless the trait names a file to copy.
    public let databaseType: DatabaseType
    /// The servers in the database at the start; each database gets them when it is created.
    public let servers: [VPNServer]

    /// Whether the tests of a suite inherit the trait: they do if each test has a database of its
    /// own.
    public var isRecursive: Bool { isolation == .perTest }

    /// Returns the trait that provides the database for a test: that of each case, or that of the
    /// suite. Swift Testing calls it.
    ///
    /// - Parameters:
    ///   - test: the test or the suite.
    ///   - testCase: the case of a test; nil for a suite or a test as a whole.
    /// - Returns: this trait, or nil if another scope has the database.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        switch isolation {
        case .perTest: testCase == nil ? nil : self
        case .perSuite: testCase == nil ? self : nil
        }
    }

    /// Runs a test or a suite with a database as its dependency. Swift Testing calls it.
    ///
    /// - Parameters:
    ///   - test: the test or the suite.
    ///   - testCase: the case of a test, or nil.
    ///   - function: runs the test.
    /// - Throws: errors of the test, and of storing ``servers``.
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
    /// Returns a trait that gives tests a database of their own, or a shared one.
    ///
    /// ```swift
    /// @Suite(.serverDatabase(.perSuite, servers: testServers), .serialized)
    /// struct ServerSearchTests {
    ///     @ServerDependency(\.serverRepository) var repository
    /// }
    ///
    /// extension ServerSearchTests {
    ///     @Test func findsCities() throws {
    ///         #expect(try repository.search("zurich").isEmpty == false)
    ///     }
    /// }
    /// ```
    /// A suite whose tests write to a shared database should be `.serialized`, since their order
    /// matters.
    ///
    /// - Parameters:
    ///   - isolation: which tests share it; by default none do.
    ///   - databaseType: the location of the database; in memory by default.
    ///   - servers: the servers in it at the start; none by default.
    /// - Returns: a trait for a suite or for a test.
    public static func serverDatabase(
        _ isolation: ServerDatabaseTrait.Isolation = .perTest,
        databaseType: DatabaseType = .ephemeral, servers: [VPNServer] = []
    ) -> Self {
        Self(isolation: isolation, databaseType: databaseType, servers: servers)
    }
}
