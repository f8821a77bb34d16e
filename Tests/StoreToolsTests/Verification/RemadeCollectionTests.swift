import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreTestSupport
import StoreTools
import Testing

@Suite("A collection that is deleted and created again")
struct RemadeCollectionTests {
    private let fixture: StoreFixture
    private let file: DataFile
    private let notes: DocumentCollection

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        notes = DocumentCollection(try CollectionName("notes"))
        try file.write { try notes.create(in: $0) }
    }

    private func save(_ id: String, in transaction: Transaction) throws -> Int64 {
        try notes.save(id, in: transaction) { try $0.writeJSON("{}") }.sequence
    }

    private func counts() throws -> [[SQLValue]] {
        try fixture.sqlite().selectAll(
            sql: "SELECT name, lastSeq, purgeCnt FROM kvmeta WHERE name LIKE '%notes' ORDER BY name"
        )
    }

    @Test("continues its sequences, as in LiteCore")
    func goesOn() throws {
        #expect(
            try file.write { try (save("a", in: $0), save("b", in: $0), save("a", in: $0)) } == (
                1, 2, 3
            ))
        #expect(try file.write { try notes.delete(in: $0) })
        #expect(try counts() == [[.text(".notes"), .long(3), .long(0)]])
        try file.write { try notes.create(in: $0) }
        #expect(try file.read { try notes.keyStore.lastSequence(in: $0) } == 3)
        #expect(try file.read { try notes.count(in: $0) } == (0, 0))
        #expect(try file.write { try save("a", in: $0) } == 4)
        file.close()
        let reopened = try fixture.open()
        #expect(try reopened.write { try save("z", in: $0) } == 5)
    }

    @Test("continues its sequences after a recovery")
    func salvaged() throws {
        _ = try file.write { try (save("a", in: $0), save("b", in: $0)) }
        #expect(try file.write { try notes.delete(in: $0) })
        file.close()
        let path = fixture.directory("salvaged.cblite2")
        _ = try Salvage(from: fixture.path, to: path).run()
        let salvaged = try DataFile(path: path, options: .init(access: .readWrite))
        try salvaged.write { try notes.create(in: $0) }
        #expect(try salvaged.write { try save("c", in: $0) } == 3)
    }

    @Test("includes the sequences and purges of the transaction that deletes it")
    func sameTransaction() throws {
        try file.write { transaction in
            _ = try save("a", in: transaction)
            _ = try save("b", in: transaction)
            #expect(try notes.purge("b", in: transaction))
            try notes.delete(in: transaction)
            try notes.create(in: transaction)
            #expect(try save("a", in: transaction) == 3)
        }
        #expect(try counts() == [[.text(".notes"), .long(3), .long(1)]])
    }

    @Test("uses the rows' sequences if kvmeta is out of date")
    func lagging() throws {
        _ = try file.write { try save("a", in: $0) }
        file.close()
        try fixture.sqlite().exec(
            sql: """
                UPDATE "kv_.notes" SET sequence = 7; UPDATE kvmeta SET lastSeq = 0;
                """)
        let reopened = try fixture.open()
        try reopened.write { transaction in
            try notes.delete(in: transaction)
            try notes.create(in: transaction)
            #expect(try save("b", in: transaction) == 8)
        }
    }

    @Test("a deletion that is rolled back changes nothing")
    func undone() throws {
        _ = try file.write { try save("a", in: $0) }
        struct Undo: Error {}
        #expect(throws: Undo.self) {
            try file.write { transaction in
                _ = try save("b", in: transaction)
                try notes.delete(in: transaction)
                throw Undo()
            }
        }
        #expect(try file.read { try notes.count(in: $0) } == (1, 0))
        #expect(try file.write { try save("b", in: $0) } == 2)
    }

    @Test("the counts of a deleted collection are not a finding")
    func verified() throws {
        _ = try file.write { try save("a", in: $0) }
        #expect(try file.write { try notes.delete(in: $0) })
        #expect(try file.verify().found == [])
    }
}
