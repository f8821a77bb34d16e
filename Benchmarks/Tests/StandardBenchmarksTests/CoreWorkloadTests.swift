import Testing

@testable import StandardBenchmarks

@Suite("The operations of a core workload")
struct CoreOperationsTests {
    @Test("have the mix of the workload", arguments: CoreWorkload.allCases)
    func mix(workload: CoreWorkload) {
        #expect(workload.mix.reduce(0) { $0 + $1.percent } == 100)
        let count = 20_000
        var operations = CoreOperations(workload, records: 1000, pass: 0)
        var counts: [CoreOperation.Kind: Int] = [:]
        for _ in 0..<count { counts[operations.next().kind, default: 0] += 1 }
        for (kind, percent) in workload.mix {
            let found = Double(counts[kind] ?? 0) / Double(count) * 100
            #expect(abs(found - Double(percent)) < 1.5, "\(kind): \(found) %")
        }
        #expect(Set(counts.keys) == Set(workload.mix.map(\.kind)))
    }

    @Test("are the same for the same pass and thread, and differ otherwise")
    func seeds() {
        let first = { (pass: Int, thread: Int) in
            var operations = CoreOperations(
                .a, records: 1000, pass: pass, thread: thread, threads: 2)
            return (0..<50).map { _ in operations.next() }
        }
        #expect(first(3, 1) == first(3, 1))
        #expect(first(3, 1) != first(3, 0))
        #expect(first(3, 1) != first(2, 1))
        #expect(first(3, 0) != first(2, 1))
    }

    @Test("of another series write other values, so that no write is a repetition")
    func series() {
        let values = { (series: UInt64) in
            var operations = CoreOperations(.a, records: 1000, series: series, pass: 0)
            return Set(
                (0..<200).compactMap { _ -> String? in
                    if case .update(_, _, let value) = operations.next() { value } else { nil }
                })
        }
        #expect(values(1) == values(1))
        #expect(values(1).count > 50)
        #expect(values(1).isDisjoint(with: values(2)))
    }

    @Test("scan uniformly from 1 to 100 records")
    func scans() {
        var operations = CoreOperations(.e, records: 1000, pass: 0)
        var limits: [Int] = []
        while limits.count < 20_000 {
            if case .scan(_, let limit) = operations.next() { limits.append(limit) }
        }
        #expect(limits.min() == 1 && limits.max() == 100)
        let mean = Double(limits.reduce(0, +)) / Double(limits.count)
        #expect(abs(mean - 50.5) < 1)
    }

    @Test("insert records that no other thread inserts")
    func insertions() {
        let keys = (0..<2).flatMap { thread in
            var operations = CoreOperations(
                .d, records: 1000, pass: 0, thread: thread, threads: 2)
            return (0..<2000).compactMap { _ -> String? in
                if case .insert(let record) = operations.next() { record.key } else { nil }
            }
        }
        #expect(keys.count > 100)
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys).isDisjoint(with: (0..<1000).map(RecordKey.key)))
    }
}

@Suite("A core workload", .serialized)
struct CorePassTests {
    private static let records = 300

    @Test("does the same work on all databases", arguments: CoreWorkload.allCases)
    func sameWork(workload: CoreWorkload) throws {
        var bytes: Set<Int> = []
        for engine in RecordEngine.allCases {
            try withDirectory { directory in
                try engine.fill(directory, count: Self.records)
                let database = try engine.open(directory, .normal)
                bytes.insert(try Self.run(workload, database, threads: 1))
                try database.close()
            }
        }
        #expect(bytes.count == 1)
        #expect(bytes.first ?? 0 > 0)
    }

    @Test("leaves the records that a model has", arguments: RecordEngine.allCases)
    func model(engine: RecordEngine) throws {
        try withDirectory { directory in
            try engine.fill(directory, count: Self.records)
            let database = try engine.open(directory, .full)
            _ = try Self.run(.a, database, threads: 1)
            _ = try Self.run(.f, database, threads: 1)
            try Self.compare(database, with: Self.model([.a, .f]))
            try database.close()
        }
    }

    @Test("works with two threads", arguments: RecordEngine.allCases)
    func threads(engine: RecordEngine) throws {
        try withDirectory { directory in
            try engine.fill(directory, count: Self.records)
            let database = try engine.open(directory, .normal)
            for workload in CoreWorkload.allCases {
                _ = try Self.run(workload, database, threads: 2)
            }
            try database.close()
        }
    }

    @Test("reports the time of each operation, by kind")
    func latencies() throws {
        try withDirectory { directory in
            try RecordEngine.lmdb.fill(directory, count: Self.records)
            let database = try RecordEngine.lmdb.open(directory, .normal)
            let collector = LatencyCollector()
            _ = try Self.run(.e, database, threads: 1, latencies: collector)
            #expect(collector.summaries.map(\.kind) == ["insert", "scan"])
            #expect(collector.summaries.reduce(0) { $0 + $1.count } == 400)
            try database.close()
        }
    }

    @Test("notices a database that loses an update or returns too few records")
    func wrongDatabases() throws {
        for fault in [FaultyRecords.Fault.lostUpdate, .shortScan, .shortRecord] {
            let database = FaultyRecords(fault, count: Self.records)
            let workload: CoreWorkload = fault == .shortScan ? .e : .a
            #expect(throws: StandardError.self, "\(fault)") {
                _ = try Self.run(workload, database, threads: 1)
            }
        }
        _ = try Self.run(.a, FaultyRecords(nil, count: Self.records), threads: 1)
        _ = try Self.run(.e, FaultyRecords(nil, count: Self.records), threads: 1)
    }

    /// Runs two passes; returns the number of bytes that were read.
    private static func run(
        _ workload: CoreWorkload, _ database: any RecordDatabase, threads: Int,
        latencies: LatencyCollector? = nil
    ) throws -> Int {
        let pass = try CorePass(
            workload, on: database, records: records, threads: threads, operations: 200,
            lastKeys: CorePass.lastKeys(of: records), latencies: latencies)
        var bytes = 0
        for _ in 0..<2 {
            pass.prepare()
            bytes += try pass.run()
            try pass.finish()
        }
        return bytes
    }

    private static func model(_ workloads: [CoreWorkload]) -> [String: [String]] {
        var model = Dictionary(
            uniqueKeysWithValues: (0..<records).map(FieldRecord.init(number:)).map {
                ($0.key, $0.fields)
            })
        for workload in workloads {
            for pass in 0..<2 {
                var operations = CoreOperations(workload, records: records, pass: pass)
                for _ in 0..<200 {
                    switch operations.next() {
                    case .update(let key, let field, let value),
                        .modify(let key, let field, let value):
                        model[key]?[field] = value
                    default: break
                    }
                }
            }
        }
        return model
    }

    private static func compare(
        _ database: any RecordDatabase, with model: [String: [String]]
    ) throws {
        let connection = try database.connect()
        #expect(try connection.count() == model.count)
        for (key, fields) in model { #expect(try connection.fields(of: key) == fields) }
        let (count, bytes) = try connection.scan(from: "user", limit: 1000)
        #expect(count == model.count && bytes == count * FieldRecord.size)
        #expect(try connection.read("missing") == nil)
        #expect(try !connection.update("missing", field: 0, to: ""))
        #expect(try connection.modify("missing", field: 0, to: "") == nil)
    }
}
