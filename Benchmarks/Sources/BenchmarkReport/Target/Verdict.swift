/// Whether a run meets a target.
public struct Verdict: Sendable, Equatable {
    /// The result.
    public enum Outcome: Sendable, Equatable {
        /// Within the limit; and whether the stretch goal is reached, if there is one.
        case met(stretch: Bool?)
        /// Beyond the limit.
        case missed
        /// Not measured, and why.
        case notMeasured(reason: String)
    }

    /// The unit of a figure and its limit.
    public enum Unit: Sendable, Equatable {
        /// A number without a unit.
        case times
        /// Seconds.
        case seconds
        /// Bytes per second.
        case bytesPerSecond
        /// The number of allocations for an item.
        case count
    }

    /// The number of runs that meet a target, and of all runs.
    public struct RunCount: Sendable, Equatable {
        /// The number of runs that meet it.
        public var met: Int
        /// The number of all runs.
        public var all: Int
    }

    /// The measured figure, and its limit on this machine.
    public struct Measured: Sendable, Equatable {
        /// The figure.
        public var figure: Double
        /// The limit, scaled for the machine if necessary.
        public var bound: Bound
        /// The limit in the tables, if it was scaled.
        public var unscaled: Bound?
        /// The unit of both.
        public var unit: Unit
        /// The median of the measured seconds.
        public var seconds: Double?
        /// The median of the baseline's seconds.
        public var baseline: Double?
        /// Whether the baseline alone, without an engine, is beyond the limit: the limit is then
        /// for other work, or the machine differs in more than speed.
        public var isBaselineBeyond = false

        /// The margin as a fraction of the limit: 0.1 if the figure is better by a tenth of it;
        /// negative if it is worse. A limit of 0 has no margin.
        public var margin: Double { bound.margin(of: figure) }

        /// Whether the figure is within the limit in the tables; nil if none was scaled.
        public var isMetUnscaled: Bool? { unscaled.map { $0.allows(figure) } }
    }

    /// The target.
    public var target: Target
    /// The result.
    public var outcome: Outcome
    /// The figures of the verdict, if there are any.
    public var measured: Measured?
    /// The number of runs that meet the target; nil for a verdict on one run.
    public var runs: RunCount?

    /// Whether the target is met.
    public var isMet: Bool { if case .met = outcome { true } else { false } }
}
