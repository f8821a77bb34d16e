public import ServerStore
public import XCTest

/// What `TestIsolatedDatabaseTestCase` does, for subclasses of another `XCTestCase`.
///
/// ```swift
/// final class ServerScreenTests: ScreenTestCase, TestIsolatedDatabaseTestDriver {
///     let database = TestDatabase()
///
///     override func invokeTest() {
///         withTestDatabase { super.invokeTest() }
///     }
/// }
/// ```
public protocol TestIsolatedDatabaseTestDriver: XCTestCase {
    /// The database of this test: XCTest makes a value of the class for each.
    var database: TestDatabase { get }
}

extension TestIsolatedDatabaseTestDriver {
    /// The repository over the database of this test.
    public var repository: ServerRepository { database.repository }

    /// Runs a test with an empty database; `invokeTest()` calls it. `setUp()` and `tearDown()` are
    /// part of it.
    public func withTestDatabase(_ invokeTest: () -> Void) {
        database.reset()
        database.use(invokeTest)
        // XCTest keeps its values until the last test has run.
        database.reset()
    }
}
