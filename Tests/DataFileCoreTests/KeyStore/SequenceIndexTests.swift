import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

/// A store gets the index of its sequences in the transaction with its 5,000th change and later
/// ones, so that the last sequence is found without a scan when the file is opened again.
@Suite("The index of a large store's sequences")
struct SequenceIndexTests {
    private let fixture: EngineFixture
    private let file: DataFile
    private let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    private func add(_ range: ClosedRange<Int>, _ prefix: String = "a") throws {
        try file.write { transaction in
            for number in range { try store.set("\(prefix)\(number)", in: transaction) }
        }
    }

    private func indexes() throws -> [String] {
        try fixture.rows(
            "SELECT name FROM sqlite_master WHERE name LIKE '%\\_seqs' ESCAPE '\\' ORDER BY 1")
    }

    @Test("A store has it from the change after the 5,000th on")
    func growth() throws {
        try add(1...5_000)
        #expect(try indexes() == [])
        try add(5_001...5_001)
        #expect(try indexes() == ["kv_default_seqs", "kv_del_default_seqs"])
        #expect(try file.read { try store.get(sequence: 5_001, in: $0)?.key } == "a5001")
    }

    @Test("One transaction with many changes creates it, for one store only")
    func bulk() throws {
        try file.write { try KeyStore(KeyStoreName("other")).create(in: $0) }
        try add(1...8_000)
        #expect(try indexes() == ["kv_default_seqs", "kv_del_default_seqs"])
    }

    @Test("Changes of few records count like new records")
    func changes() throws {
        try add(1...2)
        for _ in 1...2_500 { try add(1...2) }
        #expect(try indexes() == ["kv_default_seqs", "kv_del_default_seqs"])
        #expect(try file.read { try store.lastSequence(in: $0) } == 5_002)
    }

    @Test("It finds the last sequence")
    func search() throws {
        try add(1...5_001)
        let plan = try fixture.rows(
            "EXPLAIN QUERY PLAN SELECT max(sequence) FROM kv_default WHERE sequence < ''")
        #expect(
            plan.map { $0.split(separator: "|").last }
                == ["SEARCH kv_default USING COVERING INDEX kv_default_seqs (sequence<?)"])
        file.close()
        let again = try fixture.open()
        #expect(
            try again.write { try store.set("b", in: $0) }
                == .saved(sequence: 5_002, subsequence: 0))
    }

    @Test("It is rolled back with the changes, and created by the next ones")
    func rollback() throws {
        struct Undone: Error {}
        try add(1...4_999)
        #expect(throws: Undone.self) {
            try file.write { transaction in
                for number in 1...10 { try store.set("b\(number)", in: transaction) }
                throw Undone()
            }
        }
        #expect(throws: Undone.self) {
            try file.write { transaction in
                try transaction.savepoint {
                    for number in 1...10 { try store.set("c\(number)", in: transaction) }
                    throw Undone()
                }
            }
        }
        #expect(try indexes() == [])
        try add(1...2, "d")
        #expect(try indexes() == ["kv_default_seqs", "kv_del_default_seqs"])
    }

    @Test("A damaged store with duplicate sequences goes on without it")
    func duplicates() throws {
        try add(1...5_000)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET sequence=7 WHERE sequence=8")
        try add(1...1, "b")
        #expect(try indexes() == ["kv_del_default_seqs"])
        #expect(try file.read { try store.get("b1", in: $0)?.sequence } == 5_001)
    }

    @Test("A large store of another program does not wait for it in a transaction")
    func largeBefore() throws {
        try add(1...5_001)
        file.close()
        try fixture.sqlite().exec(sql: "DROP INDEX kv_default_seqs; DROP INDEX kv_del_default_seqs")
        let again = try fixture.open()
        _ = try again.write { try store.set("b", in: $0) }
        #expect(try indexes() == [])
    }
}
