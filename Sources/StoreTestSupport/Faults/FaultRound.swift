/// One run of a workload in a `FaultSweep`: the directory of its files, and what happened.
///
/// The workload and the check get it. In the check, ``fault`` and ``error`` show what failed and
/// whether the workload noticed it:
///
/// ```swift
/// try FaultSweep(stride: 3).run(copying: peoplePath) { round in
///     try addPerson(to: round("people.cblite2"))
/// } check: { round in
///     let isSound = try isWhole(round("people.cblite2"))
///     #expect(isSound, "\(round)")
///     if round.fault == nil { #expect(round.error == nil, "\(round)") }
/// }
/// ```
public struct FaultRound: Sendable {
    /// The round's own directory, which contains a copy of the sweep's template, if there is one.
    public let directory: String
    /// The faulty file system; it no longer fails when the round is checked.
    public let vfs: FaultVFS
    /// What fails in this round.
    public let plan: Plan
    /// The first call that failed; nil if the workload did not reach the point, and before the
    /// check.
    public internal(set) var fault: Fault?
    /// The error thrown by the workload; nil if there was none, and before the check.
    public internal(set) var error: (any Error)?

    /// What fails in a round.
    public enum Plan: Equatable, Sendable {
        /// Nothing: the points are counted. This is the first round of a sweep.
        case count
        /// The point with a number; a torn write writes half of its bytes before it fails.
        case point(Int, Fault.Duration, isTorn: Bool)
        /// The growth of files beyond a number of bytes, like a disk that becomes full.
        case space(Int64)
    }

    /// The path of a file in the round's directory.
    ///
    /// - Parameter name: the name of the file.
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
