public import ServerStore
public import XCTest

/// The functionality of ``TestIsolatedDatabaseTestCase`` for subclasses of another `XCTestCase`.
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
/// Without the override of `invokeTest()` the tests have a ``database``, but code under test does
/// not: its dependencies are unimplemented.
public protocol TestIsolatedDatabaseTestDriver: XCTestCase {
    /// The database of this test, a `let`: XCTest creates an instance of the class for each test.
    var database: TestDatabase { get }
}

extension TestIsolatedDatabaseTestDriver {
    /// The repository over the database of this test. Each access creates one; all share the
    /// database.
    public var repository: ServerRepository { database.repository }

    /// Runs a test with an empty database as its dependency; `invokeTest()` calls it. `setUp()` and
    /// `tearDown()` are part of it.
    ///
    /// The database is reset before the test and after it, since XCTest retains its instances until
    /// the last test has run.
    ///
    /// - Parameter invokeTest: runs the test, usually `super.invokeTest()`.
    public func withTestDatabase(_ invokeTest: () -> Void) {
        database.reset()
        database.use(invokeTest)
        // XCTest retains its instances until the last test has run.
        database.reset()
    }
}
