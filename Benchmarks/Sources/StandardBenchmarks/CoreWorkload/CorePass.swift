/// Passes of a core workload over a database: each has other operations, but the same ones for all
/// databases.
package final class CorePass {
    private let workload: CoreWorkload
    /// Stays open as long as its connections are used.
    private let database: any RecordDatabase
    private let records: Int
    private let threads: [CoreThread]
    private let operationsOfThread: Int
    private let latencies: LatencyCollector?
    private let series: UInt64
    /// The keys at the end of the order, ascending: scans that start here can be shorter.
    private let lastKeys: [String]
    private var pass = 0

    /// Creates passes over an open database.
    ///
    /// - Parameters:
    ///   - records: the number of records in the database.
    ///   - operations: the number of operations of a pass, of all threads.
    ///   - series: the number of this series of passes; see `CoreOperations`.
    ///   - lastKeys: the last keys in the order of keys, at least as many as the longest scan
    ///     reads; only needed by workloads with scans. See `lastKeys(of:)`.
    ///   - latencies: what collects the times of operations.
    package init(
        _ workload: CoreWorkload, on database: any RecordDatabase, records: Int, threads: Int = 1,
        operations: Int, series: UInt64 = 0, lastKeys: [String] = [],
        latencies: LatencyCollector? = nil
    ) throws {
        self.workload = workload
        self.database = database
        self.records = records
        self.threads = try (0..<threads).map { _ in CoreThread(try database.connect()) }
        operationsOfThread = operations / threads
        self.series = series
        self.lastKeys = lastKeys
        self.latencies = latencies
    }

    /// The number of operations of a pass.
    package var operations: Int { operationsOfThread * threads.count }

    /// The last keys of so many records.
    package static func lastKeys(of records: Int) -> [String] {
        Array((0..<records).map(RecordKey.key).sorted().suffix(CoreWorkload.longestScan))
    }

    /// Creates the operations of the next pass.
    package func prepare() {
        for (number, thread) in threads.enumerated() {
            var operations = CoreOperations(
                workload, records: records, series: series, pass: pass, thread: number,
                threads: threads.count)
            thread.prepare((0..<operationsOfThread).map { _ in operations.next() })
        }
        pass += 1
    }

    /// Executes the operations; returns the number of bytes that were read.
    package func run() throws -> Int {
        try Threads.run(threads.count) { try threads[$0].run() }
        return threads.reduce(0) { $0 + $1.bytes }
    }

    /// Checks what the pass has written and read, collects the times, and removes the records that
    /// it inserted.
    package func finish() throws {
        for thread in threads {
            if let latencies { thread.report(to: latencies) }
            try checkScans(of: thread)
        }
        let outcome = CoreOutcome(threads.map(\.operations))
        let connection = threads[0].connection
        try outcome.check(connection, records: records)
        if !outcome.inserted.isEmpty { try connection.delete(outcome.inserted.map(\.key)) }
    }

    /// A scan that does not reach the end of the keys has as many records as requested.
    private func checkScans(of thread: CoreThread) throws {
        for (operation, count) in zip(thread.operations, thread.counts) {
            guard case .scan(let key, let limit) = operation else { continue }
            let left =
                lastKeys.first.map { key < $0 } ?? false
                ? limit : lastKeys.count { $0 >= key }
            // Other records may have been inserted behind the key.
            guard count <= limit, count >= min(left, limit) else {
                throw StandardError("a scan from \(key) found \(count) records, not \(limit)")
            }
        }
    }
}

/// One thread of a pass.
final class CoreThread {
    let connection: any RecordConnection
    private(set) var operations: [CoreOperation] = []
    /// The number of records that each operation read.
    private(set) var counts: [Int] = []
    private(set) var bytes = 0
    private var nanoseconds: [UInt64] = []

    init(_ connection: any RecordConnection) {
        self.connection = connection
    }

    func prepare(_ operations: [CoreOperation]) {
        self.operations = operations
        counts = Array(repeating: 0, count: operations.count)
        nanoseconds = Array(repeating: 0, count: operations.count)
        bytes = 0
    }

    func run() throws {
        var start = MonotonicClock.nanoseconds()
        for (index, operation) in operations.enumerated() {
            let result = try execute(operation)
            let end = MonotonicClock.nanoseconds()
            nanoseconds[index] = end - start
            start = end
            counts[index] = result.count
            bytes += result.bytes
        }
    }

    func report(to latencies: LatencyCollector) {
        for (operation, time) in zip(operations, nanoseconds) {
            latencies.add(operation.kind.rawValue, nanoseconds: time)
        }
    }

    /// Executes an operation; returns the number of records that it read, and of their bytes.
    private func execute(_ operation: CoreOperation) throws -> (count: Int, bytes: Int) {
        switch operation {
        case .read(let key): return (1, try Self.require(connection.read(key), key))
        case .update(let key, let field, let value):
            guard try connection.update(key, field: field, to: value) else {
                throw StandardError("the record \(key) is missing")
            }
            return (0, 0)
        case .insert(let record):
            try connection.insert([record])
            return (0, 0)
        case .scan(let key, let limit):
            let (count, bytes) = try connection.scan(from: key, limit: limit)
            guard bytes == count * FieldRecord.size else {
                throw StandardError("\(count) records have \(bytes) bytes")
            }
            return (count, bytes)
        case .modify(let key, let field, let value):
            return (1, try Self.require(connection.modify(key, field: field, to: value), key))
        }
    }

    private static func require(_ size: Int?, _ key: String) throws -> Int {
        guard let size else { throw StandardError("the record \(key) is missing") }
        guard size == FieldRecord.size else {
            throw StandardError("the record \(key) has \(size) bytes")
        }
        return size
    }
}
