import SQLCore

/// The counts of a `FaultVFS`, and its planned faults.
struct FaultState {
    /// How a call fails.
    struct Failure {
        let code: SQLResultCode
        /// Whether a write writes half of its bytes first.
        let isTorn: Bool
    }

    /// The point at which to fail.
    struct Plan {
        let point: Int
        let duration: Fault.Duration
        let isTorn: Bool
        /// The operation at the point, once it has been reached.
        var operation: FaultOperation?
    }

    var counts: [FaultOperation: Int] = [:]
    var points = 0
    var bytesWritten = 0
    var kinds: Set<SQLFileKind> = []
    var openPaths: [String?] = []
    /// The number of bytes by which files may still grow; nil for no limit.
    var spaceLeft: Int64?
    /// The number of further calls after which each operation fails, and the code.
    var operations: [FaultOperation: (after: Int, code: SQLResultCode)] = [:]
    var plan: Plan?
    /// The first fault since the counts began.
    var fault: Fault?
    var skipsSyncs = false

    /// Counts a call; returns how it fails, or nil if it does not.
    mutating func note(
        _ operation: FaultOperation, _ location: FaultLocation, bytes: Int
    ) -> Failure? {
        points += 1
        counts[operation, default: 0] += 1
        guard let failure = planned(operation) ?? counted(operation) else { return nil }
        let written = failure.isTorn && operation == .write ? bytes / 2 : 0
        record(operation, location, failure.code, bytesWritten: written)
        return failure
    }

    /// Records the first fault.
    mutating func record(
        _ operation: FaultOperation, _ location: FaultLocation, _ code: SQLResultCode,
        bytesWritten: Int = 0
    ) {
        guard fault == nil else { return }
        fault = Fault(
            point: points, operation: operation, kind: location.kind, path: location.path,
            code: code, bytesWritten: bytesWritten)
    }

    private mutating func planned(_ operation: FaultOperation) -> Failure? {
        guard let plan, points >= plan.point else { return nil }
        let isFirst = points == plan.point
        if isFirst { self.plan?.operation = operation }
        let fails =
            switch plan.duration {
            case .once: isFirst
            case .alike: isFirst || operation == plan.operation
            case .forGood: true
            }
        return fails ? Failure(code: operation.code, isTorn: plan.isTorn && isFirst) : nil
    }

    private mutating func counted(_ operation: FaultOperation) -> Failure? {
        guard let fault = operations[operation] else { return nil }
        if fault.after == 0 { return Failure(code: fault.code, isTorn: false) }
        operations[operation]?.after -= 1
        return nil
    }
}
