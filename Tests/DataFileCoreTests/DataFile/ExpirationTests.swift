import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
internal import StorePlatform
import Testing
@testable import DataFileCore

@Suite("Expiration", .timeLimit(.minutes(20)))
struct ExpirationTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    @Test("is stored in milliseconds, set, read and cleared, without changing sequence and flags")
    func setAndClear() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", flags: .deleted, in: transaction)
            #expect(try store.setExpiration(1_700_000_000_123, of: "a", in: transaction))
            #expect(try store.setExpiration(5, of: "b", in: transaction))
            #expect(try !store.setExpiration(5, of: "c", in: transaction))
        }
        let sql = "SELECT key, sequence, flags, expiration FROM"
        #expect(try fixture.rows("\(sql) kv_default") == ["a|1|0|1700000000123"])
        #expect(try fixture.rows("\(sql) kv_del_default") == ["b|2|1|5"])
        try file.read { snapshot throws in
            #expect(try store.expiration(of: "a", in: snapshot) == 1_700_000_000_123)
            #expect(try store.get("a", in: snapshot)?.expiration == 1_700_000_000_123)
            #expect(try store.expiration(of: "b", in: snapshot) == 5)
            #expect(try store.expiration(of: "c", in: snapshot) == nil)
            #expect(try store.nextExpiration(in: snapshot) == 5)
            #expect(try snapshot.nextExpiration() == 5)
        }
        #expect(try file.write { try store.setExpiration(nil, of: "b", in: $0) })
        #expect(try file.read { try store.nextExpiration(in: $0) } == 1_700_000_000_123)
        #expect(try file.write { try store.setExpiration(nil, of: "a", in: $0) })
        #expect(try file.read { try store.nextExpiration(in: $0) } == nil)
        #expect(try file.read { try store.get("a", in: $0)?.expiration } == nil)
    }

    @Test("set meanwhile is not a conflict for a save, and stays with the document")
    func concurrentSave() throws {
        let people = DocumentCollection(.default)
        try file.write { transaction in
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
        }
        var copy = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        let before = try fixture.rows("SELECT sequence, flags FROM kv_default")
        #expect(try file.write { try store.setExpiration(9_000_000_000_000, of: "ada", in: $0) })
        // As in LiteCore neither number changes: a save does not write the expiration.
        #expect(try fixture.rows("SELECT sequence, flags FROM kv_default") == before)
        copy["n"] = 2
        #expect(try file.write { try people.save(&copy, in: $0) }.saved != nil)
        #expect(
            try fixture.rows("SELECT sequence, flags, expiration FROM kv_default")
                == ["2|0|9000000000000"])
        // It also survives a deletion based on an older state, and can be cleared.
        let stale = copy
        #expect(try file.write { try store.setExpiration(8_000_000_000_000, of: "ada", in: $0) })
        #expect(try file.write { try people.delete(stale, in: $0) }.saved != nil)
        #expect(
            try fixture.rows("SELECT expiration FROM kv_del_default") == ["8000000000000"])
    }

    @Test("the next one of a file is the earliest of all stores, also tombstones and raw stores")
    func earliestOfAll() throws {
        let other = KeyStore(KeyStoreName(".hr.People"))
        let raw = KeyStore(KeyStoreName("own"))
        try file.write { transaction in
            try other.create(in: transaction)
            try store.set("a", in: transaction)
            try other.set("b", flags: .deleted, in: transaction)
            try raw.putRaw(RawRecord(body: []), for: "r", in: transaction)
            try store.setExpiration(300, of: "a", in: transaction)
            #expect(try transaction.nextExpiration() == 300)
            try other.setExpiration(200, of: "b", in: transaction)
            #expect(try transaction.nextExpiration() == 200)
            try raw.setExpiration(100, of: "r", in: transaction)
            #expect(try transaction.nextExpiration() == 100)
            #expect(try transaction.purgeExpired(at: 99) == 0)
            #expect(try transaction.purgeExpired(at: 200) == 2)
            #expect(try transaction.nextExpiration() == 300)
        }
        #expect(try file.read { try other.purgeCount(in: $0) } == 1)
        #expect(try file.read { try store.purgeCount(in: $0) } == 0)
    }

    @Test("due records are purged in the order of expiration, and count as purges")
    func purge() throws {
        try file.write { transaction in
            for number in 1...6 {
                let key = "k\(number)"
                try store.set(key, flags: number % 2 == 0 ? .deleted : [], in: transaction)
                try store.setExpiration(Int64(10 * (7 - number)), of: key, in: transaction)
            }
            #expect(try store.purgeExpired(at: 9, in: transaction) == 0)
            #expect(try store.purgeExpired(at: 60, limit: 0, in: transaction) == 0)
            #expect(try store.purgeExpired(at: 60, limit: -1, in: transaction) == 0)
            #expect(try store.purgeExpired(at: 60, limit: 2, in: transaction) == 2)
            #expect(try store.keys(in: transaction) == ["k1"])
            #expect(try store.purgeExpired(at: 59, in: transaction) == 3)
            #expect(try store.keys(in: transaction) == ["k1"])
            #expect(try store.purgeExpired(at: 60, in: transaction) == 1)
        }
        #expect(try fixture.liveRows() + fixture.tombstoneRows() == [])
        #expect(
            try fixture.rows("SELECT name, lastSeq, purgeCnt FROM kvmeta ORDER BY name")
                == ["default|6|3", "del_default|0|3"])
    }

    @Test("an update and a deletion keep the expiration, a purge and a new record have none")
    func carried() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.setExpiration(77, of: "a", in: transaction)
            try store.set("a", "2", in: transaction)
            #expect(try store.expiration(of: "a", in: transaction) == 77)
            try store.set("a", flags: .deleted, in: transaction)
            #expect(try store.expiration(of: "a", in: transaction) == 77)
            try store.purge("a", in: transaction)
            try store.set("a", in: transaction)
            #expect(try store.expiration(of: "a", in: transaction) == nil)
        }
    }

    @Test("a clock that jumps back does not purge early, one that jumps forward purges what is due")
    func jumpingClock() throws {
        let clock = Locked<Int64>(1_000_000)
        file.close()
        let file = try fixture.open { $0.now = { clock.withLock { $0 } } }
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.setExpiration(1_000_500, of: "a", in: transaction)
        }
        #expect(try file.shared.timeToNextExpiration(atMost: 60_000) == 500)
        for (time, wait) in [(Int64(0), 60_000), (.min, 60_000), (1_000_499, 1)] {
            clock.withLock { $0 = time }
            #expect(try file.shared.runMaintenance())
            #expect(try file.write { try $0.purgeExpired() } == 0)
            #expect(try file.shared.timeToNextExpiration(atMost: 60_000) == wait)
        }
        clock.withLock { $0 = 1_000_500 }
        #expect(try file.shared.timeToNextExpiration(atMost: 60_000) == 0)
        #expect(try file.shared.runMaintenance())
        #expect(try file.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("times at the ends of the range are valid", arguments: [Int64.min, -1, 0, .max])
    func extremes(time: Int64) throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.setExpiration(time, of: "a", in: transaction)
        }
        let wait = try file.shared.timeToNextExpiration(atMost: 1000)
        #expect(wait == (time == .max ? 1000 : 0))
        #expect(try file.write { try $0.purgeExpired() } == (time == .max ? 0 : 1))
    }

    @Test("an older file is purged after its upgrade, and maintenance does not spin until then")
    func olderFile() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.setExpiration(.min, of: "a", in: transaction)
        }
        file.close()
        try fixture.sqlite().exec(sql: "PRAGMA user_version=502")
        let old = try fixture.open { $0.upgrade = .never }
        #expect(try old.shared.runMaintenance())
        #expect(try old.shared.timeToNextExpiration(atMost: 60_000) == 60_000)
        #expect(try fixture.rows("SELECT key FROM kv_default") == ["a"])
    }

    @Test("background maintenance purges a record when it expires, and observers are notified")
    func background() async throws {
        file.close()
        let file = try fixture.open { $0.maintenance = true }
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            try store.set("keeps", in: transaction)
            try store.set("goes", in: transaction)
            let now = transaction.state.now()
            try store.setExpiration(now + 30, of: "goes", in: transaction)
            try store.setExpiration(now + 3_600_000, of: "keeps", in: transaction)
        }
        var expired: [String] = []
        for await event in stream where expired.isEmpty {
            expired += event.changes.filter { $0.kind == .expired }.map(\.key)
            if !expired.isEmpty { break }
        }
        #expect(expired == ["goes"])
        #expect(try await file.read { try store.keys(in: $0) } == ["keeps"])
        #expect(try await file.read { try store.purgeCount(in: $0) } == 1)
    }

    @Test("blobs in the column, which an upgrade by LiteCore can leave, never expire")
    func swappedRows() throws {
        try fixture.sqlite().exec(
            sql: """
                INSERT INTO kv_del_default (key, sequence, flags, expiration)
                VALUES ('a', 1, 1, x'0001'), ('b', 2, 1, 'text'), ('c', 3, 1, 50)
                """)
        #expect(try file.read { try store.nextExpiration(in: $0) } == 50)
        #expect(try file.write { try $0.purgeExpired(at: .max) } == 1)
        #expect(try fixture.tombstoneRows() == ["a|1|1|", "b|2|1|"])
    }
}
