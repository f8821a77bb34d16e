public import ServerStore
public import XCTest

/// The functionality of `TestIsolatedDatabaseTestCase` for subclasses of another `XCTestCase`.
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
    /// The database of this test: XCTest creates an instance of the class for each.
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
        // XCTest retains its instances until the last test has run.
        database.reset()
    }
}
