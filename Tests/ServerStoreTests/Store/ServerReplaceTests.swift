import DocumentStore
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Lists that are written")
struct ServerReplaceTests {
    private let store: ServerStore

    init() throws {
        store = try ServerStore.inMemory()
    }

    private func replace(
        _ servers: [VPNServer], scope: ListScope = .all, allowsEmpty: Bool = false
    ) throws -> ListChange {
        try store.write {
            try store.replaceList(servers, scope: scope, allowsEmpty: allowsEmpty, in: $0)
        }
    }

    private var sequences: [Int64] {
        get throws {
            try store.read { snapshot in
                try ["logicals", "loads"].map {
                    try DocumentCollection(CollectionName("vpn." + $0)).keyStore.lastSequence(
                        in: snapshot)
                }
            }
        }
    }

    @Test("write what is new or other, and remove what is gone")
    func changes() throws {
        let (a, b, c) = (
            ServerLists.server("a"), ServerLists.server("b"), ServerLists.server("c")
        )
        #expect(try replace([a, b]).added == ["a", "b"])
        var other = b
        other.logical.name = "CH#2"
        let change = try replace([c, other])
        #expect(change.added == ["c"] && change.changed == ["b"] && change.removed == ["a"])
        let list: ServerList = try store.currentList()
        #expect(list.servers == [other, c])
    }

    @Test("the same list once more writes no row, whatever its order")
    func same() throws {
        let servers = (0..<50).map { ServerLists.server("s\($0)") }
        _ = try replace(servers)
        let before = try sequences
        let change = try replace(servers.shuffled())
        #expect(change.isEmpty && change.unchanged == 50)
        #expect(try sequences == before)
    }

    @Test("other loads write no document of a server")
    func loads() throws {
        let servers = (0..<9).map { ServerLists.server("s\($0)") }
        _ = try replace(servers)
        let before = try sequences
        let loads = (0..<9).map {
            ContinuousServerProperties(serverId: "s\($0)", load: $0, score: 9, status: 1)
        }
        let change = try store.write { try store.update(loads: loads, in: $0) }
        #expect(change == .init(updated: 9))
        let after = try sequences
        #expect(after[0] == before[0] && after[1] == before[1] + 9)
        let list: ServerList = try store.currentList()
        #expect(list.servers.map(\.logical.load) == Array(0..<9))
        #expect(try store.write { try store.update(loads: loads, in: $0) } == .init())
    }

    @Test("loads of unknown servers are reported, and a server that comes out of maintenance waits")
    func ignoredLoads() throws {
        let dark = ServerLists.server("dark", endpoints: [ServerLists.endpoint("e", status: 0)])
        _ = try replace([ServerLists.server("down", status: 0), ServerLists.server("up"), dark])
        let loads = ["down", "up", "gone", "dark"].map {
            ContinuousServerProperties(serverId: $0, load: 77, score: 2, status: 1)
        }
        let change = try store.write { try store.update(loads: loads, in: $0) }
        #expect(change == .init(updated: 1, unknown: ["gone"], ignored: ["down", "dark"]))
        let list: ServerList = try store.currentList()
        #expect(list.servers.map(\.logical.load) == [10, 10, 77])
        // Into maintenance it goes at once.
        let down = [ContinuousServerProperties(serverId: "up", load: 1, score: 1, status: 0)]
        #expect(try store.write { try store.update(loads: down, in: $0) }.updated == 1)
        let now: ServerList = try store.currentList()
        #expect(now.server("up")?.logical.status == 0)
    }

    @Test("a server without an endpoint that is up is under maintenance; its status is retained")
    func maintenance() throws {
        let dark = ServerLists.server("dark", endpoints: [ServerLists.endpoint("e", status: 0)])
        _ = try replace([dark])
        let list: ServerList = try store.currentList()
        #expect(list.servers.map(\.logical.status) == [0] && list.originals == [dark])
        let found = try store.read { try store.servers(in: $0) }
        #expect(found.map(\.logical.status) == [0])
    }

