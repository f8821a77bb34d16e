import DataFileCore
import FleeceLite
import QueryEngine
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
import VectorIndex

@Suite("A vector index and any history of edits")
struct VectorIndexModelTests {
    private let collection = DocumentCollection(.default)
    fileprivate static let dimensions = 6

    /// What the documents should be, and a generator of changes.
    private struct Model {
        var generator: SeededGenerator
        var vectors: [String: [Float]?] = [:]

        mutating func id() -> String { "d\(generator.next() % 60)" }

        /// Sometimes no vector.
        mutating func vector() -> [Float]? {
            guard generator.next() % 8 > 0 else { return nil }
            return (0..<VectorIndexModelTests.dimensions).map { _ in
                Float(Int(generator.next() % 200)) - 100
            }
        }
    }

    private func json(_ vector: [Float]?) -> String {
        "{\"v\": \(vector.map { "\($0)" } ?? "\"none\"")}"
    }

    private func expectSame(_ model: inout Model, _ file: DataFile, _ seed: UInt64) throws {
        let query = (0..<Self.dimensions).map { _ in Float(model.generator.next() % 200) }
        let expected = model.vectors.compactMap { id, vector in
            vector.map { vector in
                let square = zip(vector, query).reduce(0.0) {
                    $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1)
                }
                return (distance: square, id: id)
            }
        }.sorted { $0 < $1 }.prefix(7).map { (distance: $0.0, id: $0.1) }
        let found = try file.read { snapshot in
            try Query(
                "SELECT META(d).id, APPROX_VECTOR_DISTANCE(d.v, \(query)) FROM _ AS d "
                    + "ORDER BY APPROX_VECTOR_DISTANCE(d.v, \(query)), META(d).id LIMIT 7"
            ).rows(in: snapshot).all().map { ($0[0].string ?? "", $0[1].double ?? -1) }
        }
        // Those at the last distance can be others.
        #expect(found.count == expected.count, "seed \(seed)")
        for (one, other) in zip(found, expected) {
            let error = seed % 3 == 0 ? 0.05 : 1e-3
            #expect(abs(one.1 - other.distance) <= error * (1 + other.distance), "seed \(seed)")
        }
    }

    private struct Undone: Error {}

    private func change(_ model: inout Model, _ transaction: Transaction) throws {
        let id = model.id()
        switch model.generator.next() % 10 {
        case 0..<6:
            let vector = model.vector()
            _ = try collection.save(id, in: transaction) { try $0.writeJSON(json(vector)) }
            model.vectors[id] = .some(vector)
        case 6, 7:
            _ = try collection.delete(id, in: transaction)
            model.vectors[id] = nil
        case 8:
            _ = try collection.purge(id, in: transaction)
            model.vectors[id] = nil
        default:
            try transaction.updateVectorIndexes(limit: Int(model.generator.next() % 3))
        }
    }

    /// A program without any of this project's functions.
    private func changePlainly(_ model: inout Model, _ path: String) throws {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        defer { try? context.close() }
        let (from, to) = (model.id(), model.id())
        if model.generator.next() % 2 == 0 {
            try context.run("DELETE FROM kv_default WHERE key = ?", [.text(to)])
            model.vectors[to] = nil
        } else if model.vectors[from] != nil, model.vectors[to] != nil {
            try context.run(
                "UPDATE kv_default SET body = (SELECT body FROM kv_default WHERE key = ?) "
                    + "WHERE key = ?", [.text(from), .text(to)])
            model.vectors[to] = model.vectors[from]
        }
    }

    @Test("finds what comparing all documents finds", arguments: 1...12 as ClosedRange<UInt64>)
    func history(seed: UInt64) throws {
        var options = DataFileOptions(access: .create)
        options.maintenance = seed % 2 == 0
        let store = try TemporaryStore(options: options)
        var model = Model(generator: SeededGenerator(seed: seed))
        let spec = IndexSpec.vector(
            "byVector", on: "v",
            .init(dimensions: Self.dimensions, encoding: seed % 3 == 0 ? .scalarQuantizer : .none))
        try store.file.write { transaction in
            for _ in 0..<40 { try change(&model, transaction) }
            _ = try collection.createIndex(spec, in: transaction)
        }
        for round in 0..<40 {
            let before = model.vectors
            switch model.generator.next() % 6 {
            case 0: try changePlainly(&model, store.path)
            case 1:
                #expect(throws: Undone.self) {
                    try store.file.write { transaction in
                        for _ in 0..<5 { try change(&model, transaction) }
                        throw Undone()
                    }
                }
                model.vectors = before
            case 2:
                try store.file.write { transaction in
                    for _ in 0..<3 { try change(&model, transaction) }
                    let middle = model.vectors
                    try? transaction.savepoint {
                        for _ in 0..<3 { try change(&model, transaction) }
                        throw Undone()
                    }
                    model.vectors = middle
                }
            default:
                try store.file.write { transaction in
                    for _ in 0..<(1 + Int(model.generator.next() % 20)) {
                        try change(&model, transaction)
                    }
                }
            }
            if seed % 3 > 0 || round % 10 == 0 { try expectSame(&model, store.file, seed) }
        }
        try expectSame(&model, store.file, seed)
    }
}
