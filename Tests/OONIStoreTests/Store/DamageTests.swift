import DocumentStore
import Testing

import OONIStore

@Suite("A document that cannot be read")
struct DamageTests {
    private let store: OONIStore

    /// Three results with a measurement each; the documents of the second one say nothing.
    init() throws {
        store = try OONIStore.inMemory()
        try store.write { [store] transaction in
            for time: Int64 in 1...3 {
                let result = try store.results.insert(
                    .init(name: "websites"), at: .init(milliseconds: time), in: transaction)
                _ = try store.measurements.insert(
                    .tor, of: result.id, at: .init(milliseconds: time), in: transaction)
            }
            for (collection, key) in [
                (store.results.collection, "000000000002"),
                (store.measurements.collection, "000000000002/000000000002"),
            ] {
                _ = try collection.save(key, in: transaction) { try $0.writeJSON("{}") }
            }
        }
    }

    @Test("is reported by the list, which continues without it, and by verification")
    func list() throws {
        let page = try store.read { try store.results.page(in: $0) }
        #expect(page.results.map(\.id.number) == [3, 1])
        #expect(page.skipped == ["000000000002"])
        #expect(try store.read { try store.verify(in: $0) }.count >= 2)
        #expect(try store.write { try store.recount(in: $0) } == [])
    }

    @Test("is deleted like any other", arguments: [true, false])
    func deletion(isAll: Bool) throws {
        let deleted = try store.write {
            isAll
                ? try store.results.delete(.all, in: $0)
                : try store.results.delete([.init(2)], in: $0)
        }
        #expect(deleted.results.map(\.number).sorted() == (isAll ? [1, 2, 3] : [2]))
        #expect(deleted.measurements.map(\.number).sorted() == (isAll ? [1, 2, 3] : [2]))
        #expect(deleted.fileNames.count == (isAll ? 4 : 0))
        #expect(try store.read { try store.verify(in: $0) }.isEmpty)
    }

    @Test("and the loss of the numbers that were given last, give no number twice")
    func numbers() throws {
        try store.write { transaction in
            for name in ["results", "measurements"] {
                _ = try DocumentCollection(CollectionName("ooni.info")).purge(name, in: transaction)
            }
        }
        let (result, measurement) = try store.write { transaction in
            let result = try store.results.insert(
                .init(name: "websites"), at: .init(milliseconds: 4), in: transaction)
            let measurement = try store.measurements.insert(
                .tor, of: result.id, at: .init(milliseconds: 4), in: transaction)
            return (result.id.number, measurement.id.number)
        }
        #expect(result == 4 && measurement == 4)
    }

    @Test("is passed over by what asks for the newest one")
    func newest() throws {
        try store.write { [store] transaction in
            // The second result is the newest one now, and cannot be read.
            _ = try store.results.collection.save("000000000002", in: transaction) {
                try $0.writeJSON(
                    """
                    {"startTime": 9, "isDone": true, "runID": "x",
                     "descriptor": {"name": "websites"}}
                    """)
            }
            try store.results.markAllAsDone(in: transaction)
        }
        let newest = try store.read { [store] snapshot in
            [
                try store.results.latest(in: snapshot)?.id.number,
                try store.results.lastDone(of: "websites", in: snapshot)?.id.number,
            ]
        }
        #expect(newest == [3, 3])
        let run = try store.read { try store.results.lastRun(in: $0) }
        #expect(run.map(\.id.number) == [3])
    }
}
