import Foundation

/// Something to be measured.
struct Workload {
    /// What a pass over the data handles.
    enum Amount {
        /// So many bytes; the result is given in MB/s.
        case bytes(Int)
        /// So many items; the result is given in nanoseconds an item.
        case items(Int)
    }

    /// A workload with its data at hand.
    struct Prepared {
        let amount: Amount
        /// What is done before each pass, and after it, and not measured.
        let setUp: (() throws -> Void)?
        let tearDown: (() throws -> Void)?
        /// What it returns depends on all of its work.
        let pass: () throws -> Int

        init(
            _ amount: Amount, setUp: (() throws -> Void)? = nil,
            tearDown: (() throws -> Void)? = nil, pass: @escaping () throws -> Int
        ) {
            self.amount = amount
            self.setUp = setUp
            self.tearDown = tearDown
            self.pass = pass
        }
    }

    let name: String
    /// The workload that it is measured against, in the same group.
    let floor: String?
    /// Whether the time of the clock is of interest, too.
    let showsWall: Bool
    let prepare: () throws -> Prepared

    init(
        _ name: String, floor: String? = nil, showsWall: Bool = false,
        prepare: @escaping () throws -> Prepared
    ) {
        self.name = name
        self.floor = floor
        self.showsWall = showsWall
        self.prepare = prepare
    }

    /// The same, measured against a floor.
    func beside(_ floor: String) -> Workload {
        Workload(name, floor: floor, showsWall: showsWall, prepare: prepare)
    }
}

/// The times of a workload's rounds.
struct Measurement {
    /// Seconds of one pass, one for each round.
    struct Times {
        private(set) var seconds: [Double] = []

        mutating func add(_ time: Double) { seconds.append(time) }

        var minimum: Double { seconds.min() ?? 0 }
        var median: Double { seconds.sorted()[seconds.count / 2] }

        /// The median of the ratios of the rounds.
        func ratio(to floor: Times) -> Double {
            let ratios = zip(seconds, floor.seconds).map { $0 / $1 }.sorted()
            return ratios[ratios.count / 2]
        }
    }

    let name: String
    let floor: String?
    let showsWall: Bool
    private let workload: Workload.Prepared
    /// Time of the processor, not of the clock: other programs may be at work, too.
    private(set) var processor = Times()
    /// Time of the clock.
    private(set) var wall = Times()
    private(set) var check = 0

    init(_ workload: Workload) throws {
        name = workload.name
        floor = workload.floor
        showsWall = workload.showsWall
        self.workload = try workload.prepare()
    }

    /// Runs so many passes without looking at the time.
    mutating func run(passes: Int) throws {
        for _ in 0..<passes {
            try workload.setUp?()
            check &+= try measuredPass()
            try workload.tearDown?()
        }
    }

    /// Runs passes for about `duration` seconds, and notes the mean of one.
    mutating func run(for duration: Double) throws {
        var passes = 0
        var elapsed = 0.0
        var wallElapsed = 0.0
        repeat {
            try workload.setUp?()
            let start = Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
            let wallStart = Self.seconds(CLOCK_MONOTONIC)
            check &+= try measuredPass()
            wallElapsed += Self.seconds(CLOCK_MONOTONIC) - wallStart
            elapsed += Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - start
            passes += 1
            try workload.tearDown?()
        } while elapsed < duration
        processor.add(elapsed / Double(passes))
        wall.add(wallElapsed / Double(passes))
    }

    /// A pass alone, by a name that tools can be told to count.
    @inline(never) private func measuredPass() throws -> Int { try workload.pass() }

    static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var minimum: Double { processor.minimum }

    var median: Double { processor.median }

    /// A time in the unit of the workload.
    func text(_ seconds: Double) -> String {
        switch workload.amount {
        case .bytes(let count): "\(Int((Double(count) / seconds / 1e6).rounded())) MB/s"
        case .items(let count): "\(((seconds / Double(count) * 1e10).rounded() / 10)) ns"
        }
    }
}
