import ServerStore
import StoreTestSupport
import Synchronization
import Testing

@Suite("A repository over a store")
struct RepositoryStoreTests {
    @Test("stores, reads and removes")
    func members() throws {
        let repository = ServerRepository.live(store: try .inMemory())
        #expect(try repository.isEmpty)
        let stored = try repository.upsert(servers: RepositoryServers.all)
        #expect(stored == ListChange(added: ["a", "b", "c", "d"]))
        #expect(try repository.upsert(servers: RepositoryServers.all).isEmpty)
        #expect(try repository.serverCount() == 4 && repository.countryCount() == 2)
        let first = try repository.getFirstServer(orderedBy: .fastest)
        #expect(first == RepositoryServers.all[2])
        let names = try repository.servers(orderedBy: .nameAscending).map(\.logical.name)
        #expect(names == ["CH#9", "CH#10", "DE#1", "SE-DE#1"])
        #expect(try repository.search("ch#", limit: 1).map(\.id) == ["b"])
        #expect(try repository.select(.init(location: [.logicalID("a")])).logical.id == "a")
        let groups = try repository.groups(
            filteredBy: [.features(.standard)], orderedBy: .exitCountryCodeAscending)
        #expect(groups.map(\.serverCount) == [2, 1])
        let loads = [RepositoryServers.load("a", 99), RepositoryServers.load("z", 1)]
        #expect(try repository.upsert(loads: loads) == LoadChange(updated: 1, unknown: ["z"]))
        let changed = try repository.getFirstServer(filteredBy: [.logicalID("a")])
        #expect(changed?.logical.load == 99)
        #expect(try repository.delete(serversWithIDsNotIn: ["a"], maxTier: 0) == ["b"])
        #expect(try repository.servers().map(\.id) == ["a", "c", "d"])
    }

    @Test("replaces a list and its metadata at once")
    func replacing() throws {
        let repository = ServerRepository.live(store: try .inMemory())
        try repository.upsert(servers: RepositoryServers.all)
        let change = try repository.replaceList(
            Array(RepositoryServers.all.prefix(2)), metadata: [.lastModifiedAll: "Monday"])
        #expect(change == ListChange(removed: ["c", "d"], unchanged: 2))
        #expect(try repository.getMetadata(.lastModifiedAll) == "Monday")
        let error = #expect(throws: ServerStoreError.self) {
            try repository.replaceList([], metadata: [.lastModifiedAll: "Tuesday"])
        }
        #expect(error?.code == .emptyList)
        #expect(try repository.getMetadata(.lastModifiedAll) == "Monday")
        #expect(try repository.serverCount() == 2)
        try repository.setMetadata("7", for: .consecutiveSuccessfulRefreshes)
        #expect(try repository.getMetadata(.consecutiveSuccessfulRefreshes) == "7")
        try repository.deleteMetadata(.consecutiveSuccessfulRefreshes)
        #expect(try repository.getMetadata(.consecutiveSuccessfulRefreshes) == nil)
        try repository.replaceList([], allowsEmpty: true)
        #expect(try repository.isEmpty)
    }

    @Test("the executor is called after servers were stored")
    func executor() throws {
        let told = Mutex<[String]>([])
        let store = try ServerStore.inMemory()
        let executor = DatabaseExecutor { servers in
            let count = (try? store.currentList().serverCount) ?? -1
            told.withLock { $0.append("\(servers.count) servers of \(count)") }
        } didUpdateLoads: { loads in
            told.withLock { $0.append("\(loads.count) loads") }
        }
        let repository = ServerRepository.live(store: store, executor: executor)
        try repository.upsert(servers: RepositoryServers.all)
        try repository.upsert(loads: [RepositoryServers.load("a", 1)])
        try repository.replaceList([RepositoryServers.all[0]])
        #expect(throws: ServerStoreError.self) { try repository.replaceList([]) }
        try repository.setMetadata("1", for: .lastModifiedFree)
        #expect(told.withLock { $0 } == ["4 servers of 4", "1 loads", "1 servers of 1"])
    }

    @Test("a reader finds the old or the new list while it is replaced")
    func readers() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("servers.cblite2")
        let repository = ServerRepository.live(
            configuration: DatabaseConfiguration(databaseType: .physical(filePath: path)))
        let lists = [RepositoryServers.all, Array(RepositoryServers.all.prefix(1))]
        try repository.replaceList(lists[0], metadata: [.lastModifiedAll: "4"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<100 {
                        let ids = try await repository.async.servers().map(\.id)
                        #expect(ids == ["a", "b", "c", "d"] || ids == ["a"])
                    }
                }
            }
            for round in 1...20 {
                let list = lists[round % 2]
                try await repository.async.replaceList(
                    list, metadata: [.lastModifiedAll: "\(list.count)"])
            }
            try await group.waitForAll()
        }
        #expect(try repository.getMetadata(.lastModifiedAll) == "4")
        #expect(try repository.serverCount() == 4)
    }

    @Test("after it was closed, all members throw")
    func closed() throws {
        let repositories = [
            ServerRepository.live(store: try .inMemory()),
            ServerRepository.live(configuration: .withTestExecutor()),
        ]
        for repository in repositories {
            try repository.upsert(servers: RepositoryServers.all)
            try repository.closeConnection()
            for (name, call) in RepositoryMemberTests.calls where name != "closeConnection" {
                let error = #expect(throws: ServerStoreError.self) { try call(repository) }
                #expect(error?.code == .closed)
            }
            try repository.closeConnection()
        }
    }
}

