import DocumentStore
import ServerStore
import Testing

@Suite("Refreshes of the list of servers")
struct ServerRefreshTests {
    private let store: ServerStore
    private let refresh: ServerRefresh

    init() throws {
        store = try ServerStore.inMemory()
        refresh = ServerRefresh(store)
    }

    private func server(_ id: String, tier: Int = 0, load: Int = 1) -> VPNServer {
        VPNServer(
            logical: LogicalServer(
                id: id, name: "CH#1", domain: "a.example", load: load, exitCountryCode: "CH",
                tier: tier, score: 1, status: 1, feature: []),
            endpoints: [
                ServerEndpoint(id: "e", exitIp: "192.0.2.2", domain: "e.example", status: 1)
            ])
    }

    private func next(isPaid: Bool = false) throws -> ServerRefresh.Request {
        try store.read { try refresh.next(isPaid: isPaid, in: $0) }
    }

    @discardableResult
    private func apply(
        _ response: ServerRefresh.Response, to request: ServerRefresh.Request
    ) throws -> ListChange {
        try store.write { try refresh.apply(response, to: request, in: $0) }
    }

    /// Last-Modified of the free list and of all, and the count.
    private func metadata() throws -> [String?] {
        try store.read { snapshot in
            let keys: [ServerMetadata.Key] = [
                .lastModifiedFree, .lastModifiedAll, .consecutiveSuccessfulRefreshes,
            ]
            return try keys.map { try store.metadata($0, in: snapshot) }
        }
    }

    private func ids() throws -> [String] {
        try store.read { try store.list(in: $0) }.servers.map(\.id)
    }

    private let all = ServerRefresh.Request(scope: .all)
    private let free = ServerRefresh.Request(scope: .maxTier(0))

    @Test("the first request of a new store is for all servers, for free and paid users")
    func first() throws {
        #expect(try next() == all && next(isPaid: true) == all)
        #expect(all.isFull && !free.isFull)
        #expect(ServerRefresh.listInterval == .seconds(10_800))
        #expect(ServerRefresh.loadInterval == .seconds(900))
    }

    @Test("one of ten refreshes is of all servers; paid users get all each time")
    func turns() throws {
        var turns: [Bool] = []
        for number in 0..<25 {
            let request = try next()
            turns.append(request.isFull)
            #expect(try next(isPaid: true).isFull)
            // A refresh counts whether there was something new or not.
            let answer =
                number % 3 == 1
                ? ServerRefresh.Response.notModified : .list([server("a")], lastModified: nil)
            try apply(answer, to: request)
        }
        #expect(turns.indices.filter { turns[$0] } == [0, 10, 20])
        #expect(try metadata() == [nil, nil, "5"])
    }

    @Test(
        "a count that is none is as if it was not there",
        arguments: [
            (nil, true, "1"), ("0", true, "1"), ("x", true, "1"), ("-3", true, "1"),
            ("99999999999999999999", true, "1"), ("10", true, "1"), ("9", false, "0"),
            ("19", false, "0"), ("3", false, "4"),
        ] as [(String?, Bool, String)])
    func counts(count: String?, isFull: Bool, next following: String) throws {
        try apply(.list([server("a")], lastModified: nil), to: all)
        try store.write {
            try store.setMetadata(count, for: .consecutiveSuccessfulRefreshes, in: $0)
        }
        let request = try next()
        #expect(request.isFull == isFull)
        try apply(.notModified, to: request)
        #expect(try metadata().last == following)
    }

    @Test("a full list dates all servers and the free ones, a free list the free ones alone")
    func dates() throws {
        try apply(.list([server("a"), server("b", tier: 2)], lastModified: "Mon"), to: all)
        #expect(try metadata() == ["Mon", "Mon", "1"])
        #expect(try next() == .init(scope: .maxTier(0), ifModifiedSince: "Mon"))
        try apply(.list([server("a", load: 2)], lastModified: "Tue"), to: next())
        #expect(try metadata() == ["Tue", "Mon", "2"])
        #expect(try next() == .init(scope: .maxTier(0), ifModifiedSince: "Tue"))
        #expect(try next(isPaid: true) == .init(scope: .all, ifModifiedSince: "Mon"))
    }

