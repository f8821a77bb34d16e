import DataFileCore
import EngineTestSupport
import SQLCore
import SampleData
import StoreFormat
import Testing

@Suite("Records: get, by key, by sequence, many at once")
struct KeyStoreGetTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    @Test("each content option reads the columns that it names, and the lengths of the others")
    func contents() throws {
        try file.write { transaction in
            let update = RecordUpdate(
                "a", version: [9, 8], body: [1, 2, 3], extra: [4, 5], flags: .synced,
                expecting: .absent)
            _ = try store.put(update, in: transaction)
        }
        try file.read { snapshot in
            let all = try #require(try store.get("a", content: .all, in: snapshot))
            #expect(all.body == [1, 2, 3] && all.extra == [4, 5])
            #expect(all.bodySize == 3 && all.extraSize == 2)
            #expect(all.version == [9, 8] && all.flags == .synced && all.sequence == 1)
            let body = try #require(try store.get("a", content: .body, in: snapshot))
            #expect(body.body == [1, 2, 3] && body.extra == nil && body.extraSize == 2)
            let data = try #require(try store.get("a", content: .metadata, in: snapshot))
            #expect(data.body == nil && data.extra == nil)
            #expect(data.bodySize == 3 && data.extraSize == 2 && data.version == [9, 8])
            #expect(data.expiration == nil && data.subsequence == 0)
        }
    }

    @Test("by sequence: the current record, live or tombstone, with and without the index")
    func bySequence() throws {
        try file.write { transaction in
            try store.set("a", "1", in: transaction)
            try store.set("b", "2", flags: .deleted, in: transaction)
            try store.set("a", "3", in: transaction)
        }
        for _ in 0..<2 {
            for content in [RecordContent.metadata, .body, .all] {
                try file.read { snapshot throws in
                    let get = { try store.get(sequence: $0, content: content, in: snapshot) }
                    #expect(try get(1) == nil)
                    #expect(try get(2)?.key == "b")
                    #expect(try get(3)?.key == "a")
                    #expect(try get(4) == nil)
                    #expect(try get(0) == nil)
                    #expect(try get(.max) == nil)
                    #expect(try get(.min) == nil)
                }
            }
            try fixture.sqlite().exec(
                sql: "CREATE UNIQUE INDEX IF NOT EXISTS kv_default_seqs ON kv_default (sequence)")
        }
    }

    @Test("1,000 keys at once: each position has its record, also for repeated and missing keys")
    func many() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededGenerator(seed: seed)
        try file.write { transaction in
            for number in 0..<300 {
                try store.set(
                    "k\(number)", "\(number)", flags: number % 3 == 0 ? .deleted : [],
                    in: transaction)
            }
        }
        let numbers = (0..<1000).map { _ in random.below(600) }
        try file.read { snapshot in
            for content in [RecordContent.metadata, .body, .all] {
                let records = try store.get(
                    numbers.map { "k\($0)" }, content: content, in: snapshot)
                #expect(records.count == 1000)
                for (number, record) in zip(numbers, records) {
                    #expect((record != nil) == (number < 300), "seed \(seed)")
                    guard let record else { continue }
                    #expect(record.key == "k\(number)")
                    #expect(record.flags.contains(.deleted) == (number % 3 == 0))
                    #expect(record.bodySize == "\(number)".utf8.count)
                    if content != .metadata { #expect(record.body == Array("\(number)".utf8)) }
                }
            }
        }
    }

    @Test("many at once: none, one, 64, 65, unusual keys, and repeated keys")
    func counts() throws {
        let keys = (0..<65).map { "k\($0)" } + ["\u{E9}", "e\u{301}", "", "a\0b"]
        try file.write { transaction in
            for key in keys where !key.isEmpty && !key.utf8.contains(0) {
                try store.set(key, in: transaction)
            }
        }
        try file.read { snapshot in
            #expect(try store.get([], in: snapshot).isEmpty)
            for count in [1, 63, 64, 65] {
                let found = try store.get(Array(keys.prefix(count)), in: snapshot)
                #expect(found.map { $0?.key } == Array(keys.prefix(count)))
            }
            let odd = try store.get(Array(keys.suffix(4)), in: snapshot)
            #expect(odd.map { $0?.key.utf8.count } == [2, 3, nil, nil])
            let same = try store.get([String](repeating: "k1", count: 130), in: snapshot)
            #expect(same.allSatisfy { $0?.sequence == 2 })
        }
    }

    @Test("a snapshot after its end, or of another thread, gives an error")
    func afterTheEnd() throws {
        var kept: Snapshot?
        try file.read { kept = $0 }
        let snapshot = try #require(kept)
        storeError(.notInTransaction) { _ = try store.get("a", in: snapshot) }
        storeError(.notInTransaction) { _ = try store.get(["a"], in: snapshot) }
        storeError(.notInTransaction) { _ = try store.get(sequence: 1, in: snapshot) }
        storeError(.notInTransaction) { _ = try store.lastSequence(in: snapshot) }
        storeError(.notInTransaction) { _ = try snapshot.keyStoreNames() }
        storeError(.notInTransaction) { _ = try snapshot.nextExpiration() }
    }

    @Test("columns of unexpected types, as after damage, are read without a trap")
    func oddTypes() throws {
        try fixture.sqlite().exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body, expiration, extra)
                VALUES ('a', 'x', 'y', 1, 2.5, 'z', 'text'),
                    ('b', NULL, -1, NULL, NULL, x'0102', NULL),
                    ('c', 3, 9223372036854775807, 'v', '', -5, x''),
                    (x'6400', 4, 1e300, x'', x'', 1e300, x'');
                INSERT INTO kv_default (sequence) VALUES (9)
                """)
        try file.read { snapshot in
            for content in [RecordContent.metadata, .body, .all] {
                #expect(try store.get("a", content: content, in: snapshot)?.sequence == 0)
                let b = try #require(try store.get("b", content: content, in: snapshot))
                #expect(b.subsequence == -1 && b.flags.rawValue == 0xFFFF && b.expiration == nil)
                let c = try #require(try store.get("c", content: content, in: snapshot))
                #expect(c.subsequence == 1 << 47 - 1 && c.expiration == -5)
                var options = RecordEnumerator.Options()
                options.content = content
                options.includesDeleted = true
                var count = 0
                let records = try store.records(options, in: snapshot)
                while try records.next() != nil { count += 1 }
                #expect(count == 5)
            }
        }
    }
}
