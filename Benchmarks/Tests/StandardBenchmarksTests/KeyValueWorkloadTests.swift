import SampleData
import Testing

@testable import StandardBenchmarks

@Suite("A workload of db_bench", .serialized)
struct KeyValueWorkloadTests {
    private static let data = KeyValueData(entries: 2000)

    @Test("does its work on all databases", arguments: KeyValueWorkload.allCases)
    func allDatabases(workload: KeyValueWorkload) throws {
        for engine in KeyValueEngine.allCases {
            try withDirectory { directory in
                let database = try engine.open(directory, .normal)
                try Self.run(workload, database.connect())
                try database.close()
            }
        }
    }

    private static func run(
        _ workload: KeyValueWorkload, _ connection: any KeyValueConnection
    ) throws {
        if workload.file != .empty { try data.fill(connection) }
        let collector = LatencyCollector()
        let operations = workload.operations(entries: data.entries, .normal)
        let pass = KeyValuePass(workload, data, operations: operations, latencies: collector)
        pass.prepare()
        #expect(try pass.run(connection) == operations)
        try pass.finish(connection)
        let timed = collector.summaries.reduce(0) { $0 + $1.count }
        let expected =
            workload.operation == nil
            ? 0 : (operations + workload.batch - 1) / workload.batch
        #expect(timed == expected)
    }

    @Test("has keys of 16 and values of 100 bytes, in the order of the numbers")
    func data() {
        #expect(KeyValueData.key(42) == "0000000000000042")
        #expect(KeyValueData.key(999) < KeyValueData.key(1000))
        let missing = KeyValueData.missingKey(7)
        #expect(KeyValueData.key(7) < missing && missing < KeyValueData.key(8))
        #expect(Self.data.value(5).count == 100)
        #expect(Self.data.value(5) != Self.data.value(6))
    }

    @Test("belongs to a table of durability, and each name to one at least")
    func tables() {
        let all = Durability.allCases.flatMap { KeyValueWorkload.all($0) }
        #expect(Set(all) == Set(KeyValueWorkload.allCases))
        #expect(KeyValueWorkload.all(.full).allSatisfy { $0.writes })
        #expect(!KeyValueWorkload.all(.normal).contains(.fillsync))
    }

    @Test("of a database agrees with a dictionary", arguments: KeyValueEngine.allCases)
    func model(engine: KeyValueEngine) throws {
        try withDirectory { directory in
            let database = try engine.open(directory, .full)
            try Self.compareWithModel(database.connect())
            try database.close()
        }
    }

    private static func compareWithModel(_ connection: any KeyValueConnection) throws {
        var random = SeededGenerator(seed: 5)
        var model: [String: [UInt8]] = [:]
        for step in 0..<1500 {
            let key = KeyValueData.key(random.below(200))
            switch random.below(4) {
            case 0:
                try connection.delete([key])
                model[key] = nil
            case 1:
                let isFound = try connection.change(key) { $0[0] = UInt8(step & 255) }
                #expect(isFound == (model[key] != nil))
                model[key]?[0] = UInt8(step & 255)
            default:
                let value = data.value(random.below(1000))
                try connection.put([KeyValuePair(key, value)])
                model[key] = value
            }
        }
        try compare(connection, model)
    }

    private static func compare(
        _ connection: any KeyValueConnection, _ model: [String: [UInt8]]
    ) throws {
        #expect(try connection.count() == model.count)
        for number in 0..<200 {
            let key = KeyValueData.key(number)
            var value: [UInt8]?
            #expect(try connection.get(key) { value = Array($0) } == (model[key] != nil))
            #expect(value == model[key])
            let found = try connection.scan(from: key, limit: 7, isDescending: false)
            let expected = min(model.keys.count { $0 >= key }, 7)
            #expect(found.count == expected && found.bytes == expected * 100)
        }
        let all = try connection.scan(from: nil, limit: .max, isDescending: true)
        #expect(all.count == model.count && all.bytes == model.count * 100)
    }
}