    @Test("an endpoint of several servers belongs to each of them")
    func shared() throws {
        let servers = ["a", "b", "c"].map {
            ServerLists.server($0, endpoints: [ServerLists.endpoint("same")])
        }
        _ = try replace(servers)
        let found = try store.read {
            try store.servers(filteredBy: [.endpointID("same")], in: $0)
        }
        #expect(found.map(\.id) == ["a", "b", "c"])
    }

    @Test("a list of free servers removes free servers only")
    func scope() throws {
        _ = try replace([ServerLists.server("free"), ServerLists.server("paid", tier: 2)])
        let change = try replace([ServerLists.server("new")], scope: .maxTier(0))
        #expect(change.removed == ["free"] && change.added == ["new"])
        let gone = try store.write {
            try store.deleteServers(withIDsNotIn: ["new"], maxTier: 3, in: $0)
        }
        #expect(gone == ["paid"])
    }

    @Test("a list without servers does not replace others, unless it is allowed")
    func empty() throws {
        #expect(try replace([]).isEmpty)
        _ = try replace([ServerLists.server("a")])
        let error = #expect(throws: ServerStoreError.self) { try replace([]) }
        #expect(error?.code == .emptyList)
        #expect(try store.read { try store.serverCount(in: $0) } == 1)
        #expect(try replace([], allowsEmpty: true).removed == ["a"])
        #expect(try store.read { try store.isEmpty(in: $0) })
    }

    @Test(
        "two servers of one id, two endpoints of one, or no id are errors, and nothing is written")
    func bad() throws {
        let twice = [ServerLists.endpoint("e"), ServerLists.endpoint("e")]
        for (servers, code) in [
            ([ServerLists.server("a"), ServerLists.server("a")], .duplicateID),
            ([ServerLists.server("b"), ServerLists.server("a", endpoints: twice)], .duplicateID),
            ([ServerLists.server("b"), ServerLists.server("")], .invalidID),
        ] as [([VPNServer], ServerStoreError.Code)] {
            let error = #expect(throws: ServerStoreError.self) { try replace(servers) }
            #expect(error?.code == code)
        }
        #expect(try store.read { try store.isEmpty(in: $0) })
    }

    @Test("ids that are not valid document ids are stored, too")
    func ids() throws {
        let ids = ["_a", "#", "a\u{0}b", String(repeating: "x", count: 300), "/", "é", "e\u{301}"]
        let servers = ids.map { ServerLists.server($0) }
        _ = try replace(servers)
        let list: ServerList = try store.currentList()
        #expect(list.serverCount == 7)
        for id in ids { #expect(list.server(id)?.id.utf8.elementsEqual(id.utf8) == true) }
        #expect(try replace(servers).unchanged == 7)
        let found = try store.read {
            try store.servers(filteredBy: [.logicalID("e\u{301}")], in: $0)
        }
        #expect(found.count == 1)
    }

    @Test(
        "the real list keeps all its servers after any sequence of stores",
        .enabled(if: GoldenFiles.arePresent))
    func real() throws {
        let servers = try ServerLists.golden("LiveServers.json")
        for list in [servers, servers.reversed(), Array(servers.prefix(200)), servers] {
            _ = try replace(list)
            _ = try store.write { try store.upsert(list.shuffled(), in: $0) }
        }
        let found = try store.read { try store.servers(in: $0) }
        #expect(found.count == 405)
        let list: ServerList = try store.currentList()
        #expect(list.servers.reduce(0) { $0 + $1.endpoints.count } == 530)
        #expect(list.countryCount == 33)
    }

    @Test("what is known of the list is written with it, and removed with nil")
    func metadata() throws {
        try store.write {
            try store.replaceList(
                [ServerLists.server("a")],
                metadata: [.lastModifiedAll: "Mon", .lastModifiedFree: "T"],
                in: $0)
        }
        func known() throws -> [String?] {
            try store.read { snapshot in
                try ServerMetadata.Key.allCases.map { try store.metadata($0, in: snapshot) }
            }
        }
        #expect(try known() == ["T", "Mon", nil])
        try store.write { try store.setMetadata(nil, for: .lastModifiedAll, in: $0) }
        #expect(try known() == ["T", nil, nil])
    }

    @Test("a reader has the old list until the new one is committed")
    func readers() throws {
        let directory = try TemporaryDirectory()
        let store = try ServerStore(path: directory("s.cblite2"))
        _ = try store.write { try store.replaceList([ServerLists.server("a")], in: $0) }
        try store.read { old in
            let one = try store.list(in: old)
            try store.write { _ = try store.replaceList([ServerLists.server("b")], in: $0) }
            #expect(one.servers.map(\.id) == ["a"])
            #expect(try store.servers(in: old).map(\.id) == ["a"])
        }
        let now: ServerList = try store.currentList()
        #expect(now.servers.map(\.id) == ["b"])
    }
}

@Suite("Lists that are written over documents that others have written")
struct ServerRewriteTests {
    private let store: ServerStore
    private let logicals: DocumentCollection

