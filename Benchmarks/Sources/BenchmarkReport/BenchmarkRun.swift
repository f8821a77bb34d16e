/// The results of one run: the contents of the file written by `kvbench run --json`.
public struct BenchmarkRun: Codable, Sendable, Equatable {
    /// The version of the file's format that this code writes, and reads.
    public static let currentFormat = 1

    /// The version of the format of this value.
    public var format = Self.currentFormat
    /// When it started, such as 2026-11-22T10:00:00Z.
    public var date: String
    /// The commit of the sources, as named by `git describe`; "-dirty" marks uncommitted changes.
    /// Nil without git.
    public var commit: String?
    /// The machine.
    public var machine: Machine
    /// The settings.
    public var settings: Settings
    /// The results, in the order of measuring.
    public var workloads: [WorkloadResult]
    /// Results that are not times of a pass, such as the speedup of two threads.
    public var figures: [Figure]

    /// Creates a run from its parts.
    public init(
        date: String, machine: Machine, settings: Settings, workloads: [WorkloadResult],
        figures: [Figure] = [], commit: String? = nil
    ) {
        self.date = date
        self.commit = commit
        self.machine = machine
        self.settings = settings
        self.workloads = workloads
        self.figures = figures
    }

    /// The figure with a name.
    public func figure(_ name: String) -> Figure? {
        figures.first { $0.name == name }
    }

    /// The workload with a name.
    public func workload(_ name: String) -> WorkloadResult? {
        workloads.first { $0.name == name }
    }
}

/// A number that is measured once in each round, such as "threads: 2 readers against 1".
public struct Figure: Codable, Sendable, Equatable {
    /// Its name, as in `kvbench run --list`.
    public var name: String
    /// The unit of the number, such as "times" or "bytes".
    public var unit: String
    /// The values of the rounds.
    public var rounds: [Double]
    /// The values of the baseline, if there is one.
    public var baseline: [Double]?

    /// Creates a figure from its parts.
    public init(name: String, unit: String, rounds: [Double], baseline: [Double]? = nil) {
        self.name = name
        self.unit = unit
        self.rounds = rounds
        self.baseline = baseline
    }

    /// The median; of an even number the upper one of the two in the middle.
    public var median: Double { rounds.isEmpty ? 0 : rounds.sorted()[rounds.count / 2] }
}

/// The machine on which a run was measured.
public struct Machine: Codable, Sendable, Equatable {
    /// The operating system, such as "Linux 6.1".
    public var system: String
    /// The name of the processor.
    public var processor: String
    /// The number of cores.
    public var cores: Int
    /// The memory in bytes.
    public var memory: Int
    /// The compiler, such as "6.3".
    public var swift: String
    /// The version of the SQLite library, and how it was compiled.
    public var sqlite: String
    /// The compile options of the SQLite library, sorted.
    public var sqliteOptions: [String]

    /// Creates a machine from its parts.
    public init(
        system: String, processor: String, cores: Int, memory: Int, swift: String, sqlite: String,
        sqliteOptions: [String]
    ) {
        self.system = system
        self.processor = processor
        self.cores = cores
        self.memory = memory
        self.swift = swift
        self.sqlite = sqlite
        self.sqliteOptions = sqliteOptions
    }
}

/// The settings of a run.
public struct Settings: Codable, Sendable, Equatable {
    /// The number of people in the store's files.
    public var people: Int
    /// The number of counted rounds.
    public var rounds: Int
    /// The minimum duration of a round of one workload.
    public var secondsOfRound: Double

    /// Creates settings from their parts.
    public init(people: Int, rounds: Int, secondsOfRound: Double) {
        self.people = people
        self.rounds = rounds
        self.secondsOfRound = secondsOfRound
    }
}

/// The results of one workload.
public struct WorkloadResult: Codable, Sendable, Equatable {
    /// The role of a workload.
    public enum Role: String, Codable, Sendable {
        /// The same work in C, or with the named library, without an engine.
        case baseline
        /// The same work as a user of another library would do it.
        case peer
        /// The work done with this project.
        case engine
    }

    /// The unit of `amount`.
    public enum Unit: String, Codable, Sendable {
        /// Items, or bytes, of which the throughput is reported.
        case items, bytes
    }

    /// Its name, as in `kvbench run --list`.
    public var name: String
    /// Its role.
    public var role: Role
    /// The workload that it is measured against, in the same rounds.
    public var baseline: String?
    /// The number of items, or bytes, that one pass handles.
    public var amount: Int
    /// The unit of `amount`.
    public var unit: Unit
    /// CPU time.
    public var processor: Times
    /// Wall-clock time.
    public var wall: Times
    /// The wall-clock seconds of the very first pass. Other workloads have run in the process
    /// before it: it is not a cold start, for which `kvbench cold` has figures.
    public var first: Double
    /// The size in bytes of the file that it created, or worked on. If each pass creates the file
    /// again, it is the size after closing the file; otherwise the size without the WAL.
    public var fileSize: Int?
    /// The size in bytes of the file's WAL after the first pass, before the file is closed.
    public var walSize: Int?
    /// The number of passes in all rounds: of fewer than a hundred, the p99 is the longest.
    public var passes: Int?
    /// Whether it waits for a disk, so that wall-clock time is compared.
    public var isDurable: Bool?
    /// The times of its operations, by kind, if they are timed one by one; empty if they are too
    /// short for that. Nil for workloads without operations.
    public var operations: [OperationLatency]?

    /// Creates a result from its parts.
    public init(
        name: String, role: Role, baseline: String?, amount: Int, unit: Unit, processor: Times,
        wall: Times, first: Double, fileSize: Int? = nil,
        walSize: Int? = nil, passes: Int? = nil, isDurable: Bool? = nil,
        operations: [OperationLatency]? = nil
    ) {
        self.name = name
        self.role = role
        self.baseline = baseline
        self.amount = amount
        self.unit = unit
        self.processor = processor
        self.wall = wall
        self.first = first
        self.fileSize = fileSize
        self.walSize = walSize
        self.passes = passes
        self.isDurable = isDurable
        self.operations = operations
    }
}

/// The times of a workload's passes, in seconds.
public struct Times: Codable, Sendable, Equatable {
    /// The mean time of one pass, for each round.
    public var rounds: [Double]
    /// The time that 99 of 100 passes of all rounds did not exceed; of fewer than a hundred passes,
    /// the longest.
    public var p99: Double

    /// Creates times from their parts.
    public init(rounds: [Double], p99: Double) {
        self.rounds = rounds
        self.p99 = p99
    }

    /// The best round.
    public var minimum: Double { rounds.min() ?? 0 }

    /// The median; of an even number the upper one of the two in the middle.
    public var median: Double { rounds.isEmpty ? 0 : rounds.sorted()[rounds.count / 2] }

    /// The ratios to the baseline, round by round, of a workload measured in turns with it.
    public func ratios(to baseline: Times) -> [Double] {
        zip(rounds, baseline.rounds).filter { $1 > 0 }.map { $0 / $1 }
    }

    /// The median of the ratios.
    public func ratio(to baseline: Times) -> Double? { ratios(to: baseline).middle }
}
