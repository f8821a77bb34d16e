/// The verdicts of a run, or of several of one size, on all targets.
public struct Verdicts: Sendable, Equatable {
    /// One for each target, in the order of the tables: for several runs, that of the worst run, so
    /// that a target is met only if all of them meet it.
    public var all: [Verdict]

    /// Judges a run.
    public init(
        _ run: BenchmarkRun, _ counts: AllocationCounts? = nil, targets: [Target] = Target.all
    ) {
        all = targets.map { $0.evaluate(in: run, counts) }
    }

    /// Judges several runs, each on its own.
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

    /// The number of met targets.
    public var met: Int { all.count { $0.isMet } }
    /// The number of missed targets.
    public var missed: Int { all.count { $0.outcome == .missed } }
    /// The number of targets that reach the stretch goal.
    public var stretched: Int { all.count { $0.outcome == .met(stretch: true) } }
    /// The number of targets that were not measured.
    public var unmeasured: Int { all.count - met - missed }
    /// For the judged targets with limits scaled for the machine: their number, and how many are
    /// within the unscaled limits.
    public var unscaled: (met: Int, all: Int) {
        let results = all.compactMap { $0.measured?.isMetUnscaled }
        return (results.count { $0 }, results.count)
    }

    /// The verdicts of a table.
    public func of(_ table: Target.Table) -> [Verdict] { all.filter { $0.target.table == table } }
}

extension Verdict {
    /// A missed target is worse than an unmeasured one; then the margin decides.
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
