public import SQLCore
internal import StorePlatform

extension FaultVFS {
    /// Makes the point with a number fail, with the code of its operation.
    ///
    /// ```swift
    /// let vfs = try FaultVFS.registered()
    /// let context = try vfs.open(testDirectory("a.db"))
    /// vfs.resetCounts()
    /// vfs.fail(point: 3, .forGood)
    /// #expect(throws: SQLError.self) { try context.exec(sql: "CREATE TABLE t (a)") }
    /// #expect(vfs.fault?.point == 3)
    /// ```
    ///
    /// It replaces a point that was planned before.
    ///
    /// - Parameters:
    ///   - point: the number of the point since the counts were reset, from 1.
    ///   - duration: which later calls fail, too.
    ///   - isTorn: whether a write writes the first half of its bytes before it fails; false by
    ///     default.
    public func fail(point: Int, _ duration: Fault.Duration, isTorn: Bool = false) {
        state.withLock {
            $0.plan = FaultState.Plan(point: point, duration: duration, isTorn: isTorn)
        }
    }

    /// Makes an operation fail after a number of further calls, until `heal()`.
    ///
    /// ```swift
    /// let vfs = try FaultVFS.registered()
    /// let context = try vfs.open(testDirectory("a.db"))
    /// vfs.fail(.write, after: 2, with: .full)
    /// #expect(throws: SQLError.self) { try context.exec(sql: "CREATE TABLE t (a)") }
    /// ```
    ///
    /// - Parameters:
    ///   - operation: the operation, on any file.
    ///   - count: the number of calls that still succeed; 0 by default.
    ///   - code: the code returned to SQLite; nil for the code of the operation (default).
    public func fail(
        _ operation: FaultOperation, after count: Int = 0, with code: SQLResultCode? = nil
    ) {
        state.withLock { $0.operations[operation] = (count, code ?? operation.code) }
    }

    /// Limits the total growth of files in bytes, after which the disk is full; nil for no limit.
    ///
    /// A write that makes a file grow beyond it fails with `SQLITE_FULL` and writes nothing.
    /// Deleting or shortening files does not return space.
    ///
    /// - Parameter bytes: the number of bytes from now on.
    public func setSpaceLeft(_ bytes: Int64?) {
        state.withLock { $0.spaceLeft = bytes }
    }

    /// Removes all planned faults; the counts stay, and so does ``fault``.
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
    ///
    /// - Parameter skips: whether they are skipped; a new instance does not skip them.
    public func setSkipsSyncs(_ skips: Bool) {
        state.withLock { $0.skipsSyncs = skips }
    }
}

extension FaultVFS {
    /// The number of points since the counts were reset.
    public var pointCount: Int { state.withLock { $0.points } }

    /// The number of calls of an operation since the counts were reset.
    public func count(of operation: FaultOperation) -> Int {
        state.withLock { $0.counts[operation, default: 0] }
    }

    /// The number of bytes written to all files since the counts were reset.
    public var bytesWritten: Int { state.withLock { $0.bytesWritten } }

    /// The kinds of the files opened since the counts were reset.
    public var kinds: Set<SQLFileKind> { state.withLock { $0.kinds } }

    /// The paths of the files that are currently open; an empty string for a temporary file without
    /// a name.
    ///
    /// A closed connection must not leave any.
    public var openPaths: [String] { state.withLock { $0.openPaths.map { $0 ?? "" } } }

    /// The first fault since the counts were reset; nil if nothing has failed.
    ///
    /// ``heal()`` does not reset it.
    public var fault: Fault? { state.withLock { $0.fault } }

    /// Resets the counts and the recorded fault; planned faults stay. A planned point counts from
    /// here.
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
