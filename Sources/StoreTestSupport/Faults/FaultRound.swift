/// One run of a workload in a `FaultSweep`: where its files are, and what happened.
public struct FaultRound: Sendable {
    /// A directory of the round's own, with a copy of the sweep's template in it, if there is one.
    public let directory: String
    /// The file system that fails; healed when the round is checked.
    public let vfs: FaultVFS
    /// What is to fail in this round.
    public let plan: Plan
    /// The first call that failed; nil if the workload did not come to the point.
    public internal(set) var fault: Fault?
    /// What the workload threw, nil if nothing.
    public internal(set) var error: (any Error)?

    /// What a round makes fail.
    public enum Plan: Equatable, Sendable {
        /// Nothing: the points are counted.
        case count
        /// The point of this number; a torn write writes a half before it fails.
        case point(Int, Fault.Duration, isTorn: Bool)
        /// Files cannot grow by more than so many bytes.
        case space(Int64)
    }

    /// The path of a file in the round's directory.
    public func callAsFunction(_ name: String) -> String { "\(directory)/\(name)" }
}

extension FaultRound: CustomStringConvertible {
    /// The plan, the fault and the error in one line: the comment of an expectation.
    public var description: String {
        let planned =
            switch plan {
            case .count: "no fault"
            case .point(let number, let duration, let isTorn):
                "point \(number) \(duration.rawValue)\(isTorn ? ", torn" : "")"
            case .space(let bytes): "space for \(bytes) bytes"
            }
        let met = fault.map(\.description) ?? "nothing failed"
        return "\(planned) → \(met) → \(error.map { "\($0)" } ?? "no error")"
    }
}
