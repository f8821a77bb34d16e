/// The verdicts of a run, or of several of one size, on all targets.
public struct Verdicts: Sendable, Equatable {
    /// One for each target, in the order of the tables: of several runs that of the worst, so that
    /// a target is met only if each of them meets it.
    public var all: [Verdict]

    /// Judges a run.
    public init(
        _ run: BenchmarkRun, _ counts: AllocationCounts? = nil, targets: [Target] = Target.all
    ) {
        all = targets.map { $0.evaluate(in: run, counts) }
    }

    /// Judges several runs, each for itself.
    public init(
        _ runs: [BenchmarkRun], _ counts: AllocationCounts? = nil, targets: [Target] = Target.all
    ) {
        all = targets.compactMap { target in
            let verdicts = runs.map { target.evaluate(in: $0, counts) }
            var worst = verdicts.min { $0.isWorse(than: $1) }
            if runs.count > 1 {
                worst?.runs = .init(met: verdicts.count { $0.isMet }, all: runs.count)
            }
            return worst
        }
    }

    /// How many are met.
    public var met: Int { all.count { $0.isMet } }
    /// How many are missed.
    public var missed: Int { all.count { $0.outcome == .missed } }
    /// How many reach the wish beyond the limit.
    public var stretched: Int { all.count { $0.outcome == .met(stretch: true) } }
    /// How many could not be judged.
    public var unmeasured: Int { all.count - met - missed }
    /// Of the judged ones whose limits were scaled for the machine: how many there are, and how
    /// many are within the limits as the tables have them.
    public var unscaled: (met: Int, all: Int) {
        let results = all.compactMap { $0.measured?.isMetUnscaled }
        return (results.count { $0 }, results.count)
    }

    /// Those of a table.
    public func of(_ table: Target.Table) -> [Verdict] { all.filter { $0.target.table == table } }
}

extension Verdict {
    /// What is missed is worse than what is not known; then the margin counts.
    fileprivate func isWorse(than other: Verdict) -> Bool {
        (rank, measured?.margin ?? 0) < (other.rank, other.measured?.margin ?? 0)
    }

    private var rank: Int {
        switch outcome {
        case .missed: 0
        case .notMeasured: 1
        case .met: 2
        }
    }
}
