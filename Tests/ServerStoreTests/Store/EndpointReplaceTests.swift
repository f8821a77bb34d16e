import ServerStore
import Testing

@Suite("Servers that are stored again with other endpoints")
struct EndpointReplaceTests {
    private let asked: AskedTwice
    private let store: ServerStore
    private let x = ServerLists.endpoint("x", ["IKEv2": .init()])
    private let y = ServerLists.endpoint("y", ["WireGuardTLS": .init()])
    private let z = ServerLists.endpoint("z", status: 0)

    init() throws {
        asked = try AskedTwice([
            ServerLists.server("a", endpoints: [x, y]), ServerLists.server("b", endpoints: [z]),
        ])
        store = asked.store
    }

    private func upsert(_ id: String, _ endpoints: ServerEndpoint...) throws -> ListChange {
        let server = ServerLists.server(id, endpoints: endpoints)
        return try store.write { try store.upsert([server], in: $0) }
    }

    private func endpoints(_ id: String) throws -> [ServerEndpoint]? {
        try asked.first([.logicalID(id)])?.endpoints
    }

    @Test("have those only: what is not in the new list is found by nothing")
    func dropped() throws {
        #expect(try asked.servers([.logicalID("a")]).map(\.protocolSupport.rawValue) == [9])
        #expect(try upsert("a", y) == ListChange(changed: ["a"]))
        #expect(try endpoints("a") == [y])
        #expect(try asked.servers([.logicalID("a")]).map(\.protocolSupport) == [.wireGuardTLS])
        #expect(try asked.servers([.endpointID("x")]) == [])
        #expect(try asked.servers([.endpointIDs(["x", "y"])]).labels == "a")
        #expect(try asked.servers([.supportsAll(protocols: .ikev2)]).labels == "b")
        #expect(throws: ServerSelectionFailure.self) {
            try asked.list.select(.init(protocols: .ikev2))
        }
    }

    @Test("have new ones, in the order of the list")
    func added() throws {
        let w = ServerLists.endpoint("w")
        #expect(try upsert("a", w, y, x).changed == ["a"])
        #expect(try endpoints("a") == [w, y, x])
        #expect(try upsert("a", x, y, w).changed == ["a"])
        #expect(try endpoints("a") == [x, y, w])
        #expect(try upsert("a", x, y, w) == ListChange(unchanged: 1))
    }

    @Test("can have one that moves to another server, and then that one has it")
    func moved() throws {
        let servers = [
            ServerLists.server("a", endpoints: [y]), ServerLists.server("b", endpoints: [z, x]),
        ]
        let change = try store.write { try store.upsert(servers, in: $0) }
        #expect(change == ListChange(changed: ["a", "b"]))
        #expect(try endpoints("a") == [y])
        #expect(try endpoints("b") == [z, x])
        #expect(try asked.servers([.endpointID("x")]).labels == "b")
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "a b")
    }

    @Test("take none from a server that is not stored again, though it has one of the same id")
    func shared() throws {
        #expect(try upsert("b", z, x).changed == ["b"])
        #expect(try endpoints("a") == [x, y])
        #expect(try asked.servers([.endpointID("x")]).labels == "a b")
        #expect(try upsert("a", y).changed == ["a"])
        #expect(try endpoints("b") == [z, x])
        #expect(try asked.servers([.endpointID("x")]).labels == "b")
    }

    @Test("are found by nothing without any, and counted; with one they are back")
    func none() throws {
        #expect(try upsert("a").changed == ["a"])
        #expect(try asked.servers().labels == "b" && asked.first()?.id == "b")
        #expect(try asked.first([.logicalID("a")]) == nil)
        #expect(try asked.groups().map(\.serverCount) == [1])
        for order in VPNServerOrder.allCases {
            #expect(try asked.servers([.logicalID("a")], by: order) == [])
        }
        #expect(try asked.serverCount() == 2)
        #expect(try upsert("a", x).changed == ["a"])
        #expect(try asked.servers().labels == "a b")
    }

    @Test("go into maintenance and out of it with them")
    func status() throws {
        var (down, up) = (x, z)
        (down.status, up.status) = (0, 1)
        #expect(try upsert("a", down).changed == ["a"] && upsert("b", up).changed == ["b"])
        #expect(try asked.servers([.isNotUnderMaintenance]).labels == "b")
        #expect(try asked.servers().map(\.logical.status) == [0, 1])
    }

    @Test("have the overrides of the new list, or none")
    func overrides() throws {
        var endpoint = x
        endpoint.protocolEntries = ["WireGuardTCP": .init(ports: [443])]
        #expect(try upsert("a", endpoint).changed == ["a"])
        #expect(try asked.servers([.logicalID("a")]).map(\.protocolSupport) == [.wireGuardTCP])
        endpoint.protocolEntries = nil
        #expect(try upsert("a", endpoint).changed == ["a"])
        #expect(try asked.servers([.logicalID("a")]).map(\.protocolSupport) == [.all])
        #expect(try endpoints("a") == [endpoint])
    }
}
