import DataFileCore
import EngineTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// The cached state of a file is shared by all its snapshots.
@Suite("The last sequence of a snapshot")
struct SnapshotSequenceTests {
    @Test("is its own, also if a later snapshot was the first to look it up")
    func laterFirst() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        try fixture.open().write { _ = try store.set("a", in: $0) }
        let file = try fixture.open()
        defer { file.close() }
        try file.read { earlier in
            #expect(try store.keys(in: earlier) == ["a"])
            // Another process.
            try fixture.sqlite().exec(
                sql: """
                    INSERT INTO kv_default (key, sequence, flags, version)
                        VALUES ('b', 2, 0, x'01');
                    UPDATE kvmeta SET lastSeq = 2
                    """)
            #expect(try file.write { try store.lastSequence(in: $0) } == 2)
            #expect(try store.lastSequence(in: earlier) == 1)
            #expect(try store.keys(in: earlier) == ["a"])
        }
    }

    @Test("is that of the rows if kvmeta is lower, in every snapshot")
    func lagging() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let first = try fixture.open()
        for key in ["a", "b", "c"] { try first.write { _ = try store.set(key, in: $0) } }
        first.close()
        try fixture.sqlite().exec(sql: "UPDATE kvmeta SET lastSeq = 1")
        let file = try fixture.open()
        defer { file.close() }
        for _ in 0..<2 { #expect(try file.read { try store.lastSequence(in: $0) } == 3) }
        #expect(
            try file.write { try store.set("d", in: $0) } == .saved(sequence: 4, subsequence: 0))
    }
}
