import DataFileCore
import EngineTestSupport
import StoreFormat
import Testing

@Suite("Moves between stores")
struct MoveTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)
    let other = KeyStore(KeyStoreName(".other"))

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
        try file.write { transaction in
            try other.create(in: transaction)
            try other.set("there", in: transaction)
            let update = RecordUpdate(
                "a", version: [5], body: [0x61], extra: [6], flags: [.synced], expecting: .absent)
            _ = try store.put(update, in: transaction)
            try store.setExpiration(4_000_000_000_000, of: "a", in: transaction)
        }
    }

    @Test("a record moves with all its columns and its expiration, and counts as purged")
    func record() throws {
        let result = try file.write { try store.move("a", to: other, as: "b", in: $0) }
        #expect(result == .saved(sequence: 2, subsequence: 0))
        let columns = "key, sequence, flags, hex(version), hex(body), hex(extra), expiration"
        #expect(
            try fixture.rows("SELECT \(columns) FROM \"kv_.other\" WHERE key='b'")
                == ["b|2|8|05|61|06|4000000000000"])
        #expect(try fixture.liveRows() + fixture.tombstoneRows() == [])
        #expect(
            try fixture.rows("SELECT name, lastSeq, purgeCnt FROM kvmeta ORDER BY name")
                == [".other|2|0", "default|1|1"])
    }

    @Test("a tombstone is not moved, and a missing record gives nil")
    func nothingToMove() throws {
        try file.write { transaction in
            try store.set("a", flags: .deleted, in: transaction)
            #expect(try store.move("a", to: other, in: transaction) == nil)
            #expect(try store.move("none", to: other, in: transaction) == nil)
            #expect(try store.purgeCount(in: transaction) == 0)
        }
        #expect(try fixture.tombstoneRows().count == 1)
        #expect(try fixture.rows("SELECT key FROM \"kv_.other\"") == ["there"])
    }

    @Test(
        "it is a conflict if the state is not as expected, or the key exists, also as a tombstone")
    func conflicts() throws {
        try file.write { transaction in
            #expect(try store.move("a", to: other, as: "there", in: transaction) == .conflict)
            try other.set("there", flags: .deleted, in: transaction)
            #expect(try store.move("a", to: other, as: "there", in: transaction) == .conflict)
            for expected in [
                RecordUpdate.Expectation.absent, .revision(sequence: 2, subsequence: 0),
                .revision(sequence: 1, subsequence: 1),
            ] {
                #expect(
                    try store.move("a", to: other, expecting: expected, in: transaction)
                        == .conflict)
            }
            #expect(try store.purgeCount(in: transaction) == 0)
            #expect(
                try store.move(
                    "a", to: other, expecting: .revision(sequence: 1, subsequence: 0),
                    in: transaction) == .saved(sequence: 3, subsequence: 0))
        }
        #expect(try fixture.rows("SELECT key FROM \"kv_.other\"") == ["a"])
    }

    @Test("a move within a store, to a missing store, or to an invalid key fails as a whole")
    func refused() throws {
        let missing = KeyStore(KeyStoreName(".missing"))
        try file.write { transaction in
            storeError(.invalidParameter) {
                _ = try store.move("a", to: store, as: "b", in: transaction)
            }
            storeError(.notFound) { _ = try store.move("a", to: missing, in: transaction) }
            storeError(.notFound) { _ = try missing.move("a", to: store, in: transaction) }
            storeError(.invalidParameter) {
                _ = try store.move("a", to: other, as: "", in: transaction)
            }
        }
        #expect(try fixture.rows("SELECT key FROM kv_default") == ["a"])
    }

    @Test("observers of both stores are notified")
    func observers() async throws {
        let here = try file.changes(of: store)
        let there = try file.changes(of: other)
        _ = try await file.write { try store.move("a", to: other, in: $0) }
        var iterator = here.makeAsyncIterator()
        let gone = try #require(await iterator.next())
        #expect(gone.changes.map(\.kind) == [.purged] && gone.changes.map(\.key) == ["a"])
        iterator = there.makeAsyncIterator()
        let come = try #require(await iterator.next())
        #expect(come.changes == [RecordChange(key: "a", kind: .saved, sequence: 2)])
    }
}
