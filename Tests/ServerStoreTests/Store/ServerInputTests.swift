import DocumentStore
import ServerStore
import Testing

@Suite("Servers and loads with values that cannot be")
struct ServerInputTests {
    private let store: ServerStore

    init() throws {
        store = try ServerStore.inMemory()
        _ = try store.replaceList([ServerLists.server("a"), ServerLists.server("b")])
    }

    @Test(
        "a score or a place that is not a number, and features below 0, are errors",
        arguments: 0..<4)
    func numbers(_ which: Int) throws {
        var bad = ServerLists.server("bad")
        switch which {
        case 0: bad.logical.score = .nan
        case 1: bad.logical.latitude = .infinity
        case 2: bad.logical.longitude = -.infinity
        default: bad.logical.feature = ServerFeature(rawValue: -1)
        }
        let error = #expect(throws: ServerStoreError.self) {
            try store.replaceList([ServerLists.server("new"), bad])
        }
        #expect(error?.code == .invalidNumber && error?.message.contains("\"bad\"") == true)
        #expect(try store.currentList().servers.map(\.id) == ["a", "b"])
    }

    @Test("a load with such a score is one too, and no load is written")
    func scores() throws {
        let loads = ["a", "b"].map {
            ContinuousServerProperties(
                serverId: $0, load: 99, score: $0 == "a" ? 1 : .nan, status: 1)
        }
        let error = #expect(throws: ServerStoreError.self) { try store.update(loads: loads) }
        #expect(error?.code == .invalidNumber && error?.message.contains("\"b\"") == true)
        #expect(try store.currentList().servers.map(\.logical.load) == [10, 10])
    }

    @Test("loads are held between 0 and 100, and can be exported")
    func loads() throws {
        let servers = [ServerLists.server("a", load: -5), ServerLists.server("b", load: 5_000)]
        _ = try store.replaceList(servers)
        #expect(try store.currentList().servers.map(\.logical.load) == [0, 100])
        #expect(try store.replaceList(servers).isEmpty)
        let change = try store.update(
            loads: [.init(serverId: "b", load: -7, score: 1, status: 1)])
        #expect(change.updated == 1)
        let list = try store.currentList()
        #expect(list.servers.map(\.logical.load) == [0, 0])
        #expect(try ServerListJSON.read(ServerListJSON.write(list.originals)).servers.count == 2)
    }

    @Test("a document that cannot be read is passed over, also by the first server")
    func unreadable() throws {
        try store.write { transaction in
            let logicals = DocumentCollection(try CollectionName("vpn.logicals"))
            _ = try logicals.save("a", in: transaction) {
                try $0.writeJSON(#"{"id": "a", "name": "A", "tier": "none"}"#)
            }
        }
        #expect(try store.read { try store.firstServer(in: $0) }?.id == "b")
        #expect(try store.currentList().firstServer()?.id == "b")
        #expect(try store.read { try store.servers(in: $0) }.map(\.id) == ["b"])
    }

    @Test("strings that only String treats as equal differ in names, groups and ids, both ways")
    func composed() throws {
        let (one, other) = ("\u{E9}", "e\u{301}")
        let servers = [
            ServerLists.server("1", one + "#1", city: one),
            ServerLists.server("2", other + "#1", city: other),
            ServerLists.server(one), ServerLists.server(other),
        ]
        _ = try store.replaceList(servers)
        let list = try store.currentList()
        let ids = list.servers(orderedBy: .nameAscending).map(\.id)
        let asked = try store.read { try store.servers(orderedBy: .nameAscending, in: $0) }
        #expect(ids.map { Array($0.utf8) } == asked.map { Array($0.id.utf8) })
        // `e` stands before `é` in bytes.
        #expect(ids.firstIndex(of: "2") == 2 && ids.firstIndex(of: "1") == 3)
        let groups = list.groups(groupedBy: .cityName)
        #expect(groups.map(\.serverCount).sorted() == [1, 1, 2])
        #expect(try store.read { try store.groups(groupedBy: .cityName, in: $0) } == groups)
        #expect(ServerList(servers).serverCount == 4)
    }

    @Test("the place of a group does not lie on the other side of the globe", arguments: [1.0, -1])
    func dateLine(sign: Double) {
        let servers = [178.0, -178, -176].map { longitude in
            var server = ServerLists.server("\(longitude)", exit: "FJ")
            server.logical.longitude = longitude * sign
            return server
        }
        let longitude = ServerList(servers).groups().first?.longitude ?? 0
        #expect(abs(longitude * sign - -178.666_666) < 0.001)
    }

    @Test("cities of two countries are two, also where a gateway has both")
    func cities() throws {
        let servers = ["UK", "US"].map {
            ServerLists.server($0, exit: $0, city: "Cambridge", kind: .gateway(name: "G"))
        }
        #expect(ServerList(servers).groups().map(\.cityCount) == [2])
    }
}

@Suite("Outdated and incomplete responses")
struct ServerRefreshOrderTests {
    private let store: ServerStore
    private let refresh: ServerRefresh

    init() throws {
        store = try ServerStore.inMemory()
        refresh = ServerRefresh(store)
        _ = try store.replaceList(["a", "b"].map { ServerLists.server($0) })
    }

