import BenchmarkReport
import CBaseline
import DocumentStore
import Foundation

/// The cost of concurrent readers for each other, and of a writer for readers, in wall-clock time.
enum StoreThreads {
    static let readers = "threads: 2 readers against 1"
    static let readersInSnapshots = "threads: 2 readers against 1, a snapshot each"
    static let machine = "threads: 2 that add numbers against 1"
    static let tail = "threads: p99 of readers beside a bulk write, against p99 alone"
    static let names = [readers, readersInSnapshots, machine, tail]

    private static let passesOfReader = 10
    private static let reads = 200_000

    static func figures(rounds: Int) throws -> [Figure] {
        try throughput(rounds) + [latency(rounds)]
    }

    // Two readers compared with one.

    private static func throughput(_ rounds: Int) throws -> [Figure] {
        let data = try StoreData.get()
        let path = StoreData.path(.filled)
        let file = try DataFile(path: path, options: StoreData.options(.readOnly))
        defer { file.close() }
        let baselines = [
            try BaselineFile(path, isReadOnly: true), try BaselineFile(path, isReadOnly: true),
        ]
        let ofBaseline = Readers { index in
            let baseline = baselines[index]
            for _ in 0..<passesOfReader {
                try expect(baseline.snapshot { baseline.get(data.sample) }, data)
            }
        }
        let eachOfBaseline = Readers { index in
            for _ in 0..<passesOfReader {
                try expect(baselines[index].get(data.sample, hasSnapshots: true), data)
            }
        }
        let wishes = (0..<2).map { _ in Wishes(data) }
        let ofEngine = Readers { index in
            for _ in 0..<passesOfReader { try expect(wishes[index].get(from: file), data) }
        }
        let eachInSnapshot = Readers { index in
            for _ in 0..<passesOfReader { try expect(wishes[index].getEach(from: file), data) }
        }
        // The capacity of the machine for a second thread.
        let counting = Readers { _ in
            guard baseline_count_up(300_000_000) > 0 else { throw BenchmarkError(message: "a sum") }
        }
        return try compare(
            rounds,
            [
                (readers, ofEngine, baseline: ofBaseline),
                (readersInSnapshots, eachInSnapshot, baseline: eachOfBaseline),
                (machine, counting, nil),
            ])
    }

    /// The throughput of two relative to one.
    private static func compare(
        _ rounds: Int, _ all: [(name: String, readers: Readers, baseline: Readers?)]
    ) throws -> [Figure] {
        var figures = all.map {
            Figure(name: $0.name, unit: "times", rounds: [], baseline: $0.baseline.map { _ in [] })
        }
        for round in 0...rounds {
            for (index, subject) in all.enumerated() {
                let gain = try subject.readers.gain()
                let baseline = try subject.baseline?.gain()
                // The first one finds cold caches.
                guard round > 0 else { continue }
                figures[index].rounds.append(gain)
                if let baseline { figures[index].baseline?.append(baseline) }
            }
        }
        return figures
    }

    private static func get(_ key: String, _ file: DataFile, _ data: StoreData) throws -> Int {
        let record = try file.read { try StoreWorkloads.store.get(key, in: $0) }
        return record?.body?.withUnsafeBytes { StoreWorkloads.age($0, data) } ?? -1
    }

    private static func expect(_ sum: Int, _ data: StoreData) throws {
        guard sum == data.sampleAgeSum else { throw BenchmarkError(message: "a sum of \(sum)") }
    }

    // The duration of a read while another thread writes.

    private static func latency(_ rounds: Int) throws -> Figure {
        let data = try StoreData.get()
        var figure = Figure(name: tail, unit: "times", rounds: [], baseline: [])
        for _ in 0..<rounds {
            try withCopy { path in
                let file = try DataFile(path: path, options: StoreData.options(.readWrite))
                defer { file.close() }
                let ratio = try tailRatio(data) {
                    try get(data.keys[$0], file, data)
                } write: {
                    try file.write { transaction in
                        for number in 0..<StoreData.count {
                            _ = try StoreWorkloads.people.save(
                                data.keys[number], in: transaction
                            ) { try $0.writeJSON(data.json[number]) }
                        }
                    }
                }
                figure.rounds.append(ratio)
            }
            try withCopy { path in
                let reader = try BaselineFile(path)
                let writer = try BaselineFile(path)
                let ratio = try tailRatio(data) {
                    reader.get([Int32($0)], hasSnapshots: true)
                } write: {
                    try writer.transaction { try writer.updateAll() }
                }
                figure.baseline?.append(ratio)
            }
        }
        return figure
    }

