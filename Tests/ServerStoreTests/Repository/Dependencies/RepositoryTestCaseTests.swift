import ServerStore
import ServerStoreTestSupport
import Synchronization
import XCTest

/// Each test of these classes finds an empty database, though each stores something.
class RepositoryTestIsolatedTests: TestIsolatedDatabaseTestCase {
    private func storesIntoEmptyDatabase() throws {
        XCTAssertTrue(try repository.isEmpty)
        try ServerDependencyValues.current.serverRepository.upsert(servers: RepositoryServers.all)
        XCTAssertEqual(try repository.serverCount(), 4)
        XCTAssertEqual(try ServerRepository.liveValue.serverCount(), 4)
    }

    func testFirstFindsAnEmptyDatabase() throws { try storesIntoEmptyDatabase() }

    func testSecondFindsAnEmptyDatabase() throws { try storesIntoEmptyDatabase() }

    func testOneThatWaitsHasTheDependency() async throws {
        try await Task {
            let repository = ServerDependencyValues.current.serverRepository
            try repository.upsert(servers: RepositoryServers.all)
        }.value
        let count = try await repository.async.serverCount()
        XCTAssertEqual(count, 4)
    }

    func testCallbacksTellOfWhatIsStored() throws {
        let told = Mutex<[Int]>([])
        database.didStoreServers = { servers in told.withLock { $0.append(servers.count) } }
        database.didUpdateLoads = { loads in told.withLock { $0.append(-loads.count) } }
        try repository.upsert(servers: RepositoryServers.all)
        try repository.upsert(loads: [RepositoryServers.load("a", 1)])
        XCTAssertEqual(told.withLock { $0 }, [4, -1])
    }
}

/// The tests of this class share a database, and run in the order of their names.
final class RepositoryCaseIsolatedTests: CaseIsolatedDatabaseTestCase {
    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try repository.upsert(servers: [RepositoryServers.all[0]]))
    }

    private func finds(_ count: Int) throws {
        XCTAssertEqual(try repository.serverCount(), count)
        try ServerDependencyValues.current.serverRepository
            .upsert(servers: [RepositoryServers.all[count]])
    }

    func testA() throws { try finds(1) }

    func testB() throws { try finds(2) }
}

/// What another class of tests would be.
class RepositoryOtherTestCase: XCTestCase {}

final class RepositoryTestDriverTests: RepositoryOtherTestCase, TestIsolatedDatabaseTestDriver {
    let database = TestDatabase()

    override func invokeTest() {
        withTestDatabase { super.invokeTest() }
    }

    override func setUpWithError() throws {
        XCTAssertTrue(try repository.isEmpty)
        try repository.upsert(servers: [RepositoryServers.all[0]])
    }

    private func findsOne() throws {
        let dependency = ServerDependencyValues.current.serverRepository
        XCTAssertEqual(try dependency.serverCount(), 1)
        try dependency.upsert(servers: RepositoryServers.all)
    }

    func testFirstFindsWhatWasSetUp() throws { try findsOne() }

    func testSecondFindsWhatWasSetUp() throws { try findsOne() }
}

final class RepositoryCaseDriverTests: RepositoryOtherTestCase, CaseIsolatedDatabaseTestDriver {
    static let database = TestDatabase()

    override func invokeTest() {
        withCaseDatabase { super.invokeTest() }
    }

    private func finds(_ count: Int) throws {
        XCTAssertEqual(try repository.serverCount(), count)
        try ServerDependencyValues.current.serverRepository
            .upsert(servers: [RepositoryServers.all[count]])
    }

    func testA() throws { try finds(0) }

    func testB() throws { try finds(1) }
}

/// A member that is not implemented fails a test of XCTest.
final class RepositoryMemberXCTests: XCTestCase {
    private var isExpected = false
    private var failures: [String] = []

    #if canImport(Darwin)
        override func record(_ issue: XCTIssue) {
            if isExpected { failures.append(issue.compactDescription) } else { super.record(issue) }
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
            expected: Bool
        ) {
            if isExpected {
                failures.append("\(lineNumber) \(description)")
            } else {
                super.recordFailure(
                    withDescription: description, inFile: filePath, atLine: lineNumber,
                    expected: expected)
            }
        }
    #endif

    func testAMemberThatIsNotImplementedFailsTheTest() {
        isExpected = true
        let found = try? ServerRepository().servers()
        isExpected = false
        XCTAssertNil(found)
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.allSatisfy { $0.contains("getServers was called") })
    }
}
