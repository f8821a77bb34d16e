public import ServerStore
internal import Synchronization
public import XCTest

/// The functionality of ``CaseIsolatedDatabaseTestCase`` for subclasses of another `XCTestCase`.
///
/// ```swift
/// final class ServerQueryTests: ScreenTestCase, CaseIsolatedDatabaseTestDriver {
///     static let database = TestDatabase()
///
///     override func invokeTest() {
///         withCaseDatabase { super.invokeTest() }
///     }
///
///     override class func tearDown() {
///         database.reset()
///         super.tearDown()
///     }
/// }
/// ```
/// The database is not reset between tests, and it stays until the process ends unless the class
/// resets it, as here in `tearDown`.
public protocol CaseIsolatedDatabaseTestDriver: XCTestCase {
    /// The database of the tests of this class; a `static let`, so that all tests have the same
    /// one.
    static var database: TestDatabase { get }
}

extension CaseIsolatedDatabaseTestDriver {
    /// The repository over the database of this class, for class methods such as `setUp`.
    public static var repository: ServerRepository { database.repository }

    // Not `Self`: in a call from a class that is not final, it is not the class of the test.

    /// The repository over the database of this class, for tests.
    public var repository: ServerRepository { type(of: self).database.repository }

    /// Runs a test with the database of its class as its dependency.
    ///
    /// An override of `invokeTest()` calls it, so that `setUp()`, the test and `tearDown()` all
    /// have the database.
    ///
    /// - Parameter invokeTest: runs the test, usually `super.invokeTest()`.
    public func withCaseDatabase(_ invokeTest: () -> Void) {
        type(of: self).database.use(invokeTest)
    }
}

extension TestDatabase {
    private static let byClass = Mutex<[ObjectIdentifier: TestDatabase]>([:])

    /// The database of a class of tests.
    static func shared(by type: XCTestCase.Type) -> TestDatabase {
        byClass.withLock { databases in
            let key = ObjectIdentifier(type)
            let database = databases[key] ?? TestDatabase()
            databases[key] = database
            return database
        }
    }
}
