import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
import VectorIndex

@Suite("Vector indexes: similar documents and statistics")
struct SimilarDocumentTests {
    private let store: TemporaryStore
    private let collection = DocumentCollection(.default)

    /// Documents on a line: `p1` is at 1, `p2` at 2, …
    init() throws {
        store = try TemporaryStore()
        try store.file.write { transaction in
            for number in 1...9 { try save("p\(number)", "[\(number), 0]", transaction) }
        }
    }

    private func save(_ id: String, _ vector: String, _ transaction: Transaction) throws {
        _ = try collection.save(id, in: transaction) { try $0.writeJSON("{\"at\": \(vector)}") }
    }

    private func createIndex(_ name: String = "near", isLazy: Bool = false) throws {
        let options = VectorIndexOptions(dimensions: 2, encoding: .none, isLazy: isLazy)
        try store.file.write {
            _ = try collection.createIndex(.vector(name, on: "at", options), in: $0)
        }
    }

    private func similar(_ id: String, _ limit: Int = 2, by index: String = "near") throws
        -> [SimilarDocument]
    {
        try store.file.read {
            try collection.documents(similarTo: id, by: index, limit: limit, in: $0)
        }
    }

    private func statistics() throws -> VectorIndexStatistics {
        try store.file.read { try collection.vectorIndexStatistics("near", in: $0) }
    }

    @Test("are those with the nearest vectors, without the document itself")
    func nearest() throws {
        try createIndex()
        #expect(try similar("p1").map(\.id) == ["p2", "p3"])
        #expect(try similar("p1").map(\.distance) == [1, 4])
        #expect(try similar("p9", 100).map(\.id).last == "p1")
        #expect(try similar("p5", 0).isEmpty)
        #expect(try similar("p5", .max).count == 8)
    }

    @Test("are also found in documents that another program has changed")
    func changed() throws {
        try createIndex()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: "UPDATE kv_default SET body = (SELECT body FROM kv_default WHERE key = 'p9') "
                + "WHERE key = 'p1'")
        try context.close()
        #expect(try statistics().changed == 1)
        #expect(try similar("p1", 1).map(\.id) == ["p9"])
        #expect(try similar("p9", 1).map(\.id) == ["p1"])
    }

    @Test("are those by the vectors of the application if the index is lazy")
    func lazy() throws {
        try createIndex(isLazy: true)
        #expect(throws: StoreError.self) { try similar("p1") }
        let updater = try #require(
            try store.file.read { try collection.beginUpdate(of: "near", limit: 100, in: $0) })
        for index in 0..<updater.count {
            // The order is reversed: p1 and p9 are exchanged, and so on; p5 has no vector.
            updater.setVector(index == 4 ? nil : [Float(index * index), 1], at: index)
        }
        try store.file.write { try updater.finish(in: $0) }
        #expect(try similar("p9", 1).map(\.id) == ["p8"])
        #expect(try similar("p9", 1).map(\.distance) == [225])
        #expect(throws: StoreError.self) { try similar("p5") }
        #expect(try statistics().leftOutIDs == ["p5"])
        try store.file.write { try save("p8", "[0, 0]", $0) }
        #expect(try similar("p9", 1).map(\.id) == ["p7"])
        #expect(throws: StoreError.self) { try similar("p8") }
    }

    @Test("errors say what does not exist")
    func errors() throws {
        try createIndex()
        try store.file.write {
            try save("none", "null", $0)
            _ = try collection.delete("p2", in: $0)
        }
        for (id, index) in [("p1", "other"), ("x", "near"), ("none", "near"), ("p2", "near")] {
            do {
                _ = try similar(id, by: index)
                Issue.record("\(id)")
            } catch let error as StoreError {
                #expect(error.has(.notFound), "\(error)")
            }
        }
    }

    @Test("documents with a value that is no vector are counted, apart from those without")
    func leftOut() throws {
        try createIndex()
        try store.file.write { transaction in
            for (id, vector) in [
                ("long", "[1, 2, 3]"), ("text", "\"x\""), ("words", "[\"x\", 1]"), ("number", "1"),
            ] {
                try save(id, vector, transaction)
            }
            try save("null", "null", transaction)
            _ = try collection.save("empty", in: transaction) { try $0.writeJSON("{}") }
        }
        let found = try statistics()
        #expect(found.vectors == 9 && found.cells == 0 && found.changed == 0)
        #expect(found.withoutValue == 2)
        #expect(found.leftOut == 4)
        #expect(found.leftOutIDs.sorted() == ["long", "number", "text", "words"])
    }

    @Test("a document whose place another one takes by UPDATE OR REPLACE is gone")
    func replacedKey() throws {
        try createIndex()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: "UPDATE OR REPLACE kv_default SET key = 'p2' WHERE key = 'p9'")
        try context.close()
        #expect(try similar("p1", 9).map(\.id) == ["p3", "p4", "p5", "p6", "p7", "p8", "p2"])
        try store.file.write { _ = try $0.updateVectorIndexes() }
        #expect(try statistics().vectors == 8)
        #expect(try similar("p1", 9).map(\.id) == ["p3", "p4", "p5", "p6", "p7", "p8", "p2"])
    }

    @Test("a document that another program replaces has one vector, the new one")
    func replace() throws {
        try createIndex()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: """
                REPLACE INTO kv_default (key, sequence, flags, version, body)
                    SELECT 'p1', 100, flags, version, body FROM kv_default WHERE key = 'p9';
                REPLACE INTO kv_default (rowid, key, sequence, flags, version, body)
                    SELECT (SELECT rowid FROM kv_default WHERE key = 'p3'), 'p2', 101, flags,
                        version, body
                    FROM kv_default WHERE key = 'p8';
                """)
        try context.close()
        func expectCurrent() throws {
            #expect(try similar("p1", 2).map(\.distance) == [0, 1])
            #expect(try similar("p8", 1).map(\.id) == ["p2"])
            #expect(
                try similar("p9", 100).map(\.id).sorted() == [
                    "p1", "p2", "p4", "p5", "p6", "p7", "p8",
                ])
        }
        try expectCurrent()
        try store.file.write { _ = try $0.updateVectorIndexes() }
        #expect(try statistics().vectors == 8)
        try expectCurrent()
    }
}
