import ServerStore
import Testing

@Suite("Loads that are refreshed")
struct LoadsTests {
    private let asked: AskedTwice
    private let servers = [
        ServerLists.server("a", score: 1, load: 10, feature: .p2p, city: "Zurich"),
        ServerLists.server("b", exit: "DE", tier: 2, score: 2, load: 20),
        ServerLists.server("c", score: 3, load: 30),
        ServerLists.server("dark", score: 4, endpoints: [ServerLists.endpoint("e", status: 0)]),
        ServerLists.server("down", score: 5, status: 0),
    ]

    init() throws {
        asked = try AskedTwice(servers)
    }

    private func update(_ loads: ContinuousServerProperties...) throws -> LoadChange {
        try asked.store.update(loads: loads)
    }

    /// What is known of a server that changes.
    private func properties(_ id: String) throws -> ContinuousServerProperties? {
        try asked.first([.logicalID(id)]).map { server in
            ContinuousServerProperties(
                serverId: server.id, load: server.logical.load, score: server.logical.score,
                status: server.logical.status)
        }
    }

    @Test("change load, score and status of their servers, and nothing else")
    func updated() throws {
        let loads = [
            ContinuousServerProperties(serverId: "a", load: 90, score: 9.125, status: 1),
            ContinuousServerProperties(serverId: "c", load: 0, score: -1, status: 0),
        ]
        #expect(try update(loads[0], loads[1]) == LoadChange(updated: 2))
        #expect(try properties("a") == loads[0])
        #expect(try properties("c") == loads[1])
        #expect(try asked.first([.logicalID("b")]) == servers[1])
        var expected = servers[0]
        (expected.logical.load, expected.logical.score) = (90, 9.125)
        #expect(try asked.first([.logicalID("a")]) == expected)
    }

    @Test("change which server is the first, and the groups")
    func orders() throws {
        #expect(try asked.servers(by: .fastest).labels == "a b c dark down")
        #expect(try asked.groups().map(\.isUnderMaintenance) == [false, false])
        let change = try update(
            .init(serverId: "a", load: 90, score: 9, status: 1),
            .init(serverId: "b", load: 20, score: 2, status: 0),
            .init(serverId: "c", load: 5, score: 0.25, status: 1))
        #expect(change == LoadChange(updated: 3))
        #expect(try asked.servers(by: .fastest).labels == "c b dark down a")
        #expect(try asked.servers(by: .loadAscending).labels == "c dark down b a")
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a c")
        let groups = try asked.groups()
        #expect(groups.map(\.kind) == [.country(code: "DE"), .country(code: "CH")])
        #expect(groups.map(\.isUnderMaintenance) == [true, false])
    }

    @Test("of a server that comes out of maintenance are ignored until the next list")
    func comingUp() throws {
        func refresh() throws -> LoadChange {
            try update(
                .init(serverId: "down", load: 77, score: 0.5, status: 1),
                .init(serverId: "a", load: 11, score: 1, status: 1),
                .init(serverId: "dark", load: 78, score: 0.25, status: 1))
        }
        let before = try asked.servers([.logicalIDs(["dark", "down"])])
        #expect(try refresh() == LoadChange(updated: 1, ignored: ["down", "dark"]))
        #expect(try asked.servers([.logicalIDs(["dark", "down"])]) == before)
        #expect(before.map(\.logical.load) == [10, 10] && before.map(\.logical.score) == [4, 5])
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a b c")
        // One gets an endpoint that is up, the other one says that it is up.
        let up = ["dark", "down"].map { ServerLists.server($0, score: 4) }
        let store = asked.store
        #expect(try store.write { try store.upsert(up, in: $0) }.changed == ["dark", "down"])
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a b c dark down")
        #expect(try refresh() == LoadChange(updated: 2))
        #expect(try properties("down")?.load == 77 && properties("dark")?.load == 78)
    }

    @Test("of a server that stays under maintenance count")
    func stayingDown() throws {
        let down = ContinuousServerProperties(serverId: "down", load: 1, score: 8, status: 0)
        let dark = ContinuousServerProperties(serverId: "dark", load: 2, score: 9, status: 0)
        #expect(try update(down, dark) == LoadChange(updated: 2))
        #expect(try properties("down") == down && properties("dark") == dark)
    }

    @Test("take a server down at once; the next list brings it up, even if it is the same")
    func downAndUp() throws {
        #expect(try update(.init(serverId: "a", load: 0, score: 1, status: 0)).updated == 1)
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "b c")
        let up = ContinuousServerProperties(serverId: "a", load: 10, score: 1, status: 1)
        #expect(try update(up) == LoadChange(ignored: ["a"]))
        let change = try asked.store.replaceList(servers)
        #expect(change == ListChange(changed: ["a"], unchanged: 4))
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a b c")
        #expect(try properties("a") == up)
    }

    @Test("of servers that are not there change nothing, and make no server")
    func unknown() throws {
        let before = try asked.servers()
        let change = try update(
            .init(serverId: "", load: 1, score: 1, status: 1),
            .init(serverId: "A", load: 1, score: 1, status: 1))
        #expect(change == LoadChange(unknown: ["", "A"]))
        #expect(try asked.servers() == before && asked.serverCount() == 5)
    }
}