    init() throws {
        store = try ServerStore.inMemory()
        logicals = DocumentCollection(try CollectionName("vpn.logicals"))
        try store.write {
            try store.replaceList(
                [ServerLists.server("free"), ServerLists.server("paid", tier: 2)], in: $0)
        }
    }

    private func overwrite(_ id: String) throws {
        try store.write { transaction in
            _ = try logicals.save(id, in: transaction) { try $0.writeJSON("{\"id\": 1}") }
        }
    }

    @Test("what cannot be read is rewritten when the list has it")
    func rewritten() throws {
        try overwrite("paid")
        #expect(try store.currentList().servers.map(\.id) == ["free"])
        let change = try store.replaceList(
            [ServerLists.server("free"), ServerLists.server("paid", tier: 2)])
        #expect(change == ListChange(changed: ["paid"], unchanged: 1))
        #expect(try store.currentList().servers.map(\.id) == ["free", "paid"])
    }

    @Test("what cannot be read goes with a list of all servers, and stays with one of some")
    func removed() throws {
        try overwrite("paid")
        let free = [ServerLists.server("free")]
        #expect(try store.replaceList(free, scope: .maxTier(3)).isEmpty)
        #expect(try store.read { try logicals.get("paid", in: $0) } != nil)
        #expect(try store.replaceList(free) == ListChange(removed: ["paid"], unchanged: 1))
        #expect(try store.read { try logicals.get("paid", in: $0) } == nil)
    }

    @Test("a server whose load is gone gets it again")
    func loadless() throws {
        let loads = DocumentCollection(try CollectionName("vpn.loads"))
        try store.write { _ = try loads.purge("free", in: $0) }
        let load = ContinuousServerProperties(serverId: "free", load: 1, score: 1, status: 1)
        #expect(try store.update(loads: [load]) == LoadChange(unknown: ["free"]))
        #expect(try store.replaceList([ServerLists.server("free")]).changed == ["free"])
        #expect(try store.update(loads: [load]) == LoadChange(updated: 1))
    }

    @Test("of two loads of a server the last one counts", arguments: [1, 200])
    func loadsTwice(others: Int) throws {
        let loads = [3, 4].map {
            ContinuousServerProperties(serverId: "free", load: $0, score: 1, status: 1)
        }
        let unknown = (0..<others).map {
            ContinuousServerProperties(serverId: "u\($0)", load: 1, score: 1, status: 1)
        }
        let change = try store.update(loads: loads + unknown)
        #expect(change.updated == 1 && change.unknown == unknown.map(\.serverId))
        #expect(try store.currentList().server("free")?.logical.load == 4)
    }
}
