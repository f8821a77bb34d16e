import ServerStore
import ServerStoreTestSupport
import Synchronization
import Testing

@Suite("A trait gives each test a database", .serverDatabase(.perTest))
struct RepositoryTraitTests {
    @ServerDependency(\.serverRepository) var repository

    @Test("which is empty when the test begins, and each of its cases", arguments: 1...4)
    func perTest(count: Int) throws {
        #expect(try repository.isEmpty)
        try repository.upsert(servers: Array(RepositoryServers.all.prefix(count)))
        #expect(try repository.serverCount() == count)
        #expect(try ServerRepository.liveValue.serverCount() == count)
    }

    @Test("which tasks of the test use, too")
    func tasks() async throws {
        try await repository.async.upsert(servers: RepositoryServers.all)
        async let count = ServerDependencyValues.current.serverRepository.serverCount()
        #expect(try await count == 4)
    }

    @Test("which is notified of stored servers")
    func callbacks() throws {
        let told = Mutex<[Int]>([])
        let database = try #require(TestDatabase.current)
        database.didStoreServers = { servers in told.withLock { $0.append(servers.count) } }
        database.didUpdateLoads = { loads in told.withLock { $0.append(-loads.count) } }
        try repository.upsert(servers: RepositoryServers.all)
        try repository.upsert(loads: [RepositoryServers.load("a", 1)])
        #expect(told.withLock { $0 } == [4, -1])
        database.didStoreServers = nil
        try repository.upsert(servers: RepositoryServers.all)
        #expect(told.withLock { $0.count } == 2)
    }

    @Test(
        "which a test can have with servers in it",
        .serverDatabase(servers: RepositoryServers.all))
    func servers() throws {
        #expect(try repository.serverCount() == 4)
    }

    @Suite("which its suites have, too")
    struct Inner {
        @Test(arguments: 0..<2)
        func inner(index: Int) throws {
            let repository = ServerDependencyValues.current.serverRepository
            #expect(try repository.isEmpty)
            try repository.upsert(servers: RepositoryServers.all)
        }
    }
}

@Suite(
    "A trait gives the tests of a suite a database together", .serialized,
    .serverDatabase(.perSuite, servers: [RepositoryServers.all[0]]))
struct RepositorySuiteTraitTests {
    @ServerDependency(\.serverRepository) var repository

    @Test("which has the servers of the suite, and what tests add", arguments: 1...3)
    func shared(index: Int) throws {
        #expect(try repository.serverCount() == index)
        try repository.upsert(servers: [RepositoryServers.all[index]])
    }
}

@Suite("A trait gives the cases of a test a database together")
struct RepositoryCaseTraitTests {
    @Test(
        "which has what the cases before have added", .serialized, .serverDatabase(.perSuite),
        arguments: 0...2)
    func shared(index: Int) throws {
        let repository = ServerDependencyValues.current.serverRepository
        #expect(try repository.serverCount() == index)
        try repository.upsert(servers: [RepositoryServers.all[index]])
    }
}

@Suite("A database for tests")
struct RepositoryTestDatabaseTests {
    @Test("is another one after it was reset, and has no callbacks then")
    func reset() throws {
        let database = TestDatabase()
        let told = Mutex(0)
        database.didStoreServers = { servers in told.withLock { $0 += servers.count } }
        let old = database.repository
        try old.upsert(servers: RepositoryServers.all)
        database.reset()
        #expect(try database.repository.isEmpty && old.serverCount() == 4)
        try database.repository.upsert(servers: RepositoryServers.all)
        #expect(told.withLock { $0 } == 4)
        #expect(database.didStoreServers == nil)
    }

    @Test("is a dependency while it is used")
    func use() throws {
        let database = TestDatabase()
        try database.use {
            #expect(TestDatabase.current === database)
            try ServerDependencyValues.current.serverRepository.upsert(
                servers: RepositoryServers.all)
        }
        #expect(TestDatabase.current == nil)
        #expect(try database.repository.serverCount() == 4)
    }
}
