public import SQLCore
internal import StorePlatform

extension FaultVFS {
    /// The point of this number fails, with the code that fits its operation.
    ///
    /// - Parameter isTorn: a write writes the first half of its bytes before it fails.
    public func fail(point: Int, _ duration: Fault.Duration, isTorn: Bool = false) {
        state.withLock {
            $0.plan = FaultState.Plan(point: point, duration: duration, isTorn: isTorn)
        }
    }

    /// An operation fails after so many more calls, until `heal()`.
    ///
    /// - Parameter code: what SQLite is told; nil for the code that fits the operation.
    public func fail(
        _ operation: FaultOperation, after count: Int = 0, with code: SQLResultCode? = nil
    ) {
        state.withLock { $0.operations[operation] = (count, code ?? operation.code) }
    }

    /// Files may grow by so many bytes in all, then the disk is full; nil for no limit.
    public func setSpaceLeft(_ bytes: Int64?) {
        state.withLock { $0.spaceLeft = bytes }
    }

    /// Nothing fails any more; what was counted stays.
    public func heal() {
        state.withLock {
            $0.operations = [:]
            $0.plan = nil
            $0.spaceLeft = nil
        }
    }

    /// Leaves syncs out: they are counted and can fail, and the system is not asked for them.
    ///
    /// Nothing is lost by that unless the machine itself stops, and a test is far quicker.
    public func setSkipsSyncs(_ skips: Bool) {
        state.withLock { $0.skipsSyncs = skips }
    }
}

extension FaultVFS {
    /// How many points there were since the counts began.
    public var pointCount: Int { state.withLock { $0.points } }

    /// How often an operation was asked for.
    public func count(of operation: FaultOperation) -> Int {
        state.withLock { $0.counts[operation, default: 0] }
    }

    /// How many bytes were written to all files.
    public var bytesWritten: Int { state.withLock { $0.bytesWritten } }

    /// The kinds of the files that were opened.
    public var kinds: Set<SQLFileKind> { state.withLock { $0.kinds } }

    /// The paths of the files that are open now; what a connection that was closed must not leave.
    public var openPaths: [String] { state.withLock { $0.openPaths.map { $0 ?? "" } } }

    /// The first fault since the counts began; nil if nothing has failed.
    public var fault: Fault? { state.withLock { $0.fault } }

    /// Counts from nothing, and forgets the fault; what is to fail stays.
    public func resetCounts() {
        state.withLock {
            $0.points = 0
            $0.counts = [:]
            $0.bytesWritten = 0
            $0.kinds = []
            $0.fault = nil
        }
    }
}