    private var ids: [String] { get throws { try store.currentList().servers.map(\.id) } }

    @Test("a list of which not all could be read adds and changes, but removes nothing")
    func half() throws {
        let request = try store.read { try refresh.next(isPaid: true, in: $0) }
        let change = try store.write {
            try refresh.apply(
                .list([ServerLists.server("c")], lastModified: "Mon", isComplete: false),
                to: request, in: $0)
        }
        #expect(change == ListChange(added: ["c"]))
        #expect(try ids == ["a", "b", "c"])
        // It is asked for again in whole.
        let next = try store.read { try refresh.next(isPaid: true, in: $0) }
        #expect(next.ifModifiedSince == nil)
    }

    @Test("a response after another one, or after a removal of all, is rejected and writes nothing")
    func late() throws {
        let (first, second) = try store.read {
            (try refresh.next(isPaid: true, in: $0), try refresh.next(isPaid: true, in: $0))
        }
        func apply(_ id: String, _ request: ServerRefresh.Request) throws {
            try store.write {
                try refresh.apply(
                    .list([ServerLists.server(id)], lastModified: nil), to: request, in: $0)
            }
        }
        try apply("second", second)
        var error = #expect(throws: ServerStoreError.self) { try apply("first", first) }
        #expect(error?.code == .outdatedResponse)
        #expect(try ids == ["second"])
        let third = try store.read { try refresh.next(isPaid: true, in: $0) }
        try store.write { try refresh.removeAll(in: $0) }
        error = #expect(throws: ServerStoreError.self) { try apply("third", third) }
        #expect(error?.code == .outdatedResponse)
        #expect(try ids == [])
        // What an application asks for by itself is taken as it comes.
        try apply("own", .init(scope: .all))
        #expect(try ids == ["own"])
    }
}

@Suite("Endpoints that are chosen")
struct ServerEndpointChoiceTests {
    private func endpoints(
        _ servers: [VPNServer], _ request: ServerRequest
    ) throws -> Set<String> {
        let list = ServerList(servers)
        return Set(try (0..<40).map { _ in try list.select(request).endpoint.id })
    }

    @Test("meet the filters that found their server")
    func filters() throws {
        let server = ServerLists.server(
            "a",
            endpoints: [
                ServerLists.endpoint("x", ["IKEv2": .init()]), ServerLists.endpoint("y"),
                ServerLists.endpoint("z", ["WireGuardTLS": .init()]),
            ])
        #expect(try endpoints([server], .init(location: [.endpointID("x")])) == ["x"])
        #expect(try endpoints([server], .init(location: [.supports(.ikev2)])) == ["x", "y"])
        #expect(
            try endpoints(
                [server], .init(location: [.supportsAll(protocols: [.ikev2, .wireGuardTLS])])) == [
                    "y"
                ])
        #expect(throws: ServerSelectionFailure.self) {
            try endpoints(
                [server], .init(location: [.endpointID("x")], protocols: .wireGuardTLS))
        }
    }

    @Test("have an address, unless none of the server's has one")
    func addresses() throws {
        var (x, y) = (ServerLists.endpoint("x"), ServerLists.endpoint("y"))
        x.entryIp = nil
        #expect(
            try endpoints([ServerLists.server("a", endpoints: [x, y])], .init()) == ["y"])
        y.status = 0
        #expect(
            try endpoints([ServerLists.server("a", endpoints: [x, y])], .init()) == ["x"])
    }
}

@Suite("Servers that are searched for")
struct ServerListSearchTests {
    private let servers = [
        ServerLists.server("city", "DE#1", exit: "DE", city: "Chur"),
        ServerLists.server("code", "CH#9"), ServerLists.server("bare", "CH#1", endpoints: []),
        ServerLists.server("name", "CHILE#1", exit: "CL"),
        ServerLists.server("country", "TD#1", exit: "TD"),
    ]

    @Test("come the best first: by code, name, place and country; those without endpoints do not")
    func ranked() {
        let list = ServerList(
            servers, names: CountryNames(["CH": "Switzerland", "TD": "Chad", "DE": "Germany"]))
        #expect(list.search("ch").map(\.id) == ["code", "name", "city", "country"])
        #expect(list.search("ch", limit: 2).map(\.id) == ["code", "name"])
        #expect(list.search("ch", limit: -1).isEmpty && list.search("%").isEmpty)
    }

    @Test("are found by the names of another language when the store has that")
    func language() throws {
        let store = try ServerStore.inMemory(names: CountryNames(["CH": "Switzerland"]))
        _ = try store.replaceList(servers)
        #expect(try store.currentList().search("switz").map(\.id) == ["code"])
        let dutch = store.with(names: CountryNames(["CH": "Zwitserland"]))
        #expect(try dutch.currentList().search("zwits").map(\.id) == ["code"])
        #expect(try dutch.currentList().search("switz").isEmpty)
        #expect(try store.currentList().search("zwits").isEmpty)
        #expect(
            try dutch.read { try dutch.servers(filteredBy: [.matches("zwits")], in: $0) }
                .map(\.id) == ["code"])
    }
}
