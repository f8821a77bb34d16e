import DataFileCore
import FleeceLite
import QueryEngine
import SampleData
import StoreTestSupport
import Testing
import VectorIndex

@Suite("The plan of a vector search")
struct VectorPlanTests {
    private let store: TemporaryStore
    private let collection = DocumentCollection(.default)
    private static let zeros = [UInt8](repeating: 0, count: 8)
    private static let order = "ORDER BY APPROX_VECTOR_DISTANCE(d.at, $vector) LIMIT 3"

    private init(_ count: Int, _ options: VectorIndexOptions) throws {
        store = try TemporaryStore()
        var generator = SeededGenerator(seed: 5)
        try store.file.write { transaction in
            for number in 1...count {
                let (x, y) = (generator.next() % 1000, generator.next() % 1000)
                _ = try collection.save("p\(number)", in: transaction) {
                    try $0.writeJSON("{\"at\": [\(x), \(y)], \"number\": \(number)}")
                }
            }
            _ = try collection.createIndex(.vector("byPlace", on: "at", options), in: transaction)
        }
    }

    init() throws { try self.init(20, .init(dimensions: 2)) }

    private func search(
        _ text: String, _ parameters: QueryParameters = ["vector": .data(Self.zeros)]
    ) throws -> QueryPlan.Step? {
        let query = try Query("SELECT META(d).id FROM _ AS d " + text)
        let plan = try store.file.read { try query.explain(in: $0, parameters) }
        #expect(plan.indexes.contains("byPlace"), "\(plan)")
        return plan.steps.first { $0.kind == .vectorSearch }
    }

    @Test("says how many vectors are compared")
    func small() throws {
        let step = try #require(try search(Self.order))
        #expect(step.index == "byPlace")
        #expect(step.text == "searches vector index byPlace: compares 20 vectors")
    }

    @Test("says how many cells are probed, of how many, and how many vectors are measured")
    func cells() throws {
        let plans = try VectorPlanTests(5200, .init(dimensions: 2, probes: 4))
        let step = try #require(try plans.search(Self.order))
        let pattern =
            /searches .* byPlace: probes 4 of (\d+) cells, estimates (\d+) .*, measures (\d+)/
        let numbers = try #require(try pattern.wholeMatch(in: step.text), "\(step.text)")
        let counts = [numbers.1, numbers.2, numbers.3].compactMap { Int($0) }
        #expect((100...400).contains(counts[0]))
        #expect(counts[1] > counts[2] && counts[2] >= 3 && counts[1] < 5200)
        // Without the vector nothing is searched.
        let other = try #require(try plans.search(Self.order, [:]))
        #expect(other.text == "searches vector index byPlace: \(counts[0]) cells")
    }

    @Test("does not run a search whose documents other conditions select")
    func conditions() throws {
        let step = try #require(try search("WHERE d.number < 5 " + Self.order))
        #expect(step.text == "searches vector index byPlace")
    }
}
