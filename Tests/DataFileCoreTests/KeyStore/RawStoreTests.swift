import DataFileCore
import EngineTestSupport
import StoreFormat
import Testing

@Suite("Raw stores, creating and deleting stores")
struct RawStoreTests {
    let fixture: EngineFixture
    let file: DataFile

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    @Test("bytes are returned unchanged, and the first record creates a raw store")
    func putAndGet() throws {
        let raw = KeyStore(KeyStoreName("peerCheckpoints"))
        #expect(try file.read { try raw.getRaw("a", in: $0) } == nil)
        #expect(try !file.read { try raw.exists(in: $0) })
        try file.write { transaction in
            try raw.putRaw(nil, for: "a", in: transaction)
            #expect(try !raw.exists(in: transaction), "nothing to remove makes no store")
            try raw.putRaw(RawRecord(version: [1], body: [2, 0, 3]), for: "a", in: transaction)
            try raw.putRaw(RawRecord(body: []), for: "b", in: transaction)
            try raw.putRaw(RawRecord(body: [4]), for: "b", in: transaction)
            try raw.putRaw(RawRecord(body: [5]), for: "c", in: transaction)
            try raw.putRaw(nil, for: "c", in: transaction)
        }
        try file.read { snapshot throws in
            #expect(try raw.getRaw("a", in: snapshot) == RawRecord(version: [1], body: [2, 0, 3]))
            #expect(try raw.getRaw("b", in: snapshot) == RawRecord(body: [4]))
            #expect(try raw.getRaw("c", in: snapshot) == nil)
            #expect(try raw.count(in: snapshot) == (2, 0))
        }
        #expect(
            try fixture.rows(
                "SELECT key, sequence, hex(version), hex(body) FROM \"kv_peer\\Checkpoints\"")
                == ["a||01|020003", "b|||04"])
        #expect(
            try fixture.rows(
                "SELECT name FROM sqlite_master WHERE type='table' AND name GLOB '*heckpoints'")
                == ["kv_peer\\Checkpoints"], "no table for tombstones")
        #expect(try fixture.rows("SELECT name FROM kvmeta") == [])
    }

    @Test("raw records cannot be written to a collection's store or an invalid name")
    func refused() throws {
        for name in ["default", ".people", "del_default", "", "a:b", "a\\b", "a\0b"] {
            storeError(.invalidParameter) {
                try file.write {
                    let store = KeyStore(KeyStoreName(name))
                    try store.putRaw(RawRecord(body: []), for: "a", in: $0)
                }
            }
        }
        #expect(
            try file.read { try $0.keyStoreNames() } == [.default, .info])
    }

    @Test("names are distinguished by case and by bytes, and listed in order")
    func names() throws {
        let names = ["own", "Own", "oWN", "\u{E9}", "e\u{301}", "a.b", "sqlite", "x'y\"z"]
        try file.write { transaction in
            for (index, name) in names.enumerated() {
                try KeyStore(KeyStoreName(name)).putRaw(
                    RawRecord(body: [UInt8(index)]), for: "k", in: transaction)
            }
        }
        file.close()
        let reopened = try fixture.open()
        try reopened.read { snapshot in
            for (index, name) in names.enumerated() {
                let record = try KeyStore(KeyStoreName(name)).getRaw("k", in: snapshot)
                #expect(record?.body == [UInt8(index)], "\(name)")
            }
            let listed = try snapshot.keyStoreNames().map(\.rawName)
            #expect(listed.count == names.count + 2)
            #expect(listed == listed.sorted())
        }
    }

    @Test("a deleted store loses its tables; created again it continues its counts")
    func deleteAndMakeAnew() throws {
        let store = KeyStore(KeyStoreName(".hr.People"))
        try file.write { transaction in
            try store.create(in: transaction)
            try store.create(in: transaction)
            try store.set("a", in: transaction)
            try store.set("b", flags: .deleted, in: transaction)
            try store.purge("a", in: transaction)
        }
        let records = "\"kv_.hr.\\People\""
        #expect(try fixture.rows("SELECT count(*) FROM \(records)") == ["0"])
        #expect(try file.write { try store.delete(in: $0) })
        #expect(try !file.write { try store.delete(in: $0) })
        #expect(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB '*eople*'") == [])
        let counts = "SELECT name, lastSeq, purgeCnt FROM kvmeta"
        #expect(try fixture.rows(counts) == [".hr.People|2|1"])
        try file.write { transaction in
            try store.create(in: transaction)
            #expect(try store.set("c", in: transaction) == .saved(sequence: 3, subsequence: 0))
            #expect(try store.delete(in: transaction))
            try store.create(in: transaction)
            #expect(try store.set("d", in: transaction) == .saved(sequence: 4, subsequence: 0))
            #expect(try store.purgeCount(in: transaction) == 1)
        }
        #expect(try fixture.rows(counts) == [".hr.People|4|1"])
        #expect(try file.read { try store.keys(in: $0) } == ["d"])
    }

    @Test("the stores that every file has cannot be deleted")
    func indispensable() throws {
        for name in [KeyStoreName.default, .info] {
            storeError(.invalidParameter) {
                _ = try file.write { try KeyStore(name).delete(in: $0) }
            }
        }
    }

    @Test("a store that another handle has deleted is missing for all, also between two reads")
    func deletedElsewhere() throws {
        let store = KeyStore(KeyStoreName(".a"))
        let other = try fixture.open(.readOnly)
        try file.write { transaction in
            try store.create(in: transaction)
            try store.set("x", in: transaction)
        }
        #expect(try other.read { try store.keys(in: $0) } == ["x"])
        try file.read { snapshot in
            try file.write { _ = try store.delete(in: $0) }
            #expect(try store.keys(in: snapshot) == ["x"], "the snapshot has it still")
        }
        storeError(.notFound) { _ = try file.read { try store.keys(in: $0) } }
        storeError(.notFound) { _ = try other.read { try store.keys(in: $0) } }
    }
}
