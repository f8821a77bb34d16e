/// Runs a workload repeatedly, each time with a fault at another of its I/O points.
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
/// removed after its check. All connections to files below it use the faulty file system. The
/// workload should be deterministic: no threads, no random numbers without a seed.
public struct FaultSweep: Sendable {
    /// The durations of the faults; each point is tried with each.
    public var durations: [Fault.Duration] = [.once, .forGood]
    /// The distance between the tried points; 1 for all.
    public var stride: Int
    /// The first tried point, so that several runs with a stride can try different ones.
    public var first = 1
    /// The only tried points, such as the one that failed before; nil for every `stride`-th.
    public var only: [Int]?
    /// Whether each write is also tried with half of its bytes written before it fails.
    public var tearsWrites = false
    /// The free bytes of the disk in additional rounds, in which nothing else fails.
    public var spaces: [Int64] = []
    /// Whether syncs are passed to the system, which is slow and does not change the result.
    public var syncsReally = false

    /// Tries every `stride`-th point.
    public init(stride: Int = 1) {
        self.stride = max(1, stride)
    }

    /// The counts of a sweep.
    public struct Summary: Equatable, Sendable {
        /// The number of points of the workload.
        public internal(set) var points = 0
        /// The number of rounds with a planned fault.
        public internal(set) var rounds = 0
        /// The number of rounds in which something failed.
        public internal(set) var faults = 0
        /// The number of times that each operation failed first.
        public internal(set) var operations: [FaultOperation: Int] = [:]
        /// The number of rounds with a fault in which the workload did not throw: SQLite or the
        /// code under test could continue in spite of the fault.
        public internal(set) var survived = 0
    }

    /// Runs the workload once for each fault.
    ///
    /// - Parameters:
    ///   - template: a file or directory that is copied into each round's directory, under its
    ///     name.
    ///   - prepare: runs before points are counted, for example to open a file.
    ///   - workload: the code under test; an error that it throws is the round's `error`.
    ///   - check: checks the round. The file system no longer fails then.
    ///
    /// Throws errors of `prepare` or `check`, or of the workload in the dry run.
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
