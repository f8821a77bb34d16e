import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Records: put, flags, purge")
struct KeyStorePutTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    private func put(_ update: RecordUpdate) throws -> PutResult {
        try file.write { try store.put(update, in: $0) }
    }

    private func update(
        _ key: String, _ body: String, _ sequence: Int64, _ subsequence: Int = 0,
        flags: DocumentFlags = [], keeps: Bool = false
    ) -> RecordUpdate {
        var update = RecordUpdate(
            key, version: [1], body: Array(body.utf8), flags: flags,
            expecting: .revision(sequence: sequence, subsequence: subsequence))
        update.keepsSequence = keeps
        return update
    }

    @Test("an insert gets the next sequence; a second one with the same key is a conflict")
    func insert() throws {
        let new = RecordUpdate("a", version: [7], body: [0x61], extra: [], expecting: .absent)
        #expect(try put(new) == .saved(sequence: 1, subsequence: 0))
        #expect(try put(new) == .conflict)
        #expect(
            try put(RecordUpdate("b", body: nil, expecting: .absent))
                == .saved(sequence: 2, subsequence: 0))
        #expect(
            try fixture.rows(
                "SELECT key, sequence, flags, hex(version), hex(body), typeof(extra), expiration "
                    + "FROM kv_default ORDER BY key")
                == ["a|1|0|07|61|blob|", "b|2|0|||null|"])
        #expect(try fixture.rows("SELECT name, lastSeq FROM kvmeta") == ["default|2"])
    }

    @Test("an update with an outdated sequence or subsequence is a conflict and changes nothing")
    func stale() throws {
        #expect(
            try file.write { try store.set("a", "1", in: $0) }
                == .saved(sequence: 1, subsequence: 0))
        #expect(try put(update("a", "2", 1)) == .saved(sequence: 2, subsequence: 0))
        #expect(try put(update("a", "3", 2, 0, keeps: true)) == .saved(sequence: 2, subsequence: 1))
        for (sequence, subsequence) in [(1, 0), (2, 0), (2, 2), (2, -1), (3, 1), (0, 0), (-2, 1)] {
            #expect(try put(update("a", "x", Int64(sequence), subsequence)) == .conflict)
            #expect(
                try put(update("a", "x", Int64(sequence), subsequence, flags: .deleted))
                    == .conflict)
            #expect(
                try put(update("a", "x", Int64(sequence), subsequence, keeps: true)) == .conflict)
        }
        #expect(try put(update("none", "x", 0)) == .conflict)
        #expect(try fixture.liveRows() == ["a|2|65536|3"])
        #expect(try fixture.tombstoneRows() == [])
        #expect(try put(update("a", "4", 2, 1)) == .saved(sequence: 3, subsequence: 0))
        #expect(try fixture.liveRows() == ["a|3|0|4"])
    }

    @Test("conflicts use up no sequence")
    func conflictsCostNothing() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            for _ in 0..<10 {
                let new = RecordUpdate("a", body: nil, expecting: .absent)
                #expect(try store.put(new, in: transaction) == .conflict)
                #expect(try store.put(update("a", "", 9), in: transaction) == .conflict)
            }
            #expect(try store.set("b", in: transaction) == .saved(sequence: 2, subsequence: 0))
        }
    }

    @Test("a deletion moves the record to the tombstones, an update of a tombstone moves it back")
    func deleteAndUndelete() throws {
        try file.write { transaction in
            try store.set("a", "1", in: transaction)
            try store.setExpiration(9_000_000_000_000, of: "a", in: transaction)
        }
        #expect(
            try put(update("a", "gone", 1, flags: [.deleted, .synced]))
                == .saved(sequence: 2, subsequence: 0))
        #expect(try fixture.liveRows() == [])
        #expect(try fixture.tombstoneRows() == ["a|2|9|gone"])
        #expect(try fixture.rows("SELECT expiration FROM kv_del_default") == ["9000000000000"])
        #expect(try put(RecordUpdate("a", body: nil, expecting: .absent)) == .conflict)
        #expect(
            try put(RecordUpdate("a", body: nil, flags: .deleted, expecting: .absent)) == .conflict)
        #expect(
            try put(update("a", "gone", 2, flags: .deleted, keeps: true))
                == .saved(sequence: 2, subsequence: 1))
        #expect(try put(update("a", "back", 2, 1)) == .saved(sequence: 3, subsequence: 0))
        #expect(try fixture.liveRows() == ["a|3|0|back"])
        #expect(try fixture.tombstoneRows() == [])
        #expect(try fixture.rows("SELECT expiration FROM kv_default") == ["9000000000000"])
    }

    @Test("keys are distinguished by their bytes, in any normalization form, and of any length")
    func oddKeys() throws {
        let keys = [
            "\u{E9}", "e\u{301}", "👩‍👩‍👧", "\u{FEFF}", "\u{202E}x", "\u{7F}\n\t", "%_'\"\\",
            String(repeating: "k", count: 10_000), " ", "A", "a", "\u{10FFFF}",
        ]
        try file.write { transaction throws in
            for (index, key) in keys.enumerated() {
                #expect(
                    try store.set(key, "\(index)", in: transaction)
                        == .saved(sequence: Int64(index + 1), subsequence: 0))
            }
        }
        try file.read { snapshot in
            for (index, key) in keys.enumerated() {
                let record = try #require(try store.get(key, in: snapshot))
                #expect(record.key.utf8.elementsEqual(key.utf8))
                #expect(try store.text(key, in: snapshot) == "\(index)")
            }
            let found = try store.keys(in: snapshot).map { Array($0.utf8) }
            let sorted = keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(found == sorted)
        }
        #expect(try file.write { try store.purge("\u{E9}", in: $0) })
        #expect(try file.read { try store.text("e\u{301}", in: $0) } == "1")
    }

    @Test("an empty key and one with a NUL byte are rejected", arguments: ["", "\0", "a\0b"])
    func badKeys(key: String) throws {
        storeError(.invalidParameter) {
            _ = try put(RecordUpdate(key, body: nil, expecting: .absent))
        }
        storeError(.invalidParameter) {
            try file.write {
                try KeyStore(KeyStoreName("own")).putRaw(RawRecord(body: []), for: key, in: $0)
            }
        }
        #expect(try file.read { try store.get(key, in: $0) } == nil)
        #expect(try file.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("a new record cannot keep a sequence, and no subsequence can exceed the maximum")
    func impossibleUpdates() throws {
        var new = RecordUpdate("a", body: nil, expecting: .absent)
        new.keepsSequence = true
        storeError(.invalidParameter) { _ = try put(new) }
        try file.write { _ = try store.set("a", in: $0) }
        storeError(.invalidParameter) { _ = try put(update("a", "", 1, .max, keeps: true)) }
        #expect(try put(update("a", "", 1, .max)) == .conflict)
        #expect(try put(update("a", "", 1, .min, keeps: true)) == .conflict)
        #expect(try put(update("a", "", .max)) == .conflict)
        #expect(try put(update("a", "", .min)) == .conflict)
    }

    @Test("a missing store is an error that names it")
    func missingStore() throws {
        let missing = KeyStore(KeyStoreName(".no.Such"))
        let error = storeError(.notFound) {
            try file.write {
                _ = try missing.put(RecordUpdate("a", body: nil, expecting: .absent), in: $0)
            }
        }
        #expect(error?.message == "\(file.path) has no store named .no.Such")
        storeError(.notFound) { _ = try file.read { try missing.get("a", in: $0) } }
        storeError(.notFound) { _ = try file.read { try missing.keys(in: $0) } }
        storeError(.notFound) { try file.write { _ = try missing.purge("a", in: $0) } }
        #expect(try !file.read { try missing.exists(in: $0) })
    }

    @Test("a sequence that is in use is skipped when kvmeta is out of date")
    func sequenceInUse() throws {
        try file.write { transaction in
            for key in ["a", "b", "c"] { try store.set(key, in: transaction) }
        }
        try fixture.sqlite().exec(
            sql: "CREATE UNIQUE INDEX kv_default_seqs ON kv_default (sequence);"
                + "CREATE UNIQUE INDEX kv_del_default_seqs ON kv_del_default (sequence)")
        // Known to be 3 from here on, while a program that does not write kvmeta continues.
        #expect(
            try file.write { try store.set("d", in: $0) } == .saved(sequence: 4, subsequence: 0))
        try fixture.sqlite().exec(
            sql: "INSERT INTO kv_default (key, sequence) VALUES ('x', 5), ('y', 6)")
        #expect(
            try put(RecordUpdate("e", body: nil, expecting: .absent))
                == .saved(sequence: 7, subsequence: 0))
        try fixture.sqlite().exec(sql: "UPDATE kvmeta SET lastSeq = 2")
        try fixture.sqlite().exec(sql: "INSERT INTO kv_default (key, sequence) VALUES ('z', 8)")
        #expect(try put(update("d", "", 4)) == .saved(sequence: 9, subsequence: 0))
        #expect(try fixture.rows("SELECT lastSeq FROM kvmeta") == ["9"])
        #expect(
            try fixture.rows("SELECT key, sequence FROM kv_default ORDER BY sequence")
                == ["a|1", "b|2", "c|3", "x|5", "y|6", "e|7", "z|8", "d|9"])
    }

    @Test("exhausted sequences are an error, and nothing is written")
    func usedUp() throws {
        try fixture.sqlite().exec(
            sql: "INSERT INTO kv_default (key, sequence) VALUES ('a', 9223372036854775807)")
        let error = storeError(.corruptData) { try file.write { _ = try store.set("b", in: $0) } }
        #expect(error?.message.contains("used up") == true)
        #expect(try fixture.rows("SELECT key FROM kv_default") == ["a"])
    }

    @Test("a key in both tables is one record: the live one is read, and a change leaves only one")
    func keyInBothTables() throws {
        let damage = """
            INSERT INTO kv_default (key, sequence, flags, body) VALUES ('a', 5, 0, 'live');
            INSERT INTO kv_del_default (key, sequence, flags, body) VALUES ('a', 4, 1, 'dead')
            """
        try fixture.sqlite().exec(sql: damage)
        #expect(try file.read { try store.get("a", in: $0)?.sequence } == 5)
        #expect(
            try file.read { try store.get(["a", "a"], in: $0).map { $0?.sequence } } == [5, 5])
        #expect(
            try put(update("a", "gone", 5, flags: .deleted)) == .saved(sequence: 6, subsequence: 0))
        #expect(try fixture.liveRows() == [])
        #expect(try fixture.tombstoneRows() == ["a|6|1|gone"])
        try fixture.sqlite().exec(sql: "DELETE FROM kv_del_default; " + damage)
        #expect(try file.write { try store.purge("a", in: $0) })
        #expect(try fixture.liveRows() + fixture.tombstoneRows() == [])
    }

    @Test("setting flags increments the subsequence and rejects an outdated sequence")
    func setFlags() throws {
        try file.write { _ = try store.set("a", flags: .conflicted, in: $0) }
        #expect(try file.write { try store.setFlags(.synced, of: "a", sequence: 1, in: $0) })
        #expect(try fixture.liveRows() == ["a|1|\(0x10000 | 0x0A)|"])
        #expect(try !file.write { try store.setFlags(.synced, of: "a", sequence: 2, in: $0) })
        #expect(try !file.write { try store.setFlags(.synced, of: "b", sequence: 1, in: $0) })
        #expect(try put(update("a", "", 1, 0)) == .conflict)
        #expect(try put(update("a", "", 1, 1)) == .saved(sequence: 2, subsequence: 0))
        storeError(.invalidParameter) {
            try file.write {
                _ = try store.setFlags([.deleted, .synced], of: "a", sequence: 2, in: $0)
            }
        }
        #expect(try put(update("a", "", 2, flags: .deleted)) == .saved(sequence: 3, subsequence: 0))
        #expect(try file.write { try store.setFlags(.rejected, of: "a", sequence: 3, in: $0) })
        #expect(try fixture.tombstoneRows() == ["a|3|\(0x10000 | 0x81)|"])
    }

    @Test("unknown flags are preserved")
    func unknownFlags() throws {
        let flags = DocumentFlags(rawValue: 0x7F40)
        #expect(
            try file.write { try store.set("a", flags: flags, in: $0) }
                == .saved(sequence: 1, subsequence: 0))
        #expect(try file.read { try store.get("a", in: $0)?.flags } == flags)
    }

    @Test("purges are counted, of live records and tombstones together, and only of existing ones")
    func purgeCount() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", flags: .deleted, in: transaction)
            try store.set("c", in: transaction)
            #expect(try store.purge("a", in: transaction))
            #expect(try store.purge("b", in: transaction))
            #expect(try !store.purge("a", in: transaction))
            #expect(try !store.purge("c", expecting: .absent, in: transaction))
            let stale = RecordUpdate.Expectation.revision(sequence: 2, subsequence: 0)
            #expect(try !store.purge("c", expecting: stale, in: transaction))
            #expect(try store.purgeCount(in: transaction) == 2)
        }
        #expect(try file.read { try store.purgeCount(in: $0) } == 2)
        #expect(
            try fixture.rows("SELECT name, lastSeq, purgeCnt FROM kvmeta ORDER BY name")
                == ["default|3|1", "del_default|0|1"])
        let right = RecordUpdate.Expectation.revision(sequence: 3, subsequence: 0)
        #expect(try file.write { try store.purge("c", expecting: right, in: $0) })
        #expect(try fixture.open().read { try store.purgeCount(in: $0) } == 3)
    }

    @Test("sequences continue after a purge and after reopening, and none is assigned twice")
    func sequenceAfterPurge() throws {
        try file.write { _ = try store.set("a", in: $0) }
        try file.write { _ = try store.purge("a", in: $0) }
        file.close()
        let reopened = try fixture.open()
        #expect(
            try reopened.write { try store.set("a", in: $0) } == .saved(sequence: 2, subsequence: 0)
        )
    }

    @Test(
        "the engine's own records can be neither put, purged, moved nor made to expire",
        arguments: ["publicUUID", "privateUUID", "SharedKeys", "versioning"])
    func ownRecords(key: String) throws {
        let info = KeyStore(.info)
        let before = try fixture.rows("SELECT key, hex(body) FROM kv_info ORDER BY key")
        storeError(.invalidParameter) {
            _ = try put(
                inInfo: RecordUpdate(
                    key, body: [1], expecting: .revision(sequence: 0, subsequence: 0)))
        }
        storeError(.invalidParameter) { try file.write { _ = try info.purge(key, in: $0) } }
        storeError(.invalidParameter) {
            try file.write { _ = try info.setExpiration(1, of: key, in: $0) }
        }
        storeError(.invalidParameter) {
            try file.write { _ = try info.move(key, to: store, in: $0) }
        }
        storeError(.invalidParameter) {
            try file.write { try info.putRaw(nil, for: key, in: $0) }
        }
        #expect(try fixture.rows("SELECT key, hex(body) FROM kv_info ORDER BY key") == before)
    }

    private func put(inInfo update: RecordUpdate) throws -> PutResult {
        try file.write { try KeyStore(.info).put(update, in: $0) }
    }
}
