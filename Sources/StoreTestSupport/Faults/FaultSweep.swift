/// Runs a workload again and again, each time with a fault at another of its I/O points.
///
/// ```swift
/// let summary = try FaultSweep(stride: 10).run(copying: directory("people.cblite2")) { round in
///     let file = try DataFile(
///         path: round("people.cblite2"), options: DataFileOptions(access: .readWrite))
///     try file.write { … }
/// } check: { round in
///     #expect(try isWhole(round("people.cblite2")), "\(round)")
/// }
/// ```
/// A dry run counts the points; it must not throw. Every round has a directory of its own, which is
/// removed after its check. All files below it go through the faulty file system, whoever opens
/// them. The workload should do the same each time: no threads, no random numbers without a seed.
public struct FaultSweep: Sendable {
    /// How long the faults last; each point is tried with each.
    public var durations: [Fault.Duration] = [.once, .forGood]
    /// Every how many points one is tried; 1 for all.
    public var stride: Int
    /// The first point that is tried, so that several runs with a stride try different ones.
    public var first = 1
    /// The only points that are tried, such as the one that failed before; nil for every
    /// `stride`-th.
    public var only: [Int]?
    /// Whether each write is tried once more with half of its bytes written before it fails.
    public var tearsWrites = false
    /// The disk's free bytes of further rounds, in which nothing else fails.
    public var spaces: [Int64] = []
    /// Whether syncs are handed on to the system, which is slow and makes no difference here.
    public var syncsReally = false

    /// Tries every `stride`-th point.
    public init(stride: Int = 1) {
        self.stride = max(1, stride)
    }

    /// What a sweep did.
    public struct Summary: Equatable, Sendable {
        /// The points of the workload.
        public internal(set) var points = 0
        /// How many rounds had a plan to fail.
        public internal(set) var rounds = 0
        /// In how many of them something failed.
        public internal(set) var faults = 0
        /// How often each operation failed first.
        public internal(set) var operations: [FaultOperation: Int] = [:]
        /// In how many rounds with a fault the workload threw nothing: SQLite or the code under
        /// test could do without what failed.
        public internal(set) var survived = 0
    }

    /// Runs the workload once for each fault.
    ///
    /// - Parameters:
    ///   - template: a file or directory that is copied into each round's directory, under its name.
    ///   - prepare: what is done before points are counted, such as opening a file.
    ///   - workload: what is tried; what it throws is the round's `error`.
    ///   - check: what must hold afterwards. The file system is healed.
    ///
    /// Throws what `prepare` or `check` throws, or the workload in the dry run.
    @discardableResult
    public func run(
        copying template: String? = nil, prepare: (FaultRound) throws -> Void = { _ in },
        workload: (FaultRound) throws -> Void, check: (FaultRound) throws -> Void
    ) throws -> Summary {
        let rounds = try SweepDirectories(template: template)
        rounds.vfs.setSkipsSyncs(!syncsReally)
        var summary = Summary()
        var writes: Set<Int> = []
        func run(_ plan: FaultRound.Plan) throws {
            try rounds.withRound(plan) { round in
                try prepare(round)
                rounds.arm(plan)
                do { try workload(round) } catch { round.error = error }
                round.fault = rounds.vfs.fault
                if plan == .count { summary.points = rounds.vfs.pointCount }
                rounds.vfs.heal()
                if plan == .count, let error = round.error { throw error }
                if plan != .count { summary.add(round) }
                if let fault = round.fault, fault.operation == .write { writes.insert(fault.point) }
                try check(round)
            }
        }
        try run(.count)
        let all = Swift.stride(from: first, through: summary.points, by: stride)
        let points = only ?? Array(all)
        for duration in durations {
            for point in points { try run(.point(point, duration, isTorn: false)) }
        }
        for point in tearsWrites ? writes.sorted() : [] {
            try run(.point(point, .forGood, isTorn: true))
        }
        for space in spaces { try run(.space(space)) }
        return summary
    }
}

extension FaultSweep.Summary {
    mutating func add(_ round: FaultRound) {
        rounds += 1
        guard let fault = round.fault else { return }
        faults += 1
        operations[fault.operation, default: 0] += 1
        if round.error == nil { survived += 1 }
    }
}
