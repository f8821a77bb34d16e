import SampleData

/// Passes of a key-value workload over a database.
package final class KeyValuePass {
    private let workload: KeyValueWorkload
    private let data: KeyValueData
    private let latencies: LatencyCollector?
    private let series: UInt64
    /// The number of operations of a pass.
    package let operations: Int
    private var pass = 0
    private var plan = KeyValuePlan()
    private var nanoseconds: [UInt64] = []
    /// Depends on each value that was read, so that reading is not optimized away.
    private var touched: UInt8 = 0

    /// Creates passes.
    ///
    /// - Parameters:
    ///   - operations: the number of pairs that a pass writes, reads or removes.
    ///   - series: the number of this series of passes; workloads that write to the same file
    ///     must have different ones, so that they do not store what is stored already.
    ///   - latencies: what collects the times of operations.
    package init(
        _ workload: KeyValueWorkload, _ data: KeyValueData, operations: Int, series: UInt64 = 0,
        latencies: LatencyCollector? = nil
    ) {
        self.workload = workload
        self.data = data
        self.operations = operations
        self.series = series
        self.latencies = latencies
    }

    /// Creates the operations of the next pass: the same for all databases.
    package func prepare() {
        plan = KeyValuePlan(
            workload, data, operations: operations, seed: series ^ RecordKey.hash(UInt64(pass)))
        nanoseconds = []
        nanoseconds.reserveCapacity(operations)
        pass += 1
    }

    /// Executes the operations; returns the number of pairs.
    package func run(_ connection: any KeyValueConnection) throws -> Int {
        switch workload {
        case .readseq, .readreverse: try scanAll(connection)
        case .readrandom, .readhot: try get(connection, areMissing: false)
        case .readmissing: try get(connection, areMissing: true)
        case .seekrandom: try seek(connection)
        case .deleteseq, .deleterandom: try delete(connection)
        default: try put(connection)
        }
        return operations
    }

    /// Checks what the pass has written, and collects the times.
    package func finish(_ connection: any KeyValueConnection) throws {
        if let latencies, let kind = workload.operation {
            for time in nanoseconds { latencies.add(kind, nanoseconds: time) }
        }
        try plan.check(connection, workload, data)
    }

    private func put(_ connection: any KeyValueConnection) throws {
        let pairs = plan.pairs
        try timed(stride(from: 0, to: pairs.count, by: workload.batch)) { first in
            try connection.put(pairs[first..<min(first + workload.batch, pairs.count)])
        }
    }

    private func delete(_ connection: any KeyValueConnection) throws {
        let keys = plan.keys
        try timed(keys.indices) { try connection.delete(keys[$0...$0]) }
    }

    private func get(_ connection: any KeyValueConnection, areMissing: Bool) throws {
        let keys = plan.keys
        try timed(keys.indices) { index in
            var size = 0
            let isFound = try connection.get(keys[index]) { value in
                size = value.count
                touched ^= value.first ?? 0
            }
            guard isFound != areMissing, areMissing || size == KeyValueData.valueSize else {
                throw StandardError("the value of \(keys[index]) has \(size) bytes")
            }
        }
    }

    private func seek(_ connection: any KeyValueConnection) throws {
        let keys = plan.keys
        try timed(keys.indices) { index in
            let (count, bytes) = try connection.scan(
                from: keys[index], limit: 1, isDescending: false)
            guard count == 1, bytes == KeyValueData.valueSize else {
                throw StandardError("\(count) values follow \(keys[index])")
            }
        }
    }

    private func scanAll(_ connection: any KeyValueConnection) throws {
        let (count, bytes) = try connection.scan(
            from: nil, limit: .max, isDescending: workload == .readreverse)
        guard count == data.entries, bytes == count * KeyValueData.valueSize else {
            throw StandardError("\(count) values were read, not \(data.entries)")
        }
    }

    private func timed(_ steps: some Sequence<Int>, _ work: (Int) throws -> Void) rethrows {
        var start = MonotonicClock.nanoseconds()
        for step in steps {
            try work(step)
            let end = MonotonicClock.nanoseconds()
            nanoseconds.append(end - start)
            start = end
        }
    }
}

/// The operations of a pass.
private struct KeyValuePlan {
    /// The pairs that are stored.
    private(set) var pairs: [KeyValuePair] = []
    /// The keys that are read or removed.
    private(set) var keys: [String] = []

    private static let sample = 500

    init() {}

    init(_ workload: KeyValueWorkload, _ data: KeyValueData, operations: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let entries = data.entries
        let all = 0..<operations
        switch workload {
        case .fillseq, .fillseqbatch: pairs = data.pairs(all)
        case .fillrandom, .fillrandbatch, .fillsync, .overwrite, .overwritebatch:
            pairs = all.map { _ in
                KeyValuePair(
                    KeyValueData.key(random.below(entries)), data.value(random.below(entries)))
            }
        case .readseq, .readreverse: break
        case .readhot:
            let hot = max(entries / 100, 1)
            keys = all.map { _ in KeyValueData.key(random.below(hot)) }
        case .readmissing:
            keys = all.map { _ in KeyValueData.missingKey(random.below(entries)) }
        case .readrandom, .seekrandom:
            keys = all.map { _ in KeyValueData.key(random.below(entries)) }
        case .deleteseq: keys = all.map(KeyValueData.key)
        case .deleterandom: keys = all.map { _ in KeyValueData.key(random.below(entries)) }
        }
    }

    /// Throws if the database does not have what the pass wrote.
    func check(
        _ connection: any KeyValueConnection, _ workload: KeyValueWorkload, _ data: KeyValueData
    ) throws {
        guard workload.writes else { return }
        let last = Dictionary(pairs.map { ($0.key, $0.value) }) { $1 }
        let expected =
            switch workload.file {
            case .empty: last.count
            case .filled: data.entries
            case .copy: data.entries - Set(keys).count
            }
        let count = try connection.count()
        guard count == expected else {
            throw StandardError("\(workload): \(count) keys, not \(expected)")
        }
        for (key, value) in last.sorted(by: { $0.key < $1.key }).prefix(Self.sample) {
            var stored: [UInt8] = []
            _ = try connection.get(key) { stored = Array($0) }
            guard stored == value else { throw StandardError("the value of \(key) differs") }
        }
        for key in keys.prefix(Self.sample) where try connection.get(key, { _ in }) {
            throw StandardError("the key \(key) was not removed")
        }
    }
}
