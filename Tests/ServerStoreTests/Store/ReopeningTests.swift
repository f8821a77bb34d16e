import DocumentStore
import Foundation
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("A file that is opened again")
struct ReopeningTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ names: CountryNames = AskedTwice.names) throws -> ServerStore {
        try ServerStore(path: directory("servers.cblite2"), names: names)
    }

    private func metadata(_ store: ServerStore) throws -> [String?] {
        try store.read { snapshot in
            try ServerMetadata.Key.allCases.map { try store.metadata($0, in: snapshot) }
        }
    }

    @Test(
        "has the list, the loads and what is known besides",
        .enabled(if: GoldenFiles.arePresent))
    func golden() throws {
        let servers = try ServerLists.golden("TestServers.json")
        let loads = [
            ContinuousServerProperties(serverId: "DE1", load: 3, score: 0.125, status: 1),
            ContinuousServerProperties(serverId: "DE2", load: 4, score: 9, status: 0),
        ]
        let first = try open()
        try first.replaceList(servers, metadata: [.lastModifiedAll: "Mon"])
        try first.update(loads: loads)
        let before = try AskedTwice(first).list
        let groups = try AskedTwice(first).groups()
        first.file.close()

        let again = try AskedTwice(open())
        #expect(try again.list.servers == before.servers)
        #expect(try again.list.originals == before.originals)
        #expect(try again.groups() == groups && groups.count == 10)
        #expect(try again.serverCount() == 21 && again.countryCount() == 9)
        #expect(try metadata(again.store) == [nil, "Mon", nil])
        #expect(try again.first(by: .fastest)?.id == "DE1")
        #expect(try again.servers([.kind(.country("DE")), .isNotUnderMaintenance]).labels == "DE1")
        #expect(try again.servers([.matches("us-ny")], by: .nameAscending).count == 2)
        #expect(try again.store.update(loads: loads) == LoadChange())
        #expect(
            try again.store.replaceList(servers)
                == ListChange(changed: ["DE1", "DE2"], unchanged: 19))
        #expect(try again.store.replaceList(servers) == ListChange(unchanged: 21))
        again.store.file.close()
    }

    @Test("as often as one likes, with what each has added and removed")
    func often() throws {
        for number in 0..<5 {
            let store = try open()
            #expect(try AskedTwice(store).serverCount() == number)
            let server = ServerLists.server("s\(number)", "CH#\(number)", tier: number)
            let change = try store.write { try store.upsert([server], in: $0) }
            #expect(change == ListChange(added: ["s\(number)"]))
            store.file.close()
        }
        let store = try open()
        #expect(try AskedTwice(store).servers(by: .nameAscending).labels == "s0 s1 s2 s3 s4")
        let gone = try store.write {
            try store.deleteServers(withIDsNotIn: ["s1"], maxTier: 2, in: $0)
        }
        #expect(gone.sorted() == ["s0", "s2"])
        store.file.close()
        let last = try open()
        #expect(try AskedTwice(last).servers().labels == "s1 s3 s4")
        last.file.close()
    }

    @Test("has profiles, and the servers that were used")
    func profiles() throws {
        let profile = ServerProfile(
            id: "p", name: "home", serverID: "a", vpnProtocol: .wireGuardTLS)
        let first = try open()
        try first.replaceList([ServerLists.server("a")])
        try first.write { transaction in
            try first.save(profile, in: transaction)
            try first.noteUse(of: "a", at: 7, in: transaction)
            try first.setPinned(true, "a", in: transaction)
        }
        first.file.close()
        let again = try open()
        #expect(try again.read { try again.profiles(in: $0) } == [profile])
        let recent = RecentServer(serverID: "a", lastUsed: 7, isPinned: true)
        #expect(try again.read { try again.recents(in: $0) } == [recent])
        again.file.close()
    }

    @Test("in another language has no name, order or search left of the one before")
    func languages() throws {
        let codes = ["AT", "CH", "DE", "SE"]
        func kinds(_ codes: String...) -> [ServerGroupInfo.Kind] {
            codes.map { .country(code: $0) }
        }
        let english = try open(CountryNames(locale: Locale(identifier: "en")))
        try english.replaceList(codes.map { ServerLists.server($0, exit: $0) })
        // Austria, Germany, Sweden, Switzerland.
        #expect(try AskedTwice(english).groups().map(\.kind) == kinds("AT", "DE", "SE", "CH"))
        #expect(try AskedTwice(english).servers([.matches("austria")]).labels == "AT")
        english.file.close()

        let german = try open(CountryNames(locale: Locale(identifier: "de")))
        let asked = AskedTwice(german)
        // Deutschland, Österreich, Schweden, Schweiz.
        #expect(try asked.groups().map(\.kind) == kinds("DE", "AT", "SE", "CH"))
        #expect(
            try asked.groups(by: .exitCountryCodeAscending).map(\.kind)
                == kinds("AT", "CH", "DE", "SE"))
        #expect(try asked.servers([.matches("austria")]) == [])
        #expect(try asked.servers([.matches("schw")]).labels == "CH SE")
        german.file.close()
    }

    @Test("twice at a time shows each what the other one writes")
    func twice() throws {
        let one = try AskedTwice(open())
        let other = try AskedTwice(open())
        try one.store.replaceList(["a", "b"].map { ServerLists.server($0, load: 1) })
        #expect(try other.servers().labels == "a b")
        let load = ContinuousServerProperties(serverId: "a", load: 50, score: 1, status: 1)
        try other.store.update(loads: [load])
        #expect(try one.servers(by: .loadAscending).labels == "b a")
        one.store.file.close()
        try other.store.replaceList([ServerLists.server("c")])
        #expect(try other.servers().labels == "c")
        #expect(throws: StoreError.self) { try one.list }
        other.store.file.close()
    }
}
