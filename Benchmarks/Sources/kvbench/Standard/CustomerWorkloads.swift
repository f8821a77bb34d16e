import StandardBenchmarks

/// The queries of YCSB-JSON, on databases with a tenth of the selected size as customers.
enum CustomerWorkloads {
    private static let data = CustomerData(customers: StoreData.count / 10)
    private static let model = CustomerModel(data)
    /// The executions of a pass, each with other arguments.
    private static let count = 100

    static func groups() -> [[Workload]] {
        CustomerQuery.allCases.map { query in
            CustomerEngine.allCases.map { engine in
                .standard(
                    "ycsb-json: \(query.rawValue)", engine.rawValue,
                    beside: CustomerEngine.json.rawValue, isOwn: engine == .documents
                ) {
                    try prepare(query, engine)
                }
            }
        }
    }

    private static func prepare(
        _ query: CustomerQuery, _ engine: CustomerEngine
    ) throws -> Workload.Prepared {
        let directory = try StandardWorkloads.directory("ycsb-json-\(engine)") {
            try engine.create($0, data)
        }
        let latencies = LatencyCollector()
        let plan = CustomerPass.Plan(query, data, model, count: count)
        let pass = CustomerPass(plan, on: try engine.open(directory), latencies: latencies)
        var prepared = Workload.Prepared(
            .items(pass.operations), tearDown: pass.finish, pass: pass.run)
        prepared.latencies = latencies
        prepared.path = { directory }
        return prepared
    }
}
