import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

/// Numbers and rows that no engine writes.
@Suite("Rows of hostile files", .timeLimit(.minutes(20)))
struct HostileRowTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        let file = try fixture.open()
        try file.write { _ = try store.set("a", "x", in: $0) }
        file.close()
    }

    private func alter(_ sql: String) throws { try fixture.sqlite().exec(sql: sql) }

    @Test("the maximum count of purges does not overflow")
    func purges() throws {
        try alter("UPDATE kvmeta SET purgeCnt=9223372036854775807")
        let file = try fixture.open()
        let counts = try file.write { transaction in
            let before = try store.purgeCount(in: transaction)
            try store.purge("a", in: transaction)
            return [before, try store.purgeCount(in: transaction)]
        }
        #expect(counts == [.max, .max])
        #expect(try file.read { try store.purgeCount(in: $0) } == .max)
    }

    @Test("an expiration that is a string is ignored, and does not keep maintenance busy")
    func textExpiration() throws {
        try alter("UPDATE kv_default SET expiration='soon'")
        let file = try fixture.open()
        try file.read { (snapshot) throws in
            #expect(try snapshot.nextExpiration() == nil)
            #expect(try store.get("a", in: snapshot)?.expiration == nil)
            #expect(try store.expiration(of: "a", in: snapshot) == nil)
        }
        let target = KeyStore(KeyStoreName(".other"))
        try file.write { transaction in
            try target.create(in: transaction)
            #expect(try store.move("a", to: target, in: transaction) != nil)
            #expect(try transaction.purgeExpired() == 0)
        }
        #expect(try file.read { try target.text("a", in: $0) } == "x")
    }

    @Test("an update of the tombstone of a key that is also live does not change the live record")
    func keyInBothTables() throws {
        try alter("INSERT INTO kv_del_default (key, sequence, flags) VALUES ('a', 7, 1)")
        let file = try fixture.open()
        try file.write { (transaction) throws in
            let update = RecordUpdate(
                "a", body: [1], expecting: .revision(sequence: 7, subsequence: 0))
            #expect(try store.put(update, in: transaction) == .conflict)
        }
        #expect(try fixture.liveRows() == ["a|1|0|x"])
    }

    @Test("the engine's own records do not expire")
    func engineRows() throws {
        try alter("UPDATE kv_info SET expiration=1")
        let file = try fixture.open()
        try file.write { (transaction) throws in
            #expect(try transaction.nextExpiration() == nil)
            #expect(try transaction.purgeExpired() == 0)
            #expect(try transaction.purgeExpired(limit: 5) == 0)
        }
        #expect(try fixture.rows("SELECT count(*) FROM kv_info") == ["4"])
    }

    @Test("a sequence that is a string does not hide the last sequence")
    func textSequence() throws {
        try alter(
            "UPDATE kvmeta SET lastSeq=0; INSERT INTO kv_default (key, sequence) VALUES ('t', 'z')")
        let file = try fixture.open()
        let result = try file.write { try store.set("new", in: $0) }
        #expect(result == .saved(sequence: 2, subsequence: 0))
    }

    @Test("an application's own table with a store's name does no harm")
    func foreignTable() throws {
        try alter("CREATE TABLE kv_app (id INTEGER); UPDATE kv_default SET expiration=1")
        let file = try fixture.open()
        #expect(try file.read { try $0.nextExpiration() } == 1)
        #expect(try file.write { try $0.purgeExpired() } == 1)
    }
}
