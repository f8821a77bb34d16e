import ServerStore
import Synchronization
import Testing

@Suite("A repository that never throws")
struct RepositoryFallbackTests {
    private struct Broken: Error {}

    /// A repository all of whose members throw.
    private let broken = ServerRepository(
        getServers: { _, _ in throw Broken() }, getFirstServer: { _, _ in throw Broken() },
        getGroups: { _, _, _ in throw Broken() }, searchServers: { _, _ in throw Broken() },
        selectServer: { _ in throw Broken() }, serverCount: { throw Broken() },
        countryCount: { throw Broken() }, upsertServers: { _ in throw Broken() },
        upsertLoads: { _ in throw Broken() }, replaceList: { _, _, _, _ in throw Broken() },
        deleteServers: { _, _ in throw Broken() }, getMetadata: { _ in throw Broken() },
        setMetadata: { _, _ in throw Broken() }, closeConnection: { throw Broken() })

    @Test("returns an empty result if the other one throws, and calls the handler")
    func fallbacks() {
        let told = Mutex<[String]>([])
        let repository = broken.withFallbacks { member, error in
            #expect(error is Broken)
            told.withLock { $0.append(member) }
        }
        #expect(repository.servers().isEmpty && repository.getServers().isEmpty)
        #expect(repository.getFirstServer() == nil)
        #expect(repository.groups().isEmpty && repository.getGroups().isEmpty)
        #expect(repository.search("a").isEmpty && repository.select(.init()) == nil)
        #expect(repository.serverCount() == 0 && repository.countryCount() == 0)
        #expect(repository.isEmpty && repository.roundedServerCount == 0)
        #expect(repository.getMetadata(.lastModifiedAll) == nil)
        #expect(repository.upsert(servers: RepositoryServers.all).isEmpty)
        #expect(repository.upsert(loads: [RepositoryServers.load("a", 1)]) == LoadChange())
        #expect(repository.replaceList([]).isEmpty)
        #expect(repository.delete(serversWithIDsNotIn: [], maxTier: 0).isEmpty)
        repository.setMetadata("1", for: .lastModifiedAll)
        repository.deleteMetadata(.lastModifiedAll)
        repository.closeConnection()
        let expected = [
            "getServers", "getServers", "getFirstServer", "getGroups", "getGroups", "searchServers",
            "selectServer", "serverCount",
            "countryCount", "serverCount", "serverCount", "getMetadata", "upsertServers",
            "upsertLoads", "replaceList", "deleteServers", "setMetadata", "setMetadata",
            "closeConnection",
        ]
        #expect(told.withLock { $0 } == expected)
    }

    @Test("returns the results of the other one if that does not throw")
    func answers() throws {
        let repository = ServerRepository.live(store: try .inMemory()).withFallbacks()
        #expect(repository.upsert(servers: RepositoryServers.all).added.count == 4)
        #expect(repository.servers(filteredBy: [.maxTier(0)]).count == 2)
        #expect(repository.getFirstServer(orderedBy: .fastest)?.id == "c")
        #expect(repository.groups().count == 2 && repository.countryCount() == 2)
        repository.setMetadata("1", for: .lastModifiedAll)
        #expect(repository.getMetadata(.lastModifiedAll) == "1")
        #expect(repository.upsert(loads: [RepositoryServers.load("a", 1)]).updated == 1)
        #expect(repository.delete(serversWithIDsNotIn: ["a"], maxTier: 0) == ["b"])
        #expect(!repository.isEmpty)
    }

    @Test("no server for a request is not an error")
    func noServer() {
        let repository = ServerRepository(servers: []).withFallbacks { member, _ in
            Issue.record("\(member) was told of")
        }
        #expect(repository.select(.init()) == nil)
    }

    @Test("without a handler an error fails the test, and one for a missing member only once")
    func standardHandler() {
        withKnownIssue {
            #expect(broken.withFallbacks().serverCount() == 0)
        } matching: { issue in
            issue.comments.contains { $0.rawValue == "ServerRepository.serverCount: Broken()" }
        }
        let told = Mutex<[String]>([])
        TestIssues.withReporter { message, _ in
            told.withLock { $0.append(message) }
        } operation: {
            #expect(ServerRepository.testValue.withFallbacks().servers().isEmpty)
        }
        #expect(told.withLock { $0.count } == 1)
    }
}
