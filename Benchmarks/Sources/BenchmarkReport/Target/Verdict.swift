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
        /// A number of allocations for an item.
        case count
    }

    /// How many runs meet a target, and how many there are.
    public struct RunCount: Sendable, Equatable {
        /// Those that meet it.
        public var met: Int
        /// All of them.
        public var all: Int
    }

    /// What was measured, and what the limit is on this machine.
    public struct Measured: Sendable, Equatable {
        /// The figure.
        public var figure: Double
        /// The limit, scaled for the machine where it has to be.
        public var bound: Bound
        /// The limit as the tables have it, if it was scaled.
        public var unscaled: Bound?
        /// What both are.
        public var unit: Unit
        /// The seconds of what was measured, the median.
        public var seconds: Double?
        /// The seconds of the floor, the median.
        public var baseline: Double?
        /// Whether the floor alone, without an engine, is beyond the limit: then the limit is about
        /// other work, or the machine differs in more than speed.
        public var isBaselineBeyond = false

        /// How much of the limit is left: 0.1 if the figure is better by a tenth of it; negative if
        /// it is worse. Of a limit of 0 nothing can be left.
        public var margin: Double { bound.margin(of: figure) }

        /// Whether the figure is within the limit as the tables have it; nil if none was scaled.
        public var isMetUnscaled: Bool? { unscaled.map { $0.allows(figure) } }
    }

    /// The target.
    public var target: Target
    /// The result.
    public var outcome: Outcome
    /// The figures behind it, if there are.
    public var measured: Measured?
    /// In how many of several runs the target is met; nil for a verdict on one run.
    public var runs: RunCount?

    /// Whether the target is met.
    public var isMet: Bool { if case .met = outcome { true } else { false } }
}
