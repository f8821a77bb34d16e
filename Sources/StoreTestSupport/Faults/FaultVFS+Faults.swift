public import SQLCore
internal import StorePlatform

extension FaultVFS {
    /// Makes the point with a number fail, with the code of its operation.
    ///
    /// - Parameter isTorn: whether a write writes the first half of its bytes before it fails.
    public func fail(point: Int, _ duration: Fault.Duration, isTorn: Bool = false) {
        state.withLock {
            $0.plan = FaultState.Plan(point: point, duration: duration, isTorn: isTorn)
        }
    }

    /// Makes an operation fail after a number of further calls, until `heal()`.
    ///
    /// - Parameter code: the code returned to SQLite; nil for the code of the operation.
    public func fail(
        _ operation: FaultOperation, after count: Int = 0, with code: SQLResultCode? = nil
    ) {
        state.withLock { $0.operations[operation] = (count, code ?? operation.code) }
    }

    /// Limits the total growth of files in bytes, after which the disk is full; nil for no limit.
    public func setSpaceLeft(_ bytes: Int64?) {
        state.withLock { $0.spaceLeft = bytes }
    }

    /// Removes all planned faults; the counts stay.
    public func heal() {
        state.withLock {
            $0.operations = [:]
            $0.plan = nil
            $0.spaceLeft = nil
        }
    }

    /// Sets whether syncs are skipped: they are counted and can fail, but are not passed to the
    /// system.
    ///
    /// Skipping them loses data only if the machine itself stops, and makes tests far quicker.
    public func setSkipsSyncs(_ skips: Bool) {
        state.withLock { $0.skipsSyncs = skips }
    }
}

extension FaultVFS {
    /// The number of points since the counts were reset.
    public var pointCount: Int { state.withLock { $0.points } }

    /// The number of calls of an operation.
    public func count(of operation: FaultOperation) -> Int {
        state.withLock { $0.counts[operation, default: 0] }
    }

    /// The number of bytes written to all files.
    public var bytesWritten: Int { state.withLock { $0.bytesWritten } }

    /// The kinds of the opened files.
    public var kinds: Set<SQLFileKind> { state.withLock { $0.kinds } }

    /// The paths of the files that are currently open; a closed connection must not leave any.
    public var openPaths: [String] { state.withLock { $0.openPaths.map { $0 ?? "" } } }

    /// The first fault since the counts were reset; nil if nothing has failed.
    public var fault: Fault? { state.withLock { $0.fault } }

    /// Resets the counts and the recorded fault; planned faults stay.
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
