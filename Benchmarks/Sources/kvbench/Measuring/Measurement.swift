import BenchmarkReport
import Foundation
import StandardBenchmarks

/// The passes of a workload, and their times.
struct Measurement {
    let name: String
    let baseline: String?
    let role: WorkloadResult.Role
    private let isDurable: Bool
    private let workload: Workload.Prepared
    private var processor: [Double] = []
    private var wall: [Double] = []
    /// The CPU time and the wall-clock time of each pass of all rounds.
    private var passes: [(processor: Double, wall: Double)] = []
    private var first = 0.0
    /// The size of its file after the first pass.
    private var fileSize: Int?
    private var walSize: Int?
    private(set) var check = 0

    init(_ workload: Workload, role: WorkloadResult.Role) throws {
        name = workload.name
        baseline = workload.baseline
        self.role = role
        isDurable = workload.isDurable
        self.workload = try workload.prepare()
    }

    /// Runs a number of passes without measuring time.
    mutating func run(passes: Int) throws {
        for _ in 0..<passes {
            try workload.setUp?()
            check &+= try measuredPass()
            try workload.tearDown?()
            try workload.removeFile?()
        }
    }

    /// The peak memory of the process in its first pass, minus the memory before it.
    mutating func memoryOfPass() throws -> Int {
        try workload.setUp?()
        let memory = try ProcessMemory.growth { check &+= try measuredPass() }
        try workload.tearDown?()
        try workload.removeFile?()
        return memory
    }

    /// Runs passes for about `duration` seconds that are not counted, except the first one.
    mutating func warmUp(for duration: Double) throws {
        let time = try timedPass(measuresFile: true)
        first = time.wall
        var elapsed = time.processor
        while elapsed < duration { elapsed += try timedPass().processor }
        workload.latencies?.removeAll()
    }

    /// Runs passes for about `duration` seconds, and records their mean time.
    mutating func runRound(for duration: Double) throws {
        let start = passes.count
        var elapsed = 0.0
        repeat {
            let time = try timedPass()
            elapsed += time.processor
            passes.append(time)
        } while elapsed < duration
        let round = passes[start...]
        processor.append(elapsed / Double(round.count))
        wall.append(round.reduce(0) { $0 + $1.wall } / Double(round.count))
    }

    private mutating func timedPass(
        measuresFile: Bool = false
    ) throws -> (processor: Double, wall: Double) {
        try workload.setUp?()
        let start = Clock.processor()
        let wallStart = Clock.wall()
        check &+= try measuredPass()
        let time = (processor: Clock.processor() - start, wall: Clock.wall() - wallStart)
        let path = measuresFile ? workload.path?() : nil
        walSize = path.map { ProcessMemory.size(of: $0 + DatabaseFile.wal) } ?? walSize
        try workload.tearDown?()
        fileSize = path.map(DatabaseFile.size) ?? fileSize
        try workload.removeFile?()
        return time
    }

    /// A single pass, in a named function that tools can be told to count.
    @inline(never) private func measuredPass() throws -> Int { try workload.pass() }

    var result: WorkloadResult {
        let (amount, unit): (Int, WorkloadResult.Unit) =
            switch workload.amount {
            case .bytes(let count): (count, .bytes)
            case .items(let count): (count, .items)
            }
        return WorkloadResult(
            name: name, role: role, baseline: baseline, amount: amount, unit: unit,
            processor: Times(rounds: processor, p99: Self.p99(passes.map(\.processor))),
            wall: Times(rounds: wall, p99: Self.p99(passes.map(\.wall))), first: first,
            fileSize: fileSize, walSize: walSize, passes: passes.count,
            isDurable: isDurable ? true : nil,
            operations: workload.latencies?.summaries.map(OperationLatency.init))
    }

    private static func p99(_ times: [Double]) -> Double {
        times.isEmpty ? 0 : times.sorted()[min(times.count * 99 / 100, times.count - 1)]
    }
}

extension OperationLatency {
    /// The times that a collector has summarized.
    fileprivate init(_ summary: LatencySummary) {
        self.init(
            kind: summary.kind, count: summary.count, p50: summary.p50, p95: summary.p95,
            p99: summary.p99, maximum: summary.maximum)
    }
}

/// Clocks, in seconds.
enum Clock {
    /// The CPU time of this process, which other programs do not affect much.
    static func processor() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// The wall-clock time.
    static func wall() -> Double { seconds(CLOCK_MONOTONIC) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
