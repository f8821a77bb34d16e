import CFloor
import DataFileCore
import Foundation

/// What readers on threads of their own cost each other, and a writer them: by the clock.
enum StoreThreads {
    private static let rounds = 7
    private static let passesOfReader = 10
    private static let reads = 200_000

    static func report() throws {
        try throughput()
        try latency()
    }

    // Two readers against one.

    private static func throughput() throws {
        let data = try StoreData.get()
        let path = StoreData.path(.filled)
        let file = try DataFile(path: path, options: StoreData.options(.readOnly))
        defer { file.close() }
        let floors = [try FloorFile(path, isReadOnly: true), try FloorFile(path, isReadOnly: true)]
        let ofFloor = Readers { index in
            let floor = floors[index]
            for _ in 0..<passesOfReader {
                try expect(floor.snapshot { floor.get(data.sample) }, data)
            }
        }
        let eachOfFloor = Readers { index in
            for _ in 0..<passesOfReader {
                try expect(floors[index].get(data.sample, hasSnapshots: true), data)
            }
        }
        let wishes = (0..<2).map { _ in Wishes(data) }
        let ofEngine = Readers { index in
            for _ in 0..<passesOfReader { try expect(wishes[index].get(from: file), data) }
        }
        let eachInSnapshot = Readers { index in
            for _ in 0..<passesOfReader { try expect(wishes[index].getEach(from: file), data) }
        }
        let counting = Readers { _ in
            guard floor_count_up(300_000_000) > 0 else { throw BenchmarkError(message: "a sum") }
        }
        try compare([
            // What the machine has left for a second thread.
            ("adding numbers", counting), ("C", ofFloor), ("engine", ofEngine),
            ("C, a snapshot each", eachOfFloor), ("engine, a snapshot each", eachInSnapshot),
        ])
    }

    private static func compare(_ all: [(name: String, readers: Readers)]) throws {
        for (_, readers) in all { _ = try readers.run(2) }
        let times = try (0..<rounds).map { _ in
            try all.map { (one: try $0.readers.run(1), two: try $0.readers.run(2)) }
        }
        print("two readers against one, median and range of \(rounds) rounds:")
        for (index, subject) in all.enumerated() {
            let own = times.map { $0[index] }
            print(
                "  \(subject.name.padding(to: 24))",
                "throughput \(range(own.map { 2 * $0.one.wall / $0.two.wall })),",
                // Tells the same where other programs are at work, but for waiting.
                "processor time of a read \(range(own.map { $0.two.cpu / $0.one.cpu / 2 }))")
        }
    }

    private static func range(_ numbers: [Double]) -> String {
        let sorted = numbers.sorted()
        return "\(text(sorted[sorted.count / 2])) "
            + "(\(text(sorted[0])) to \(text(sorted[sorted.count - 1])))"
    }

    private static func get(_ key: String, _ file: DataFile, _ data: StoreData) throws -> Int {
        let record = try file.read { try StoreWorkloads.store.get(key, in: $0) }
        return record?.body?.withUnsafeBytes { StoreWorkloads.age($0, data) } ?? -1
    }

    private static func expect(_ sum: Int, _ data: StoreData) throws {
        guard sum == data.sampleAgeSum else { throw BenchmarkError(message: "a sum of \(sum)") }
    }

    // How long a read takes while another thread writes.

    private static func latency() throws {
        let data = try StoreData.get()
        print("one read, a snapshot each, by the clock:")
        for round in 1...3 {
            try withCopy { path in
                let file = try DataFile(path: path, options: StoreData.options(.readWrite))
                defer { file.close() }
                let read = { try get(data.keys[$0], file, data) }
                let write = {
                    try file.write { transaction in
                        for number in 0..<StoreData.count {
                            _ = try StoreWorkloads.people.save(
                                data.keys[number], in: transaction
                            ) { try $0.writeJSON(data.json[number]) }
                        }
                    }
                }
                try latencies("engine, round \(round)", data, read, write)
            }
            try withCopy { path in
                let reader = try FloorFile(path)
                let writer = try FloorFile(path)
                let read = { (number: Int) in
                    reader.get([Int32(number)], hasSnapshots: true)
                }
                let write = { try writer.transaction { try writer.updateAll() } }
                try latencies("C, round \(round)", data, read, write)
            }
        }
    }

