import ServerStore
import Testing

/// What the first description of the interface shows, as it stands there.
@Suite("The samples of the description work")
struct RepositorySeedTests {
    let repository = ServerRepository(servers: RepositoryServers.all)

    @Test("groups of which at least one server supports p2p: filters come before groups")
    func groups() throws {
        let groups = try repository.groups(filteredBy: [.features(.p2p)])
        #expect(groups.map(\.serverCount) == [1, 1])
        #expect(groups.allSatisfy { $0.featureUnion.contains(.p2p) })
    }

    @Test("all free Swiss servers")
    func servers() throws {
        let servers = try repository.servers(
            filteredBy: [
                .maxTier(0),
                .kind(.country("CH")),
            ],
            orderedBy: .nameAscending
        )
        #expect(servers.map(\.logical.name) == ["CH#9", "CH#10"])
    }

    @Test("they stand word by word with the repository that never throws")
    func verbatim() {
        let repository = repository.withFallbacks()
        let groups = repository.groups(filteredBy: [.features(.p2p)])
        let servers = repository.servers(
            filteredBy: [
                .maxTier(0),
                .kind(.country("CH")),
            ],
            orderedBy: .nameAscending
        )
        let all: ([VPNServerFilter]) -> [ServerGroupInfo] = {
            repository.getGroups(filteredBy: $0)
        }
        #expect(groups.count == 2 && servers.count == 2 && all([]).count == 2)
    }

    @Test("the main functions have the names and types that they are described with")
    func signatures() throws {
        let first: ([VPNServerFilter], VPNServerOrder) throws -> VPNServer? =
            repository.getFirstServer(filteredBy:orderedBy:)
        let servers: ([VPNServerFilter], VPNServerOrder) throws -> [ServerInfo] =
            repository.getServers(filteredBy:orderedBy:)
        let groups = { (filters: [VPNServerFilter]) throws -> [ServerGroupInfo] in
            try repository.getGroups(filteredBy: filters)
        }
        #expect(try first([], .fastest)?.id == "c")
        #expect(try servers([], .fastest).map(\.id) == ["c", "b", "a", "d"])
        #expect(try groups([]).count == 2)
    }

    /// A system under test that takes the repository from where it is used.
    private struct Screen {
        @ServerDependency(\.serverRepository) var serverRepository

        func title() throws -> String {
            let servers = try serverRepository.getServers(
                filteredBy: [.isNotUnderMaintenance], orderedBy: .random)
            return servers.isEmpty ? "No servers" : "\(servers.count) servers"
        }
    }

    @Test("a test gives a repository without servers")
    func emptyServerList() throws {
        let title = try withServerDependencies {
            $0.serverRepository = .init(servers: [])
        } operation: {
            try Screen().title()
        }
        #expect(title == "No servers")
    }

    @Test("a test that gives none fails")
    func noRepository() {
        withKnownIssue {
            _ = try? Screen().title()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("ServerRepository.getServers was") }
        }
    }

    @Test("a test gives the live repository over an ephemeral database")
    func liveValue() throws {
        let repositoryImplementation = withServerDependencies {
            $0.databaseConfiguration = .withTestExecutor(databaseType: .ephemeral)
        } operation: {
            ServerRepository.liveValue
        }
        #expect(try repositoryImplementation.isEmpty)
        try repositoryImplementation.upsert(servers: RepositoryServers.all)
        #expect(try repositoryImplementation.serverCount() == 4)
        let other = ServerRepositoryKey.liveValue
        #expect(try other.isEmpty)
    }
}