    @Test("a response without a date leaves the dates unchanged")
    func noDate() throws {
        try apply(.list([server("a")], lastModified: "Mon"), to: all)
        try apply(.list([server("b")], lastModified: nil), to: all)
        #expect(try metadata() == ["Mon", "Mon", "2"])
        try apply(.list([server("c")], lastModified: nil), to: free)
        #expect(try metadata() == ["Mon", "Mon", "3"])
    }

    @Test("a response \"not modified\" is counted, and changes nothing else")
    func notModified() throws {
        try apply(.list([server("a")], lastModified: "Mon"), to: all)
        #expect(try apply(.notModified, to: next()).isEmpty)
        #expect(try metadata() == ["Mon", "Mon", "2"])
        #expect(try ids() == ["a"])
    }

    @Test("a free list removes free servers alone, a full one all that it does not have")
    func scopes() throws {
        try apply(
            .list([server("free"), server("old"), server("paid", tier: 2)], lastModified: nil),
            to: all)
        let change = try apply(.list([server("free"), server("new")], lastModified: nil), to: free)
        #expect(change.added == ["new"] && change.removed == ["old"] && change.unchanged == 1)
        #expect(try ids() == ["free", "new", "paid"])
        #expect(
            try apply(.list([server("free")], lastModified: nil), to: all).removed.sorted()
                == ["new", "paid"])
        #expect(try ids() == ["free"])
    }

    @Test("a response without servers is an error, and changes neither list, dates nor count")
    func empty() throws {
        try apply(.list([server("a")], lastModified: "Mon"), to: all)
        for request in [all, free] {
            let error = #expect(throws: ServerStoreError.self) {
                try apply(.list([], lastModified: "Tue"), to: request)
            }
            #expect(error?.code == .emptyList)
        }
        #expect(try ids() == ["a"])
        #expect(try metadata() == ["Mon", "Mon", "1"])
    }

    @Test("a list of no servers in a new store is taken, and all is asked for again")
    func nothing() throws {
        #expect(try apply(.list([], lastModified: "Mon"), to: next()).isEmpty)
        #expect(try metadata() == ["Mon", "Mon", "1"])
        #expect(try next() == all)
    }

    @Test("a store that has lost its servers asks for all of them, however new")
    func lost() throws {
        try apply(.list([server("a")], lastModified: "Mon"), to: all)
        try store.write {
            _ = try store.deleteServers(withIDsNotIn: [], maxTier: .max, in: $0)
        }
        #expect(try metadata() == ["Mon", "Mon", "1"])
        #expect(try next() == all && next(isPaid: true) == all)
    }

    @Test("for another user all is removed")
    func removal() throws {
        try apply(.list([server("a")], lastModified: "Mon"), to: all)
        try store.write { try refresh.removeAll(in: $0) }
        #expect(try ids() == [] && metadata() == [nil, nil, nil])
        try store.write { try refresh.removeAll(in: $0) }
        #expect(try next() == all)
    }

    @Test("a refresh asks outside of transactions, and an error of it changes nothing")
    func whole() async throws {
        struct Offline: Error {}
        await #expect(throws: Offline.self) {
            try await refresh.refresh(isPaid: false) { _ in throw Offline() }
        }
        #expect(try metadata() == [nil, nil, nil])
        var asked: [ServerRefresh.Request] = []
        for number in 0..<2 {
            let change = try await refresh.refresh(isPaid: false) { request in
                asked.append(request)
                // Others may write meanwhile.
                try await store.write { try store.upsert([server("other\(number)")], in: $0) }
                return .list([server("a")], lastModified: "Mon")
            }
            #expect(change.removed == ["other\(number)"])
        }
        #expect(asked == [all, .init(scope: .maxTier(0), ifModifiedSince: "Mon")])
        #expect(try ids() == ["a"])
    }
}
