import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing

@Suite("Savepoints")
struct SavepointTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    private func undone(_ transaction: Transaction, _ body: () throws -> Void) {
        #expect(throws: Mishap.self) {
            try transaction.savepoint {
                try body()
                throw Mishap()
            }
        }
    }

    @Test("nest three levels deep, each rolled back or released by itself")
    func nested() throws {
        try file.write { transaction in
            try store.set("1", in: transaction)
            try transaction.savepoint {
                try store.set("2", in: transaction)
                undone(transaction) {
                    try store.set("3", in: transaction)
                    _ = try transaction.savepoint { try store.set("4", in: transaction) }
                }
                _ = try transaction.savepoint { try store.set("5", in: transaction) }
            }
            #expect(try store.set("6", in: transaction) == .saved(sequence: 4, subsequence: 0))
        }
        #expect(try fixture.liveRows() == ["1|1|0|", "2|2|0|", "5|3|0|", "6|4|0|"])
        #expect(try fixture.rows("SELECT name, lastSeq FROM kvmeta") == ["default|4"])
    }

    @Test("purge counts, expirations and tombstones are restored")
    func counts() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", in: transaction)
            try store.purge("a", in: transaction)
            undone(transaction) {
                try store.purge("b", in: transaction)
                #expect(try store.purgeCount(in: transaction) == 2)
            }
            #expect(try store.purgeCount(in: transaction) == 1)
            undone(transaction) {
                try store.set("b", flags: .deleted, in: transaction)
                try store.setExpiration(5, of: "b", in: transaction)
            }
            #expect(try store.get("b", in: transaction)?.flags == [])
            #expect(try store.nextExpiration(in: transaction) == nil)
            #expect(try store.count(in: transaction) == (1, 0))
        }
        #expect(
            try fixture.rows("SELECT name, lastSeq, purgeCnt FROM kvmeta") == ["default|2|1"])
    }

    @Test("a store created in one that is rolled back is gone, one deleted in it is back")
    func stores() throws {
        let made = KeyStore(KeyStoreName(".made"))
        let kept = KeyStore(KeyStoreName(".kept"))
        try file.write { transaction in
            try kept.create(in: transaction)
            try kept.set("a", in: transaction)
            try kept.set("b", in: transaction)
        }
        try file.write { transaction in
            try kept.set("c", in: transaction)
            undone(transaction) {
                try made.create(in: transaction)
                try made.set("x", in: transaction)
                #expect(try kept.delete(in: transaction))
                try kept.create(in: transaction)
                #expect(try kept.set("z", in: transaction) == .saved(sequence: 4, subsequence: 0))
            }
            #expect(try !made.exists(in: transaction))
            #expect(try kept.keys(in: transaction) == ["a", "b", "c"])
            #expect(try kept.set("d", in: transaction) == .saved(sequence: 4, subsequence: 0))
            try made.create(in: transaction)
            #expect(try made.set("x", in: transaction) == .saved(sequence: 1, subsequence: 0))
        }
        #expect(
            try fixture.rows("SELECT name, lastSeq FROM kvmeta ORDER BY name")
                == [".kept|4", ".made|1"])
        #expect(try fixture.liveRows(kept.name) == ["a|1|0|", "b|2|0|", "c|3|0|", "d|4|0|"])
    }

    @Test(
        "a store whose deletion was rolled back assigns no sequence twice, even with an old kvmeta",
        arguments: [false, true])
    func undoneDeletion(inSavepoint: Bool) throws {
        let lagging = KeyStore(KeyStoreName(".lagging"))
        try file.write { transaction in
            try lagging.create(in: transaction)
            for key in ["a", "b", "c"] { try lagging.set(key, in: transaction) }
        }
        file.close()
        try fixture.sqlite().exec(sql: "UPDATE kvmeta SET lastSeq = 1")
        let file = try fixture.open()
        let deleteAndMakeAnew = { (transaction: Transaction) in
            #expect(try lagging.delete(in: transaction))
            try lagging.create(in: transaction)
            #expect(try lagging.set("z", in: transaction) == .saved(sequence: 4, subsequence: 0))
            throw Mishap()
        }
        try file.write { transaction in
            if inSavepoint {
                #expect(throws: Mishap.self) {
                    try transaction.savepoint { try deleteAndMakeAnew(transaction) }
                }
            } else {
                try deleteAndMakeAnew(transaction)
            }
        } ignoring: {
            $0 is Mishap
        }
        #expect(
            try file.write { try lagging.set("d", in: $0) } == .saved(sequence: 4, subsequence: 0))
    }

    @Test("shared keys added in one that is rolled back get their numbers again")
    func sharedKeys() throws {
        let people = DocumentCollection(.default)
        let save = { (id: String, json: String, transaction: Transaction) in
            _ = try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
        try file.write { transaction in
            try save("a", #"{"one":1}"#, transaction)
            undone(transaction) { try save("b", #"{"two":2,"three":3}"#, transaction) }
            #expect(transaction.sharedKeys.keys == ["one"])
            try transaction.savepoint { try save("c", #"{"four":4}"#, transaction) }
            try save("d", #"{"two":5}"#, transaction)
        }
        #expect(try file.read { $0.sharedKeys.keys } == ["one", "four", "two"])
        #expect(try file.read { try people.get("d", in: $0)?.flags } == [])
        let keys = try fixture.open(.readOnly).read { $0.sharedKeys.keys }
        #expect(keys == ["one", "four", "two"])
    }

    @Test(
        "the error of the body is the one thrown; a transaction that is over has no savepoints"
    )
    func errors() throws {
        var kept: Transaction?
        try file.write { transaction throws in
            kept = transaction
            let error = storeError(.invalidParameter) {
                try transaction.savepoint {
                    try store.set("x", in: transaction)
                    _ = try store.put(
                        RecordUpdate("", body: nil, expecting: .absent), in: transaction)
                }
            }
            #expect(error?.message == "a record's key is empty")
            #expect(try store.count(in: transaction) == (0, 0))
        }
        storeError(.notInTransaction) { try kept?.savepoint {} }
    }

    @Test("other connections see nothing of a rolled-back one, and everything else")
    func observers() async throws {
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            try store.set("a", in: transaction)
            #expect(throws: Mishap.self) {
                try transaction.savepoint {
                    try store.set("b", in: transaction)
                    try store.purge("a", in: transaction)
                    throw Mishap()
                }
            }
            try store.set("c", in: transaction)
        }
        var iterator = stream.makeAsyncIterator()
        let event = try #require(await iterator.next())
        #expect(
            event.changes == [
                RecordChange(key: "a", kind: .saved, sequence: 1),
                RecordChange(key: "c", kind: .saved, sequence: 2),
            ])
        #expect(event.sequences == 1...2 && event.isComplete)
    }
}
