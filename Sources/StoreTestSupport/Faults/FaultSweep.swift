/// Runs a workload repeatedly, each time with a fault at another of its I/O points.
///
/// ```swift
/// let summary = try FaultSweep(stride: 10).run(copying: peoplePath) { round in
///     let file = try DataFile(
///         path: round("people.cblite2"), options: DataFileOptions(access: .readWrite))
///     try file.write { try people.create(in: $0) }
/// } check: { round in
///     let isSound = try isWhole(round("people.cblite2"))
///     #expect(isSound, "\(round)")
/// }
/// #expect(summary.faults > 0)
/// ```
///
/// A dry run counts the points; it must not throw. Every round has a directory of its own, which is
/// removed after its check. All connections to files below it use the faulty file system. The
/// workload should be deterministic: no threads, no random numbers without a seed.
///
/// To repeat one round, for example under a debugger, set ``only`` to the point in its description.
/// A round of a small workload takes about two milliseconds. What a loss of power leaves on the
/// disk is tested by ``PowerLossSweep``.
public struct FaultSweep: Sendable {
    /// The durations of the faults; each point is tried with each.
    ///
    /// By default a fault happens once, or for good, so that there are two rounds for each point.
    public var durations: [Fault.Duration] = [.once, .forGood]
    /// The distance between the tried points; 1 for all.
    public var stride: Int
    /// The first tried point, so that several runs with a stride can try different ones; 1 by
    /// default.
    public var first = 1
    /// The only tried points, such as the one that failed before; nil for every `stride`-th
    /// (default).
    ///
    /// The number is in the description of a ``FaultRound``.
    public var only: [Int]?
    /// Whether each write is also tried with half of its bytes written before it fails; false by
    /// default.
    ///
    /// Only the writes at which another fault happened are known, so with a stride only those are
    /// torn.
    public var tearsWrites = false
    /// The free bytes of the disk in additional rounds, in which nothing else fails; none by
    /// default.
    public var spaces: [Int64] = []
    /// Whether syncs are passed to the system, which is slow and does not change the result; false
    /// by default.
    public var syncsReally = false

    /// Creates a sweep that tries every `stride`-th point.
    ///
    /// - Parameter stride: the distance between the tried points, at least 1.
    public init(stride: Int = 1) {
        self.stride = max(1, stride)
    }

    /// The counts of a sweep, with which a test checks that the sweep has reached what it should.
    public struct Summary: Equatable, Sendable {
        /// The number of points of the workload, as counted by the dry run.
        public internal(set) var points = 0
        /// The number of rounds with a planned fault, without the dry run.
        public internal(set) var rounds = 0
        /// The number of rounds in which something failed.
        ///
        /// It is lower than ``rounds`` if some rounds do not reach their point.
        public internal(set) var faults = 0
        /// The number of times that each operation failed first.
        public internal(set) var operations: [FaultOperation: Int] = [:]
        /// The number of rounds with a fault in which the workload did not throw: SQLite or the
        /// code under test could continue in spite of the fault.
        public internal(set) var survived = 0
    }

    /// Runs the workload once for each fault.
    ///
    /// ```swift
    /// var sweep = FaultSweep(stride: 7)
    /// sweep.tearsWrites = true
    /// sweep.spaces = [0, 4_096, 65_536]
    /// let summary = try sweep.run(copying: peoplePath) { round in
    ///     try addPerson(to: round("people.cblite2"))
    /// } check: { round in
    ///     let isSound = try isWhole(round("people.cblite2"))
    ///     #expect(isSound, "\(round)")
    /// }
    /// #expect(summary.operations[.sync, default: 0] > 0)
    /// ```
    ///
    /// - Parameters:
    ///   - template: a file or directory that is copied into each round's directory, under its
    ///     name; nil for an empty directory.
    ///   - prepare: runs before points are counted, for example to open a file; by default nothing.
    ///   - workload: the code under test; an error that it throws is the round's `error`.
    ///   - check: checks the round. The file system no longer fails then.
    /// - Returns: the counts.
    /// - Throws: errors of `prepare` or `check`, or of the workload in the dry run.
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
