/// Whether a run meets a target.
public struct Verdict: Sendable, Equatable {
    /// The result.
    public enum Outcome: Sendable, Equatable {
        /// Within the limit; and whether within the wish beyond it, if there is one.
        case met(stretch: Bool?)
        /// Beyond the limit.
        case missed
        /// There is nothing to judge by, and why.
        case notMeasured(reason: String)
    }

    /// What a figure and its limit are.
    public enum Unit: Sendable, Equatable {
        /// A number without a unit.
        case times
        /// Seconds.
        case seconds
        /// Bytes a second.
        case bytesPerSecond
    }

    /// What was measured, and what the limit is on this machine.
    public struct Measured: Sendable, Equatable {
        /// The figure.
        public var figure: Double
        /// The limit, scaled for the machine where it has to be.
        public var bound: Bound
        /// What both are.
        public var unit: Unit
        /// The seconds of what was measured, the median.
        public var seconds: Double?
        /// The seconds of the floor, the median.
        public var floor: Double?
        /// Whether the floor alone, without an engine, is beyond the limit: then the limit is about
        /// other work, or the machine differs in more than speed.
        public var isFloorBeyond = false

        /// How much of the limit is left: 0.1 if the figure is better by a tenth of it; negative if
        /// it is worse.
        public var margin: Double {
            let excess = (figure - bound.limit) / bound.limit
            return bound.isUpper ? -excess : excess
        }
    }

    /// The target.
    public var target: Target
    /// The result.
    public var outcome: Outcome
    /// The figures behind it, if there are.
    public var measured: Measured?

    /// Whether the target is met.
    public var isMet: Bool { if case .met = outcome { true } else { false } }
}

/// The verdicts of a run on all targets.
public struct Verdicts: Sendable, Equatable {
    /// One for each target, in the order of the tables.
    public var all: [Verdict]

    /// Judges a run.
    public init(_ run: BenchmarkRun, targets: [Target] = Target.all) {
        all = targets.map { $0.evaluate(in: run) }
    }

    /// How many are met.
    public var met: Int { all.count { $0.isMet } }
    /// How many are missed.
    public var missed: Int { all.count { $0.outcome == .missed } }
    /// How many reach the wish beyond the limit.
    public var stretched: Int { all.count { $0.outcome == .met(stretch: true) } }
    /// How many could not be judged.
    public var unmeasured: Int { all.count - met - missed }

    /// Those of a table.
    public func of(_ table: Target.Table) -> [Verdict] { all.filter { $0.target.table == table } }
}
