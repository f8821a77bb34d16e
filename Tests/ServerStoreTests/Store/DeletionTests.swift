import ServerStore
import Testing

@Suite("Servers that are deleted for not being in a list")
struct DeletionTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice([
            ServerLists.server("free1"), ServerLists.server("free2", exit: "JP"),
            ServerLists.server("basic", exit: "DE", tier: 1),
            ServerLists.server("plus1", exit: "US", tier: 2),
            ServerLists.server("plus2", exit: "DE", tier: 2),
            ServerLists.server("staff", exit: "SE", tier: 3),
        ])
    }

    private func delete(notIn ids: Set<String>, maxTier: Int) throws -> [String] {
        let store = asked.store
        return try store.write {
            try store.deleteServers(withIDsNotIn: ids, maxTier: maxTier, in: $0)
        }
    }

    @Test(
        "those of a tier and below go, but for those that are named; others stay",
        arguments: [
            (["free1", "plus1"], 0, ["free2"]), (["free1", "plus1"], 1, ["basic", "free2"]),
            (["free1", "plus1"], 2, ["basic", "free2", "plus2"]),
            (["free1", "plus1"], 3, ["basic", "free2", "plus2", "staff"]),
            ([], 0, ["free1", "free2"]), ([], -1, []), (["FREE1"], 0, ["free1", "free2"]),
            (["free1", "free2", "unknown"], 0, []),
            ([], .max, ["basic", "free1", "free2", "plus1", "plus2", "staff"]),
            (["basic", "free1", "free2", "plus1", "plus2", "staff"], .max, []),
        ] as [(Set<String>, Int, [String])])
    func stale(kept: Set<String>, maxTier: Int, gone: [String]) throws {
        let before = try asked.servers()
        #expect(try delete(notIn: kept, maxTier: maxTier).sorted() == gone)
        #expect(try asked.servers() == before.filter { !gone.contains($0.id) })
        #expect(try asked.serverCount() == 6 - gone.count)
        #expect(try delete(notIn: kept, maxTier: maxTier) == [])
    }

    @Test("a stale paid server goes with a list of all, and stays with one of free servers")
    func paid() throws {
        #expect(try delete(notIn: ["free1", "free2", "plus1"], maxTier: 0) == [])
        #expect(try asked.servers([.logicalID("plus2")]).labels == "plus2")
        let change = try asked.store.replaceList(
            [ServerLists.server("free1")], scope: .maxTier(0))
        #expect(change == ListChange(removed: ["free2"], unchanged: 1))
        #expect(try asked.servers().labels == "basic free1 plus1 plus2 staff")
        let all = try asked.store.replaceList([ServerLists.server("free1")])
        #expect(all == ListChange(removed: ["basic", "plus1", "plus2", "staff"], unchanged: 1))
        #expect(try asked.servers().labels == "free1")
    }

    @Test("their endpoints, loads and groups go with them")
    func traces() throws {
        #expect(try asked.countryCount() == 5)
        _ = try delete(notIn: ["free1", "basic"], maxTier: 2)
        #expect(try asked.servers([.endpointID("plus1-e")]) == [])
        #expect(try asked.first([.logicalID("plus1")]) == nil)
        let load = ContinuousServerProperties(serverId: "plus1", load: 1, score: 1, status: 1)
        #expect(try asked.store.update(loads: [load]) == LoadChange(unknown: ["plus1"]))
        #expect(
            try asked.groups().map(\.kind) == [
                .country(code: "DE"), .country(code: "SE"), .country(code: "CH"),
            ])
        #expect(try asked.countryCount() == 3)
    }

    @Test("one that returns is a new one, with the properties of the list")
    func back() throws {
        _ = try delete(notIn: ["free1"], maxTier: 2)
        let server = ServerLists.server("plus1", exit: "US", tier: 2, score: 7, load: 70)
        let store = asked.store
        let change = try store.write { try store.upsert([server], in: $0) }
        #expect(change == ListChange(added: ["plus1"]))
        #expect(try asked.first([.logicalID("plus1")]) == server)
    }

    @Test("an endpoint of several servers stays with those that stay")
    func shared() throws {
        let asked = try AskedTwice(
            ["a", "b"].map { ServerLists.server($0, endpoints: [ServerLists.endpoint("same")]) })
        let store = asked.store
        let gone = try store.write { try store.deleteServers(withIDsNotIn: ["a"], in: $0) }
        #expect(gone == ["b"])
        #expect(try asked.servers([.endpointID("same")]).labels == "a")
        #expect(try asked.first()?.endpoints == [ServerLists.endpoint("same")])
    }
}
