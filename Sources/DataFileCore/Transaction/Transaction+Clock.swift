package import SQLCore
package import StoreFormat

// The clock's upper bound in the file: see `HybridClock`.
extension Transaction {
    /// A time for a new version, later than all plausible times in the vectors; nil if the wall
    /// clock is past the last valid time.
    @inline(__always)
    package func nextTime(
        afterAllOf vector: VersionVector?, _ other: VersionVector? = nil
    ) throws -> LogicalTime? {
        if !usesClock { try beginClock() }
        return clock.next(afterAllOf: vector, other)
    }

    /// Starts the clock after the times in the file.
    @inline(never)
    private func beginClock() throws {
        if !clock.hasStarted { clock.start(after: try storedClockBound()) }
        usesClock = true
    }

    private func storedClockBound() throws -> LogicalTime? {
        try info(InfoKey.clockBound).flatMap(BigEndian.number).map { LogicalTime(rawValue: $0) }
    }

    /// Raises the bound in the file if necessary, so that it covers the assigned times. Called
    /// before the commit.
    func writeClockBound() throws {
        guard usesClock, clock.needsBound else { return }
        let stored = try storedClockBound()
        let bound = clock.newBound(over: stored)
        if bound != stored { try putInfo(InfoKey.clockBound, BigEndian.bytes(bound.rawValue)) }
        newClockBound = bound
    }

    /// Notes the bound that is in the file now. Called after the commit.
    func noteCommit() {
        if let newClockBound { clock.recordBound(newClockBound) }
    }
}

extension Transaction {
    /// Runs `body` as a savepoint that is cancelled when `flag` is set: its changes are rolled
    /// back, and the transaction can continue.
    ///
    /// A writing statement is not interrupted, but rolled back after it has finished.
    ///
    /// Throws `CancellationError` if `flag` was set before the end of `body`, and rethrows errors
    /// of `body`.
    package func savepoint<T>(
        endingAt flag: CancellationFlag, _ body: () throws -> T
    ) throws -> T {
        try savepoint {
            try connection().context.ending(at: flag, body)
        }
    }
}
