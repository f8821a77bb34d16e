public import ServerStore
internal import Synchronization
public import XCTest

/// The functionality of `CaseIsolatedDatabaseTestCase` for subclasses of another `XCTestCase`.
///
/// ```swift
/// final class ServerQueryTests: ScreenTestCase, CaseIsolatedDatabaseTestDriver {
///     static let database = TestDatabase()
///
///     override func invokeTest() {
///         withCaseDatabase { super.invokeTest() }
///     }
/// }
/// ```
public protocol CaseIsolatedDatabaseTestDriver: XCTestCase {
    /// The database of the tests of this class.
    static var database: TestDatabase { get }
}

extension CaseIsolatedDatabaseTestDriver {
    /// The repository over the database of this class.
    public static var repository: ServerRepository { database.repository }

    // Not `Self`: in a call from a class that is not final, it is not the class of the test.

    /// The repository over the database of this class.
    public var repository: ServerRepository { type(of: self).database.repository }

    /// Runs a test with the database of its class; `invokeTest()` calls it.
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
