internal import ServerStore
public import XCTest

/// An `XCTestCase` each of whose tests starts with an empty database, which is its dependency.
///
/// ```swift
/// final class ServerScreenTests: TestIsolatedDatabaseTestCase {
///     func testShowsServers() throws {
///         try repository.upsert(servers: testServers)
///         XCTAssertEqual(try ServerScreen().titles().count, testServers.count)
///     }
/// }
/// ```
/// Tests that only read can share a database with ``CaseIsolatedDatabaseTestCase``. For another
/// base class see ``TestIsolatedDatabaseTestDriver``, for Swift Testing ``ServerDatabaseTrait``.
open class TestIsolatedDatabaseTestCase: XCTestCase, TestIsolatedDatabaseTestDriver {
    /// The database of this test; `setUp()` can store what the test reads.
    public let database = TestDatabase()

    /// Runs the test with its database, including `setUp()` and `tearDown()`.
    open override func invokeTest() {
        withTestDatabase { super.invokeTest() }
    }
}
