internal import ServerStore
public import XCTest

/// An `XCTestCase` each of whose tests starts with an empty database, which is its dependency.
///
/// ```swift
/// final class ServerScreenTests: TestIsolatedDatabaseTestCase {
///     func testShowsServers() throws {
///         try repository.upsert(servers: servers)
///         …
///     }
/// }
/// ```
open class TestIsolatedDatabaseTestCase: XCTestCase, TestIsolatedDatabaseTestDriver {
    /// The database of this test.
    public let database = TestDatabase()

    /// Runs the test with its database.
    open override func invokeTest() {
        withTestDatabase { super.invokeTest() }
    }
}
