import DataFileCore
import FleeceLite
import QueryEngine
import StoreFormat
import StoreTestSupport
import Testing
import VectorIndex

@Suite("A lazy vector index")
struct LazyVectorIndexTests {
    private let store: TemporaryStore
    private let collection = DocumentCollection(.default)

    init() throws {
        store = try TemporaryStore()
        try store.file.write { transaction in
            for (id, text) in [("a", "north"), ("b", "east"), ("c", "south")] {
                _ = try collection.save(id, in: transaction) {
                    try $0.writeJSON("{\"text\": \"\(text)\"}")
                }
            }
            _ = try collection.save("none", in: transaction) { try $0.writeJSON("{}") }
            _ = try collection.createIndex(
                .vector("byText", on: "text", .init(dimensions: 2, isLazy: true)), in: transaction)
        }
    }

    private static let vectors: [String: [Float]] = [
        "north": [0, 1], "east": [1, 0], "south": [0, -1], "west": [-1, 0],
    ]

    private func begin(_ limit: Int = 100) throws -> VectorIndexUpdater? {
        try store.file.read { try collection.beginUpdate(of: "byText", limit: limit, in: $0) }
    }

    /// Updates all documents; returns the values that it was asked for.
    private func update() throws -> [String] {
        guard let updater = try begin() else { return [] }
        let values = (0..<updater.count).map { updater.value(at: $0)?.string ?? "" }
        for (index, value) in values.enumerated() {
            updater.setVector(Self.vectors[value], at: index)
        }
        try store.file.write { try updater.finish(in: $0) }
        return values
    }

    private func nearest() throws -> [String] {
        try store.file.read { snapshot in
            try Query(
                "SELECT META(d).id FROM _ AS d ORDER BY APPROX_VECTOR_DISTANCE(d.text, [0.1, 1]) "
                    + "LIMIT 10"
            ).rows(in: snapshot).all().map { $0[0].string ?? "" }
        }
    }

    @Test("finds documents after the application has set their vectors")
    func updates() throws {
        #expect(try nearest().isEmpty)
        #expect(try update() == ["north", "east", "south"])
        #expect(try nearest() == ["a", "b", "c"])
        #expect(try begin() == nil)
    }

    @Test("does not find a changed document until its vector is set again")
    func changes() throws {
        _ = try update()
        try store.file.write { transaction in
            _ = try collection.save("a", in: transaction) { try $0.writeJSON(#"{"text": "west"}"#) }
            _ = try collection.delete("c", in: transaction)
        }
        #expect(try nearest() == ["b"])
        #expect(try update() == ["west"])
        #expect(try nearest() == ["b", "a"])
    }

    @Test("keeps documents that are skipped, and that change during an update")
    func waits() throws {
        let updater = try #require(try begin(2))
        #expect(updater.count == 2)
        updater.skipVector(at: 0)
        updater.setVector([1, 0], at: 1)
        try store.file.write { transaction in
            _ = try collection.save("b", in: transaction) { try $0.writeJSON(#"{"text": "west"}"#) }
        }
        try store.file.write { try updater.finish(in: $0) }
        #expect(try nearest().isEmpty)
        #expect(try update() == ["north", "west", "south"])
    }

    @Test("refuses vectors that it cannot contain, and updates that are not complete")
    func errors() throws {
        for vector in [[1], [1, 2, 3], [.nan, 0]] as [[Float]] {
            let updater = try #require(try begin(1))
            updater.setVector(vector, at: 0)
            #expect(throws: StoreError.self) {
                try store.file.write { try updater.finish(in: $0) }
            }
        }
        let updater = try #require(try begin(2))
        updater.setVector([1, 0], at: 0)
        #expect(throws: StoreError.self) { try store.file.write { try updater.finish(in: $0) } }
        #expect(try nearest().isEmpty)
        #expect(throws: StoreError.self) {
            try store.file.read { try collection.beginUpdate(of: "other", limit: 1, in: $0) }
        }
    }

    @Test("has no vector of a document for which the application sets none")
    func none() throws {
        let updater = try #require(try begin())
        for index in 0..<updater.count { updater.setVector(nil, at: index) }
        try store.file.write { try updater.finish(in: $0) }
        #expect(try begin() == nil && nearest().isEmpty)
    }
}
