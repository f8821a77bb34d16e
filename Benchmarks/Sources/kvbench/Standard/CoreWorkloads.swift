import StandardBenchmarks

/// YCSB's core workloads, on databases with as many records as the selected size.
enum CoreWorkloads {
    static func groups() -> [[Workload]] {
        Durability.allCases.reversed().flatMap { durability in
            // Without writes the tables would be equal.
            CoreWorkload.allCases.filter { durability == .normal || $0.writes }.flatMap {
                workload in
                [1, 2].map { group(workload, durability, threads: $0) }
            }
        }
    }

    private static func group(
        _ workload: CoreWorkload, _ durability: Durability, threads: Int
    ) -> [Workload] {
        let count = threads == 1 ? "1 thread" : "\(threads) threads"
        let title = "ycsb: \(workload.rawValue), \(durability), \(count)"
        return RecordEngine.allCases.map { engine in
            .standard(
                title, engine.rawValue, beside: RecordEngine.plain.rawValue,
                isOwn: engine == .documents
            ) {
                try prepare(workload, engine, durability, threads, title)
            }
        }
    }

    private static func prepare(
        _ workload: CoreWorkload, _ engine: RecordEngine, _ durability: Durability, _ threads: Int,
        _ title: String
    ) throws -> Workload.Prepared {
        let records = StoreData.count
        let directory = try StandardWorkloads.directory("ycsb-\(engine)") {
            try engine.fill($0, count: records)
        }
        let latencies = LatencyCollector()
        let pass = try CorePass(
            workload, on: engine.open(directory, durability), records: records, threads: threads,
            operations: operations(workload, durability),
            series: StandardWorkloads.series(title),
            lastKeys: workload == .e ? lastKeys : [], latencies: latencies)
        var prepared = Workload.Prepared(
            .items(pass.operations), setUp: pass.prepare, tearDown: pass.finish, pass: pass.run)
        prepared.latencies = latencies
        prepared.path = { directory }
        return prepared
    }

    private static let lastKeys = CorePass.lastKeys(of: StoreData.count)

    /// The operations of a pass: fewer if they wait for the disk, or read many records.
    private static func operations(_ workload: CoreWorkload, _ durability: Durability) -> Int {
        durability == .full || workload == .e ? 1000 : 5000
    }
}
