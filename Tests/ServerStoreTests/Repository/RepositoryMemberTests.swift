import ServerStore
import Synchronization
import Testing

@Suite("A repository has the members that it is given, and the others fail the test")
struct RepositoryMemberTests {
    /// Each member by its name, and a call of it.
    static let calls: [(String, @Sendable (ServerRepository) throws -> Void)] = [
        ("getServers", { _ = try $0.servers() }),
        ("getServers", { _ = try $0.getServers(filteredBy: [.maxTier(0)]) }),
        ("getFirstServer", { _ = try $0.getFirstServer(orderedBy: .fastest) }),
        ("getGroups", { _ = try $0.groups() }),
        ("getGroups", { _ = try $0.getGroups(groupedBy: .cityName) }),
        ("searchServers", { _ = try $0.search("ch") }),
        ("selectServer", { _ = try $0.select(.init()) }),
        ("serverCount", { _ = try $0.serverCount() }),
        ("serverCount", { _ = try $0.isEmpty }),
        ("serverCount", { _ = try $0.roundedServerCount }),
        ("countryCount", { _ = try $0.countryCount() }),
        ("upsertServers", { try $0.upsert(servers: []) }),
        ("upsertLoads", { try $0.upsert(loads: []) }),
        ("replaceList", { try $0.replaceList([]) }),
        ("deleteServers", { try $0.delete(serversWithIDsNotIn: [], maxTier: 0) }),
        ("getMetadata", { _ = try $0.getMetadata(.lastModifiedAll) }),
        ("setMetadata", { try $0.setMetadata("1", for: .lastModifiedAll) }),
        ("setMetadata", { try $0.deleteMetadata(.lastModifiedAll) }),
        ("closeConnection", { try $0.closeConnection() }),
    ]

    @Test("a call of an unimplemented member is reported, once, and throws", arguments: 0..<19)
    func unimplemented(index: Int) throws {
        let (name, call) = Self.calls[index]
        let told = Mutex<[String]>([])
        TestIssues.withReporter { message, _ in
            told.withLock { $0.append(message) }
        } operation: {
            let error = #expect(throws: UnimplementedMember.self) { try call(ServerRepository()) }
            #expect(error?.type == "ServerRepository" && error?.name == name)
        }
        let message =
            "ServerRepository.\(name) was called and is not implemented: "
            + "pass `\(name):` to ServerRepository's initializer"
        #expect(told.withLock { $0 } == [message])
    }

    @Test("it fails the test where the repository is made: there the member is to be added")
    func place() {
        let line = #line + 1
        let repository = ServerRepository()
        withKnownIssue {
            #expect(throws: UnimplementedMember.self) { try repository.serverCount() }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("ServerRepository.serverCount was") }
                && issue.sourceLocation?.line == line
                && issue.sourceLocation?.fileName == "RepositoryMemberTests.swift"
        }
    }

    @Test("errors that code under test swallows fail the test all the same")
    func swallowed() {
        withKnownIssue {
            #expect((try? ServerRepository.testValue.servers()) == nil)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("pass `getServers:`") }
        }
    }

    @Test("what is given is called with what was asked, by all names")
    func given() throws {
        let asked = Mutex<[String]>([])
        let repository = ServerRepository(
            getServers: { filters, order in
                asked.withLock { $0.append("\(filters.count) \(order)") }
                return []
            },
            getFirstServer: { _, _ in RepositoryServers.all[0] },
            getGroups: { _, grouping, order in
                asked.withLock { $0.append("\(grouping) \(order)") }
                return []
            },
            replaceList: { servers, scope, metadata, allowsEmpty in
                #expect(servers.isEmpty && scope == .maxTier(0) && allowsEmpty)
                #expect(metadata == [.lastModifiedFree: "now", .lastModifiedAll: nil])
                return ListChange(removed: ["a"], unchanged: 3)
            })
        #expect(try repository.servers(filteredBy: [.maxTier(0)], orderedBy: .fastest).isEmpty)
        #expect(try repository.getServers(filteredBy: []).isEmpty)
        #expect(try repository.getServers([.city("Bern")], .random).isEmpty)
        #expect(try repository.getFirstServer()?.id == "a")
        #expect(try repository.groups(groupedBy: .stateName).isEmpty)
        #expect(try repository.getGroups(orderedBy: .exitCountryCodeAscending).isEmpty)
        let change = try repository.replaceList(
            [], scope: .maxTier(0), metadata: [.lastModifiedFree: "now", .lastModifiedAll: nil],
            allowsEmpty: true)
        #expect(change == ListChange(removed: ["a"], unchanged: 3) && !change.isEmpty)
        let expected = [
            "1 fastest", "0 none", "1 random", "stateName localizedCountryNameAscending",
            "serverType exitCountryCodeAscending",
        ]
        #expect(asked.withLock { $0 } == expected)
    }

    @Test("a member can be replaced")
    func replaced() throws {
        var repository = ServerRepository(servers: RepositoryServers.all)
        repository.serverCount = { 14_123 }
        repository.upsertLoads = { LoadChange(updated: $0.count) }
        #expect(try repository.roundedServerCount == 14_100)
        #expect(try repository.upsert(loads: [RepositoryServers.load("a", 1)]).updated == 1)
        #expect(try repository.servers().count == 4)
    }

    @Test("a repository of an array reads from it, and cannot be changed")
    func array() throws {
        let repository = ServerRepository(servers: RepositoryServers.all)
        let free = try repository.servers(
            filteredBy: [.maxTier(0), .kind(.country("CH"))], orderedBy: .nameAscending)
        #expect(free.map(\.id) == ["b", "a"])
        #expect(try repository.getFirstServer(orderedBy: .fastest) == RepositoryServers.all[2])
        #expect(try repository.getFirstServer(filteredBy: [.maxTier(-1)]) == nil)
        let groups = try repository.groups(
            filteredBy: [.features(.p2p)], orderedBy: .exitCountryCodeAscending)
        #expect(groups.map(\.kind) == [.country(code: "CH"), .country(code: "DE")])
        #expect(groups.map(\.serverCount) == [1, 1])
        #expect(try repository.serverCount() == 4 && repository.countryCount() == 2)
        #expect(try !repository.isEmpty)
        #expect(try ServerRepository(servers: []).isEmpty)
        try repository.closeConnection()
        withKnownIssue { try repository.upsert(servers: []) }
    }

    @Test("the reporter can be replaced for an operation")
    func reporter() {
        let told = Mutex<[String]>([])
        TestIssues.withReporter { message, location in
            told.withLock { $0.append("\(location?.line ?? 0) \(message)") }
        } operation: {
            let line = #line + 1
            let repository = ServerRepository()
            #expect(throws: UnimplementedMember.self) { try repository.serverCount() }
            #expect(told.withLock { $0.first?.hasPrefix("\(line) ServerRepository.") } == true)
        }
        #expect(TestIssues.isTesting)
        #expect(told.withLock { $0.count } == 1)
    }
}