    private static func withCopy(_ body: (String) throws -> Void) throws {
        let path = "\(StoreData.folder)/\(UUID().uuidString).cblite2"
        try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private static func latencies(
        _ name: String, _ data: StoreData, _ read: (Int) throws -> Int,
        _ write: @escaping () throws -> Void
    ) throws {
        _ = try times(data, read)
        let idle = try times(data, read)
        let writer = Writer(write)
        let busy = try times(data, read)
        let writes = try writer.stop()
        print(
            "  \(name): idle p50 \(text(idle.median)) p99 \(text(idle.p99)) µs;",
            "beside a writer p50 \(text(busy.median)) p99 \(text(busy.p99)) µs;",
            "p99 \(text(busy.p99 / idle.p99)) times; \(writes) transactions")
    }

    private static func times(
        _ data: StoreData, _ read: (Int) throws -> Int
    ) throws -> (median: Double, p99: Double) {
        var times: [Double] = []
        for index in 0..<reads {
            let number = Int(data.sample[index % data.sample.count])
            let start = ContinuousClock.now
            let age = try read(number)
            let time = ContinuousClock.now - start
            guard age == data.ages[number] else {
                throw BenchmarkError(message: "an age of \(age)")
            }
            times.append(Double(time.components.attoseconds) / 1e12)
        }
        times.sort()
        return (times[times.count / 2], times[times.count * 99 / 100])
    }

    private static func text(_ number: Double) -> String {
        String((number * 100).rounded() / 100)
    }
}

/// What a thread reads; a copy of its own, so that threads do not count the same references.
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

    /// The same with a snapshot each.
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
            Int(floor_age($0.baseAddress, Int64($0.count), ageKey))
        } ?? -1
    }
}

/// Threads that do the same at the same time.
private final class Readers: @unchecked Sendable {
    // Unchecked: each thread has its own place in `errors`, and what they do is safe on threads.

    private let body: (Int) throws -> Void
    private var errors: [(any Error)?] = [nil, nil]

    init(_ body: @escaping (Int) throws -> Void) {
        self.body = body
    }

    /// The seconds until all are done, and those of the processor.
    func run(_ count: Int) throws -> (wall: Double, cpu: Double) {
        let start = Measurement.seconds(CLOCK_MONOTONIC)
        let processorStart = Measurement.seconds(CLOCK_PROCESS_CPUTIME_ID)
        errors.withUnsafeMutableBufferPointer { errors in
            let places = Places(errors)
            DispatchQueue.concurrentPerform(iterations: count) { index in
                do { try body(index) } catch { places.errors[index] = error }
            }
        }
        let wall = Measurement.seconds(CLOCK_MONOTONIC) - start
        let processor = Measurement.seconds(CLOCK_PROCESS_CPUTIME_ID) - processorStart
        for case .some(let error) in errors { throw error }
        return (wall, processor)
    }

    private final class Places: @unchecked Sendable {
        let errors: UnsafeMutableBufferPointer<(any Error)?>

        init(_ errors: UnsafeMutableBufferPointer<(any Error)?>) {
            self.errors = errors
        }
    }
}

/// A thread that writes until it is told to stop.
private final class Writer: @unchecked Sendable {
    // Unchecked: what both threads use is guarded by the lock.

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

    /// Ends it after the transaction that it is in; returns how many it has done.
    func stop() throws -> Int {
        lock.withLock { isStopped = true }
        ended.wait()
        if let error { throw error }
        return count
    }
}
