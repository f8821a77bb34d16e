internal import ServerStore
public import XCTest

/// An `XCTestCase` whose tests share a database, which is their dependency. It is empty at the
/// start of the first test.
///
/// ```swift
/// final class ServerQueryTests: CaseIsolatedDatabaseTestCase {
///     override class func setUp() {
///         super.setUp()
///         // Store what all tests read.
///     }
/// }
/// ```
open class CaseIsolatedDatabaseTestCase: XCTestCase, CaseIsolatedDatabaseTestDriver {
    /// The database of the tests of this class.
    public class var database: TestDatabase { .shared(by: self) }

    /// Resets the database.
    open override class func setUp() {
        super.setUp()
        database.reset()
    }

    /// Resets the database.
    open override class func tearDown() {
        database.reset()
        super.tearDown()
    }

    /// Runs the test with the database of its class.
    open override func invokeTest() {
        withCaseDatabase { super.invokeTest() }
    }
}
