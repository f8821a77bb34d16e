/// What one run of the harness measured: the file that `kvbench run --json` writes.
public struct BenchmarkRun: Codable, Sendable, Equatable {
    /// The version of the file's format that this code writes, and reads.
    public static let currentFormat = 1

    /// The version of the format of this value.
    public var format = Self.currentFormat
    /// When it began, as 2026-11-22T10:00:00Z.
    public var date: String
    /// The commit of the sources when it was measured, as `git describe` names it; "-dirty" tells
    /// of changes besides. Nil where there is no git.
    public var commit: String?
    /// Where it was measured.
    public var machine: Machine
    /// How it was measured.
    public var settings: Settings
    /// What was measured, in the order in which it was.
    public var workloads: [WorkloadResult]
    /// What is no time of a pass: how much faster two threads are than one, and the like.
    public var figures: [Figure]

    /// All of it.
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

    /// The figure of a name.
    public func figure(_ name: String) -> Figure? {
        figures.first { $0.name == name }
    }

    /// The workload of a name.
    public func workload(_ name: String) -> WorkloadResult? {
        workloads.first { $0.name == name }
    }
}

/// A number that is measured once each round, as "threads: 2 readers against 1".
public struct Figure: Codable, Sendable, Equatable {
    /// What it is called, as in `kvbench run --list`.
    public var name: String
    /// What the number counts, as "times" or "bytes".
    public var unit: String
    /// One for each round.
    public var rounds: [Double]
    /// The same of the floor, if there is one.
    public var baseline: [Double]?

    /// All of it.
    public init(name: String, unit: String, rounds: [Double], baseline: [Double]? = nil) {
        self.name = name
        self.unit = unit
        self.rounds = rounds
        self.baseline = baseline
    }

    /// The one in the middle; of an even number the later of the two.
    public var median: Double { rounds.isEmpty ? 0 : rounds.sorted()[rounds.count / 2] }
}

/// Where it was measured.
public struct Machine: Codable, Sendable, Equatable {
    /// The system, as "Linux 6.1".
    public var system: String
    /// The name of the processor.
    public var processor: String
    /// How many cores the system shows.
    public var cores: Int
    /// Bytes.
    public var memory: Int
    /// The compiler, as "6.3".
    public var swift: String
    /// The version of the SQLite library, and how it was compiled.
    public var sqlite: String
    /// With what the SQLite library was compiled, sorted.
    public var sqliteOptions: [String]

    /// All of it.
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

/// How it was measured.
public struct Settings: Codable, Sendable, Equatable {
    /// How many people the store's files hold.
    public var people: Int
    /// How many rounds count.
    public var rounds: Int
    /// How long a round of one workload lasts at least.
    public var secondsOfRound: Double

    /// All of it.
    public init(people: Int, rounds: Int, secondsOfRound: Double) {
        self.people = people
        self.rounds = rounds
        self.secondsOfRound = secondsOfRound
    }
}

/// What was measured of one workload.
public struct WorkloadResult: Codable, Sendable, Equatable {
    /// What a workload is for.
    public enum Role: String, Codable, Sendable {
        /// The same work in C, or with the library that is named, without an engine.
        case baseline
        /// The same work as a user of another library would do it.
        case peer
        /// This project's way.
        case engine
    }

    /// What `amount` counts.
    public enum Unit: String, Codable, Sendable {
        /// Items, or bytes, of which the rate is given.
        case items, bytes
    }

    /// What it is called, as in `kvbench run --list`.
    public var name: String
    /// What it is for.
    public var role: Role
    /// The workload that it is measured against, in the same rounds.
    public var baseline: String?
    /// So many items, or bytes, are handled by one pass.
    public var amount: Int
    /// What `amount` counts.
    public var unit: Unit
    /// Time of the processor.
    public var processor: Times
    /// Time of the clock.
    public var wall: Times
    /// Seconds of the first pass of all, by the clock. Other workloads have run in the process
    /// before it: it is not a cold start, of which `kvbench cold` gives figures.
    public var first: Double
    /// The size of the file that it made, or worked on; in bytes. Of a file that each pass makes
    /// again it is the size once the file is closed, of others that without the WAL.
    public var fileSize: Int?
    /// The size of the file's WAL after the first pass, before the file is closed; in bytes.
    public var walSize: Int?
    /// How many passes there were in all rounds: of fewer than a hundred the p99 is the longest.
    public var passes: Int?
    /// Whether it waits for a disk, so that the time of the clock is what counts.
    public var isDurable: Bool?

    /// All of it.
    public init(
        name: String, role: Role, baseline: String?, amount: Int, unit: Unit, processor: Times,
        wall: Times, first: Double, fileSize: Int? = nil,
        walSize: Int? = nil, passes: Int? = nil, isDurable: Bool? = nil
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
    }
}

/// The times of a workload's passes, in seconds.
public struct Times: Codable, Sendable, Equatable {
    /// The mean of one pass, for each round.
    public var rounds: [Double]
    /// The time that 99 of 100 passes of all rounds did not exceed; of fewer than a hundred passes
    /// it is the longest.
    public var p99: Double

    /// All of it.
    public init(rounds: [Double], p99: Double) {
        self.rounds = rounds
        self.p99 = p99
    }

    /// The best round.
    public var minimum: Double { rounds.min() ?? 0 }

    /// The one in the middle; of an even number the later of the two.
    public var median: Double { rounds.isEmpty ? 0 : rounds.sorted()[rounds.count / 2] }

    /// The ratios to the floor, round by round, of what was measured in turns with it.
    public func ratios(to baseline: Times) -> [Double] {
        zip(rounds, baseline.rounds).filter { $1 > 0 }.map { $0 / $1 }
    }

    /// The median of the ratios.
    public func ratio(to baseline: Times) -> Double? { ratios(to: baseline).middle }
}
