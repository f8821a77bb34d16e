internal import ServerStore
public import XCTest

/// An `XCTestCase` whose tests share a database, which is their dependency. It is empty at the
/// start of the first test.
///
/// Use it for tests that only read: the database is filled once in `setUp`, which runs before the
/// first test of the class.
/// ```swift
/// final class ServerQueryTests: CaseIsolatedDatabaseTestCase {
///     override class func setUp() {
///         super.setUp()
///         do {
///             try repository.upsert(servers: testServers)
///         } catch {
///             XCTFail("the servers cannot be stored: \(error)")
///         }
///     }
///
///     func testFindsSwissServers() throws {
///         let found = try repository.servers(filteredBy: [.exitCountryCode("CH")])
///         XCTAssertFalse(found.isEmpty)
///     }
/// }
/// ```
/// Tests that write use ``TestIsolatedDatabaseTestCase``, which gives each test its own. Each
/// subclass has a database of its own. For another base class see
/// ``CaseIsolatedDatabaseTestDriver``, for Swift Testing ``ServerDatabaseTrait``.
open class CaseIsolatedDatabaseTestCase: XCTestCase, CaseIsolatedDatabaseTestDriver {
    /// The database of the tests of this class, one for each subclass. It is created by the first
    /// access.
    public class var database: TestDatabase { .shared(by: self) }

    /// Resets the database before the first test; an override calls `super.setUp()` first.
    open override class func setUp() {
        super.setUp()
        database.reset()
    }

    /// Resets the database after the last test, so that its memory is released; an override calls
    /// `super.tearDown()`.
    open override class func tearDown() {
        database.reset()
        super.tearDown()
    }

    /// Runs the test with the database of its class as its dependency.
    open override func invokeTest() {
        withCaseDatabase { super.invokeTest() }
    }
}
