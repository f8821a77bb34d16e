import SampleData
import Testing

@testable import StandardBenchmarks

@Suite("A query of YCSB-JSON", .serialized)
struct CustomerQueryTests {
    private static let data = CustomerData(customers: 400)
    private static let model = CustomerModel(data)

    @Test("has the same rows on all databases, those of the model")
    func sameRows() throws {
        for engine in CustomerEngine.allCases {
            try withDirectory { directory in
                try engine.create(directory, Self.data)
                let database = try engine.open(directory)
                for query in CustomerQuery.allCases { try Self.compare(engine, database, query) }
                try database.close()
            }
        }
    }

    private static func compare(
        _ engine: CustomerEngine, _ database: any CustomerDatabase, _ query: CustomerQuery
    ) throws {
        var random = SeededGenerator(seed: 11)
        var rowCount = 0
        for _ in 0..<20 {
            let arguments = query.arguments(data, &random)
            var (rows, expected) = (
                try database.rows(query, arguments), model.rows(query, arguments)
            )
            if query == .report {
                rows.sort { $0[0] < $1[0] }
                expected.sort { $0[0] < $1[0] }
            }
            #expect(rows == expected, "\(engine.rawValue), \(query.rawValue), \(arguments)")
            let sum = try database.sum(query, arguments)
            #expect(sum == model.sum(query, arguments), "\(engine.rawValue), \(query.rawValue)")
            rowCount += rows.count
        }
        #expect(rowCount > 0, "\(query.rawValue) finds nothing")
    }

    @Test("is one of ten")
    func count() {
        #expect(CustomerQuery.allCases.count == 10)
    }

    @Test("has arguments that depend on the seed only")
    func seeds() {
        #expect(CustomerData(customers: 50).customers == CustomerData(customers: 50).customers)
        #expect(
            CustomerData(customers: 50).customers
                != CustomerData(customers: 50, seed: 2).customers)
        for query in CustomerQuery.allCases {
            var (first, second) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
            #expect(
                query.arguments(Self.data, &first) == query.arguments(Self.data, &second))
        }
    }

    @Test("is checked against the model in each pass")
    func check() throws {
        try withDirectory { directory in
            try CustomerEngine.json.create(directory, Self.data)
            let database = try CustomerEngine.json.open(directory)
            for query in CustomerQuery.allCases {
                let plan = CustomerPass.Plan(query, Self.data, Self.model, count: 10)
                let collector = LatencyCollector()
                let pass = CustomerPass(plan, on: database, latencies: collector)
                _ = try pass.run()
                pass.finish()
                #expect(collector.summaries.map(\.count) == [10])
                // The data of another seed has other rows.
                let other = CustomerData(customers: 400, seed: 2)
                let wrong = CustomerPass.Plan(query, other, CustomerModel(other), count: 10)
                #expect(throws: StandardError.self, "\(query.rawValue)") {
                    try CustomerPass(wrong, on: database).run()
                }
            }
            try database.close()
        }
    }
}
