/// Compares the costs of kernels with their thresholds.
public struct Gate: Sendable {
    /// The thresholds.
    public let thresholds: Thresholds
    /// The percentage by which instructions may differ.
    public let marginPercent: Double
    /// The version of the measured SQLite library.
    public let sqlite: String

    /// Creates a gate from thresholds.
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

    /// Whether the thresholds were measured with another SQLite: kernels that use it then cannot
    /// fail.
    public var hasOtherSQLite: Bool { sqlite != thresholds.sqlite }

    /// The verdict on each kernel.
    public func verdicts(on measured: [MeasuredKernel]) -> [KernelVerdict] {
        measured.map { verdict(on: $0) }
    }

    /// The names in the thresholds that are not kernels.
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

    /// Without a margin: one more allocation is one in each item.
    private func allocations(
        _ cost: KernelCost, _ threshold: KernelCost
    ) -> KernelVerdict.Outcome {
        let change = cost.allocations - threshold.allocations
        if change > KernelCost.allocationTolerance { return .worse }
        return change < -KernelCost.allocationTolerance ? .better : .asBefore
    }
}

/// The verdict on a kernel.
public struct KernelVerdict: Sendable, Equatable {
    /// The result of the comparison.
    public enum Outcome: Sendable, Equatable {
        /// Within the margin.
        case asBefore
        /// Less by more than the margin: the thresholds should be updated, since they would let a
        /// later regression pass.
        case better
        /// More instructions than the margin allows, or another allocation: the gate fails.
        case worse
        /// The kernel has no threshold.
        case new
        /// The costs differ, but the SQLite library is another one.
        case notComparable
    }

    /// The measured costs.
    public let kernel: MeasuredKernel
    /// The threshold; nil if there is none.
    public let threshold: KernelCost?
    /// The result of the comparison.
    public let outcome: Outcome

    /// Creates a verdict.
    public init(kernel: MeasuredKernel, threshold: KernelCost?, outcome: Outcome) {
        self.kernel = kernel
        self.threshold = threshold
        self.outcome = outcome
    }
}
