import SQLCore

/// What a `FaultVFS` has counted, and what it has been told to do.
struct FaultState {
    /// How a call fails.
    struct Failure {
        let code: SQLResultCode
        /// Whether a write writes a part first.
        let isTorn: Bool
    }

    /// The point that is to fail.
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
    /// By how many bytes files may still grow; nil for as many as they like.
    var spaceLeft: Int64?
    /// After how many more calls of each operation they fail, and how.
    var operations: [FaultOperation: (after: Int, code: SQLResultCode)] = [:]
    var plan: Plan?
    /// The first fault since the counts began.
    var fault: Fault?
    var skipsSyncs = false

    /// Counts a call; the result is how it fails, nil if it does not.
    mutating func note(_ operation: FaultOperation, _ place: FaultLocation, bytes: Int) -> Failure? {
        points += 1
        counts[operation, default: 0] += 1
        guard let failure = planned(operation) ?? counted(operation) else { return nil }
        let written = failure.isTorn && operation == .write ? bytes / 2 : 0
        record(operation, place, failure.code, bytesWritten: written)
        return failure
    }

    /// Keeps the first fault.
    mutating func record(
        _ operation: FaultOperation, _ place: FaultLocation, _ code: SQLResultCode,
        bytesWritten: Int = 0
    ) {
        guard fault == nil else { return }
        fault = Fault(
            point: points, operation: operation, kind: place.kind, path: place.path, code: code,
            bytesWritten: bytesWritten)
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
