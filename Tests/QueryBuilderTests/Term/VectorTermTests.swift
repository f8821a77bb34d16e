import DataFileCore
import QueryBuilder
import QueryEngine
import StoreTestSupport
import Testing
import VectorIndex

@Suite("Typed queries: distances of vectors")
struct VectorTermTests {
    private struct Spot: Codable, Sendable {
        var name: String
        var at: [Float]
    }

    @Test("find the nearest documents, from numbers and from a parameter")
    func nearest() throws {
        let store = try TemporaryStore()
        let collection = DocumentCollection(.default)
        let spots = collection.of(Spot.self)
        try store.file.write { transaction in
            for spot in [
                Spot(name: "a", at: [1, 0]), Spot(name: "b", at: [0, 1]),
                Spot(name: "c", at: [0.8, 0.2]),
            ] {
                _ = try spots.save(spot, id: spot.name, in: transaction)
            }
            _ = try collection.createIndex(
                .vector("byPlace", on: "at", .init(dimensions: 2, metric: .cosine)),
                in: transaction)
        }
        let near = from(spots)
            .orderBy { $0.at.approximateVectorDistance(from: [1, 0], metric: .cosine) }
            .limit(2).select(\.name)
        #expect(try store.file.read { try near.all(in: $0) } == ["a", "c"])
        let asked = from(spots).orderBy {
            $0.at.approximateVectorDistance(from: parameter("vector", as: [Float].self), probes: 4)
        }.limit(1).select(\.name)
        let found = try store.file.read { try asked.all(in: $0, ["vector": "AAAAAAAAgD8="]) }
        #expect(found == ["b"])
        #expect(try near.sqlPlusPlus.lowercased().contains("approx_vector_distance("))
    }
}
