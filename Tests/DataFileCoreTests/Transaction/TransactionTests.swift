import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing

@Suite("Transactions and snapshots")
struct TransactionTests {
    let fixture: StoreFixture
    let file: DataFile

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private struct Mishap: Error {}

    @Test("the changes of a failed transaction are gone: rows, sequences and shared keys")
    func rollback() throws {
        try fixture.save("kept", #"{"first":1}"#, in: file)
        #expect(throws: Mishap.self) {
            try file.write { transaction in
                _ = try fixture.people.save("lost", in: transaction) {
                    try $0.writeJSON(#"{"second":2}"#)
                }
                #expect(transaction.sharedKeys.keys == ["first", "second"])
                throw Mishap()
            }
        }
        #expect(try file.read { $0.sharedKeys.keys } == ["first"])
        let next = try fixture.save("next", #"{"third":3}"#, in: file)
        #expect(next.sequence == 2)
        #expect(try file.read { $0.sharedKeys.keys } == ["first", "third"])
        #expect(try fixture.json("next", in: file) == #"{"_id":"next","third":3}"#)
        #expect(try fixture.json("lost", in: file) == nil)
    }

    @Test("a document that cannot be written leaves its transaction unchanged")
    func failedSave() throws {
        try file.write { transaction in
            _ = try fixture.people.save("good", in: transaction) { try $0.writeJSON(#"{"a":1}"#) }
            #expect(throws: FleeceError.self) {
                try fixture.people.save("bad", in: transaction) {
                    try $0.writeJSON(#"{"unused":1,"b":}"#)
                }
            }
            #expect(throws: StoreError.self) {
                try fixture.people.save("_bad", in: transaction) {
                    try $0.writeJSON(#"{"unused2":1}"#)
                }
            }
            _ = try fixture.people.save("fine", in: transaction) { try $0.writeJSON(#"{"c":3}"#) }
        }
        #expect(try file.read { $0.sharedKeys.keys } == ["a", "c"])
        #expect(try fixture.json("good", in: file) == #"{"_id":"good","a":1}"#)
        #expect(try fixture.json("fine", in: file) == #"{"_id":"fine","c":3}"#)
        #expect(try file.read { try fixture.people.keyStore.lastSequence(in: $0) } == 2)
    }

    @Test("a transaction sees its own documents")
    func ownDocuments() throws {
        try file.write { transaction in
            _ = try fixture.people.save("a", in: transaction) { try $0.writeJSON(#"{"k":1}"#) }
            #expect(try fixture.json("a", in: transaction) == #"{"_id":"a","k":1}"#)
        }
    }

    @Test("a snapshot does not change while another handle writes")
    func snapshotStays() throws {
        try fixture.save("a", #"{"n":1}"#, in: file)
        let other = try fixture.open()
        try file.read { snapshot in
            #expect(try fixture.json("a", in: snapshot) == #"{"_id":"a","n":1}"#)
            try fixture.save("a", #"{"n":2,"new":true}"#, in: other)
            try fixture.save("b", "{}", in: file)
            #expect(try fixture.json("a", in: snapshot) == #"{"_id":"a","n":1}"#)
            #expect(try fixture.json("b", in: snapshot) == nil)
        }
        #expect(try fixture.json("a", in: file) == #"{"_id":"a","n":2,"new":true}"#)
    }

    @Test("two handles that write alternately share sequences and shared keys")
    func twoHandles() throws {
        let other = try fixture.open()
        for number in 1...20 {
            let handle = number % 2 == 0 ? file : other
            let saved = try fixture.save("d\(number)", #"{"k\#(number)":\#(number)}"#, in: handle)
            #expect(saved.sequence == Int64(number))
        }
        let keys = try file.read { $0.sharedKeys.keys }
        #expect(keys == (1...20).map { "k\($0)" })
        for number in 1...20 {
            #expect(
                try fixture.json("d\(number)", in: file)
                    == #"{"_id":"d\#(number)","k\#(number)":\#(number)}"#)
        }
    }

    @Test("a lastSeq that is lower than the rows' sequences is not used")
    func staleLastSequence() throws {
        try fixture.save("a", "{}", in: file)
        try fixture.save("b", "{}", in: file)
        _ = try file.write { try fixture.people.delete("b", in: $0) }
        file.close()
        try fixture.sqlite().exec(sql: "UPDATE kvmeta SET lastSeq = 1")
        let reopened = try fixture.open()
        #expect(try fixture.save("c", "{}", in: reopened).sequence == 4)
    }

    @Test("a write inside a write is a savepoint: rolled back separately, or committed with it")
    func nestedWrite() throws {
        try file.write { _ in
            try fixture.save("outer", #"{"one":1}"#, in: file)
            #expect(throws: Mishap.self) {
                try file.write { inner in
                    _ = try fixture.people.save("inner", in: inner) {
                        try $0.writeJSON(#"{"two":2}"#)
                    }
                    #expect(try fixture.people.count(in: inner) == (2, 0))
                    throw Mishap()
                }
            }
            #expect(try fixture.save("later", #"{"three":3}"#, in: file).sequence == 2)
        }
        #expect(try file.read { $0.sharedKeys.keys } == ["one", "three"])
        #expect(try fixture.json("later", in: file) == #"{"_id":"later","three":3}"#)
        #expect(try file.read { try fixture.people.count(in: $0) } == (2, 0))
    }

    @Test("a read inside a read uses the same snapshot")
    func nestedRead() throws {
        try fixture.save("a", "{}", in: file)
        try file.read { outer in
            #expect(try fixture.people.count(in: outer) == (1, 0))
            try fixture.save("b", "{}", in: file)
            #expect(try file.read { try fixture.people.count(in: $0) } == (1, 0))
        }
    }

    @Test("a snapshot and its enumerators cannot be used after their end")
    func afterTheEnd() throws {
        try fixture.save("a", "{}", in: file)
        var kept: Snapshot?
        var records: RecordEnumerator?
        try file.read { snapshot in
            kept = snapshot
            records = try fixture.people.keyStore.records(in: snapshot)
        }
        let error = #expect(throws: StoreError.self) {
            try fixture.people.get("a", in: #require(kept))
        }
        #expect(error?.has(.notInTransaction) == true)
        #expect(throws: StoreError.self) { try records?.next() }
    }

    @Test("an enumerator that is retained does not keep its snapshot open")
    func cachedEnumerator() throws {
        try fixture.save("a", "{}", in: file)
        try fixture.save("b", "{}", in: file)
        var kept: [RecordEnumerator] = []
        for _ in 0..<2 {
            try file.read { snapshot in
                kept.append(try fixture.people.keyStore.records(in: snapshot))
                #expect(try kept.last?.next()?.key == "a")
            }
            try file.write { transaction in
                kept.append(try fixture.people.keyStore.records(in: transaction))
                #expect(try kept.last?.next()?.key == "a")
            }
        }
        try fixture.save("c", "{}", in: fixture.open())
        #expect(try file.read { try fixture.people.count(in: $0) } == (3, 0))
        try fixture.save("d", "{}", in: file)
        #expect(kept.count == 4)
    }

    @Test("a file that is closed inside a write is closed after it")
    func closedInside() throws {
        try file.write { transaction in
            file.close()
            _ = try fixture.people.save("a", in: transaction) { try $0.writeJSON("{}") }
        }
        #expect(throws: StoreError.self) { try file.write { _ in } }
        #expect(try fixture.json("a", in: fixture.open(.readOnly)) == #"{"_id":"a"}"#)
    }

    @Test("a save inside a save is an error, and does not affect the outer one")
    func nestedSave() throws {
        try file.write { transaction in
            _ = try fixture.people.save("outer", in: transaction) { encoder in
                let error = #expect(throws: StoreError.self) {
                    try fixture.people.save("inner", in: transaction) { try $0.writeJSON("{}") }
                }
                #expect(error?.has(.transactionNotClosed) == true)
                try encoder.writeJSON(#"{"n":1}"#)
            }
        }
        #expect(try fixture.json("outer", in: file) == #"{"_id":"outer","n":1}"#)
    }

    @Test("a closed file rejects every operation")
    func closed() throws {
        file.close()
        file.close()
        for body in [{ try file.read { _ in } }, { try file.write { _ in } }] {
            let error = #expect(throws: StoreError.self) { try body() }
            #expect(error?.has(.notOpen) == true)
        }
    }

    @Test("a read-only handle rejects writes")
    func readOnly() throws {
        let reader = try fixture.open(.readOnly)
        let error = #expect(throws: StoreError.self) { try reader.write { _ in } }
        #expect(error?.has(.notWriteable) == true)
    }

    @Test("writers of 4 threads on 2 handles lose nothing, and readers see complete transactions")
    func manyThreads() async throws {
        let handles = [file, try fixture.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<25 {
                        try handles[worker % 2].write { transaction in
                            for part in 0..<2 {
                                _ = try fixture.people.save(
                                    "\(worker)-\(round)-\(part)", in: transaction
                                ) {
                                    try $0.writeJSON(#"{"w\#(worker)":\#(round)}"#)
                                }
                            }
                        }
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<50 {
                        let (live, _) = try handles[0].read { try fixture.people.count(in: $0) }
                        #expect(live % 2 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        let sequences = try fixture.sqlite().selectAll(
            sql: "SELECT count(DISTINCT sequence), max(sequence) FROM kv_default")
        #expect(sequences == [[.long(200), .long(200)]])
    }
}
