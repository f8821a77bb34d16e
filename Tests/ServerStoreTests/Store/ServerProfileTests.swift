import DocumentStore
import ServerStore
import Testing

@Suite("Profiles and recents")
struct ServerProfileTests {
    private let store: ServerStore

    init() throws {
        store = try ServerStore.inMemory()
        let servers = (0..<12).map { ServerLists.server("s\($0)") }
        try store.write { [store] in try store.replaceList(servers, in: $0) }
    }

    @Test("a profile with a protocol of a later version is there, without it")
    func laterProtocol() throws {
        try store.write { transaction in
            let profiles = DocumentCollection(try CollectionName("vpn.profiles"))
            _ = try profiles.save("1", in: transaction) {
                try $0.writeJSON(#"{"id": "1", "name": "n", "vpnProtocol": "WireGuardQUIC"}"#)
            }
        }
        #expect(try store.read { try store.profiles(in: $0) } == [.init(id: "1", name: "n")])
    }

    @Test("profiles are sorted by name, and stay when their server is removed")
    func profiles() throws {
        let (home, work) = (
            ServerProfile(id: "2", name: "home", serverID: "s1", vpnProtocol: .wireGuardTLS),
            ServerProfile(id: "1", name: "work")
        )
        try store.write { transaction in
            for profile in [work, home] { try store.save(profile, in: transaction) }
            try store.replaceList([ServerLists.server("s2")], in: transaction)
        }
        #expect(try store.read { try store.profiles(in: $0) } == [home, work])
        let gone = try store.write { try store.deleteProfile("2", in: $0) }
        let none = try store.write { try store.deleteProfile("2", in: $0) }
        #expect(gone && !none)
        let error = #expect(throws: ServerStoreError.self) {
            try store.write { try store.save(.init(id: "", name: "x"), in: $0) }
        }
        #expect(error?.code == .invalidID)
    }

    @Test("of recently used servers the newest and the pinned ones stay")
    func recents() throws {
        try store.write { transaction in
            try store.noteUse(of: "s0", at: 1, keeping: 3, in: transaction)
            try store.setPinned(true, "s0", in: transaction)
            for number in 1..<8 {
                try store.noteUse(
                    of: "s\(number)", at: Int64(number + 1), keeping: 3, in: transaction)
            }
            try store.noteUse(of: "s5", at: 99, keeping: 3, in: transaction)
        }
        let recents = try store.read { try store.recents(in: $0) }
        #expect(recents.map(\.serverID) == ["s0", "s5", "s7", "s6"])
        #expect(recents.map(\.isPinned) == [true, false, false, false])
        _ = try store.write { try store.forget("s7", in: $0) }
        #expect(try store.read { try store.recents(in: $0) }.count == 3)
        for id in ["none", "s9"] {
            let error = #expect(throws: ServerStoreError.self) {
                try store.write { transaction in
                    if id == "none" { try store.noteUse(of: id, at: 1, in: transaction) }
                    try store.setPinned(true, id, in: transaction)
                }
            }
            #expect(error?.code == .unknownServer)
        }
    }
}