    private static func withCopy(_ body: (String) throws -> Void) throws {
        let path = "\(StoreData.directory)/\(UUID().uuidString).cblite2"
        try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    /// The p99 of a read during a write, relative to that of a read alone.
    private static func tailRatio(
        _ data: StoreData, read: (Int) throws -> Int, write: @escaping () throws -> Void
    ) throws -> Double {
        _ = try p99(data, read)
        let idle = try p99(data, read)
        let writer = Writer(write)
        let busy = try p99(data, read)
        guard try writer.stop() > 0 else { throw BenchmarkError(message: "nothing was written") }
        return busy / idle
    }

    private static func p99(_ data: StoreData, _ read: (Int) throws -> Int) throws -> Double {
        var times: [Double] = []
        for index in 0..<reads {
            let number = Int(data.sample[index % data.sample.count])
            let start = Clock.wall()
            let age = try read(number)
            times.append(Clock.wall() - start)
            guard age == data.ages[number] else {
                throw BenchmarkError(message: "an age of \(age)")
            }
        }
        return times.sorted()[times.count * 99 / 100]
    }
}

/// The keys that a thread reads; a copy of its own, so that threads do not share reference counts.
private struct Wishes {
    let keys: [String]
    let ageKey: Int32

    init(_ data: StoreData) {
        keys = data.sample.map { data.keys[Int($0)] }
        ageKey = data.ageKey
    }

    /// The ages of all, in one snapshot.
    func get(from file: DataFile) throws -> Int {
        let (keys, ageKey) = (keys, ageKey)
        return try file.read { snapshot in
            var sum = 0
            for key in keys {
                sum += Self.age(try StoreWorkloads.store.get(key, in: snapshot), ageKey)
            }
            return sum
        }
    }

    /// The ages of all, with a snapshot for each.
    func getEach(from file: DataFile) throws -> Int {
        let (keys, ageKey) = (keys, ageKey)
        var sum = 0
        for key in keys {
            sum += Self.age(try file.read { try StoreWorkloads.store.get(key, in: $0) }, ageKey)
        }
        return sum
    }

    private static func age(_ record: Record?, _ ageKey: Int32) -> Int {
        record?.body?.withUnsafeBytes {
            Int(baseline_age($0.baseAddress, Int64($0.count), ageKey))
        } ?? -1
    }
}

/// Threads that do the same work at the same time.
private final class Readers: @unchecked Sendable {
    // Unchecked: each thread has its own element in `errors`, and their work is thread-safe.

    private let body: (Int) throws -> Void
    private var errors: [(any Error)?] = [nil, nil]

    init(_ body: @escaping (Int) throws -> Void) {
        self.body = body
    }

    /// The throughput of two relative to one.
    func gain() throws -> Double { try 2 * run(1) / run(2) }

    /// The seconds until all are done.
    private func run(_ count: Int) throws -> Double {
        let start = Clock.wall()
        errors.withUnsafeMutableBufferPointer { errors in
            let places = Places(errors)
            DispatchQueue.concurrentPerform(iterations: count) { index in
                do { try body(index) } catch { places.errors[index] = error }
            }
        }
        let time = Clock.wall() - start
        for case .some(let error) in errors { throw error }
        return time
    }

    private final class Places: @unchecked Sendable {
        let errors: UnsafeMutableBufferPointer<(any Error)?>

        init(_ errors: UnsafeMutableBufferPointer<(any Error)?>) {
            self.errors = errors
        }
    }
}

/// A thread that writes until it is stopped.
private final class Writer: @unchecked Sendable {
    // Unchecked: the shared state is protected by the lock.

    private let write: () throws -> Void
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isStopped = false
    private var count = 0
    private var error: (any Error)?

    init(_ write: @escaping () throws -> Void) {
        self.write = write
        Thread.detachNewThread { [self] in
            while !lock.withLock({ isStopped }) {
                do {
                    try self.write()
                    lock.withLock { count += 1 }
                } catch {
                    lock.withLock {
                        self.error = error
                        isStopped = true
                    }
                }
            }
            ended.signal()
        }
    }

    /// Stops it after its current transaction; returns the number of transactions.
    func stop() throws -> Int {
        lock.withLock { isStopped = true }
        ended.wait()
        if let error { throw error }
        return count
    }
}
