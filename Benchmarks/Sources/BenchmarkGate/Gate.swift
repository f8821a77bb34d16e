/// Compares what kernels cost with what they may.
public struct Gate: Sendable {
    /// What they may cost.
    public let thresholds: Thresholds
    /// By how many percent instructions may differ.
    public let marginPercent: Double
    /// The version of the SQLite library that was measured.
    public let sqlite: String

    /// A gate with these thresholds.
    ///
    /// Throws `GateError` for a margin below 0 or beyond 100.
    public init(thresholds: Thresholds, marginPercent: Double, sqlite: String) throws {
        guard (0...100).contains(marginPercent) else {
            throw GateError("a margin of \(marginPercent) %: it must be between 0 and 100")
        }
        self.thresholds = thresholds
        self.marginPercent = marginPercent
        self.sqlite = sqlite
    }

    /// Whether the thresholds are of another SQLite: kernels that use it cannot fail then.
    public var hasOtherSQLite: Bool { sqlite != thresholds.sqlite }

    /// What is to be said of each.
    public func verdicts(on measured: [MeasuredKernel]) -> [KernelVerdict] {
        measured.map { verdict(on: $0) }
    }

    /// Names that stand in the thresholds and that no kernel has.
    public func leftOver(besides names: some Sequence<String>) -> [String] {
        Set(thresholds.kernels.keys).subtracting(names).sorted()
    }

    private func verdict(on kernel: MeasuredKernel) -> KernelVerdict {
        guard let threshold = thresholds.kernels[kernel.name] else {
            return KernelVerdict(kernel: kernel, threshold: nil, outcome: .new)
        }
        let changes = [
            instructions(kernel.cost, threshold), allocations(kernel.cost, threshold),
        ]
        var outcome = KernelVerdict.Outcome.asBefore
        if changes.contains(.worse) {
            outcome = .worse
        } else if changes.contains(.better) {
            outcome = .better
        }
        if outcome != .asBefore, kernel.usesSQLite, hasOtherSQLite { outcome = .notComparable }
        return KernelVerdict(kernel: kernel, threshold: threshold, outcome: outcome)
    }

    private func instructions(
        _ cost: KernelCost, _ threshold: KernelCost
    ) -> KernelVerdict.Outcome {
        let margin = threshold.instructions * marginPercent / 100
        if cost.instructions > threshold.instructions + margin { return .worse }
        return cost.instructions < threshold.instructions - margin ? .better : .asBefore
    }

    /// Without a margin: an allocation more is one in each item.
    private func allocations(
        _ cost: KernelCost, _ threshold: KernelCost
    ) -> KernelVerdict.Outcome {
        let change = cost.allocations - threshold.allocations
        if change > KernelCost.allocationTolerance { return .worse }
        return change < -KernelCost.allocationTolerance ? .better : .asBefore
    }
}

/// What the gate says of a kernel.
public struct KernelVerdict: Sendable, Equatable {
    /// How the costs are to the thresholds.
    public enum Outcome: Sendable, Equatable {
        /// Within the margin.
        case asBefore
        /// Less by more than the margin: the thresholds should be rewritten, or they would let a
        /// loss pass.
        case better
        /// More instructions than the margin allows, or another allocation: the gate is shut.
        case worse
        /// There is no threshold.
        case new
        /// Other costs, with another SQLite.
        case notComparable
    }

    /// What was measured.
    public let kernel: MeasuredKernel
    /// What it may cost; nil if that is not known.
    public let threshold: KernelCost?
    /// How they are to each other.
    public let outcome: Outcome

    /// A verdict of these.
    public init(kernel: MeasuredKernel, threshold: KernelCost?, outcome: Outcome) {
        self.kernel = kernel
        self.threshold = threshold
        self.outcome = outcome
    }
}