@Suite("Databases of repositories")
struct RepositoryDatabaseTests {
    private func repository(_ type: DatabaseType) -> ServerRepository {
        .live(configuration: DatabaseConfiguration(databaseType: type))
    }

    @Test("repositories of one configuration share its database")
    func configuration() throws {
        let configuration = DatabaseConfiguration.withTestExecutor(databaseType: .ephemeral)
        let copy = configuration
        try ServerRepository.live(configuration: configuration)
            .upsert(servers: RepositoryServers.all)
        #expect(try ServerRepository.live(configuration: copy).serverCount() == 4)
        #expect(try repository(.ephemeral).isEmpty)
    }

    @Test("a file is made with its directory, and is there when it is opened again")
    func physical() throws {
        let directory = try TemporaryDirectory()
        let path = directory("deep/er/servers.cblite2")
        let first = repository(.physical(filePath: path))
        try first.upsert(servers: RepositoryServers.all)
        // A second configuration sees what the first one writes.
        let second = repository(.physical(filePath: path))
        #expect(try second.serverCount() == 4)
        try first.closeConnection()
        try second.delete(serversWithIDsNotIn: ["a", "b"], maxTier: .max)
        try second.closeConnection()
        #expect(try repository(.physical(filePath: path)).servers().map(\.id) == ["a", "b"])
    }

    @Test("an ephemeral database can be a copy of a file, which stays unchanged")
    func ephemeral() throws {
        let directory = try TemporaryDirectory()
        let path = directory("servers.cblite2")
        let original = repository(.physical(filePath: path))
        try original.upsert(servers: RepositoryServers.all)
        let copy = repository(.ephemeral(filePath: path))
        #expect(try copy.serverCount() == 4)
        try copy.replaceList([], allowsEmpty: true)
        #expect(try copy.isEmpty && original.serverCount() == 4)
    }

    @Test("a database that cannot be opened throws each time, with its path")
    func unopened() throws {
        let directory = try TemporaryDirectory()
        for type in [
            DatabaseType.ephemeral(filePath: directory("missing.cblite2")),
            .physical(filePath: "/dev/null/servers.cblite2"),
        ] {
            let repository = repository(type)
            for _ in 0..<2 {
                #expect(throws: (any Error).self) { try repository.isEmpty }
            }
        }
    }

    @Test("the in-memory database is one for the process, and stays when a repository is closed")
    func inMemory() throws {
        let (one, other) = (repository(.inMemory), repository(.inMemory))
        try one.upsert(servers: RepositoryServers.all)
        #expect(try other.serverCount() == 4)
        try one.closeConnection()
        #expect(throws: ServerStoreError.self) { try one.isEmpty }
        #expect(try repository(.inMemory).serverCount() == 4)
        // Others can call countries by other names.
        let configuration = DatabaseConfiguration(
            databaseType: .inMemory, names: CountryNames(["CH": "Zwitserland", "DE": "Duitsland"]))
        let dutch = ServerRepository.live(configuration: configuration)
        #expect(try dutch.servers(filteredBy: [.matches("zwits")]).count == 2)
        #expect(try other.servers(filteredBy: [.matches("zwits")]).isEmpty)
        try other.replaceList([], allowsEmpty: true)
    }
}
