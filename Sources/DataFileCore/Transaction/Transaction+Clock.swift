package import SQLCore
package import StoreFormat

// The clock's bound in the file: see `HybridClock`.
extension Transaction {
    /// A time for a new version, later than all plausible times of the vectors; nil if the wall
    /// clock is beyond the last valid time.
    @inline(__always)
    package func nextTime(
        afterAllOf vector: VersionVector?, _ other: VersionVector? = nil
    ) throws -> LogicalTime? {
        if !usesClock { try beginClock() }
        return clock.next(afterAllOf: vector, other)
    }

    /// Makes the clock go on where the times in the file end.
    @inline(never)
    private func beginClock() throws {
        if !clock.hasBegun { clock.begin(after: try storedClockBound()) }
        usesClock = true
    }

    private func storedClockBound() throws -> LogicalTime? {
        try info(InfoKey.clockBound).flatMap(BigEndian.number).map { LogicalTime(rawValue: $0) }
    }

    /// Sees to it that the bound in the file covers the times given; called before the commit.
    func writeClockBound() throws {
        guard usesClock, clock.needsBound else { return }
        let stored = try storedClockBound()
        let bound = clock.newBound(over: stored)
        if bound != stored { try putInfo(InfoKey.clockBound, BigEndian.bytes(bound.rawValue)) }
        newClockBound = bound
    }

    /// Notes what is in the file now; called after the commit.
    func noteCommit() {
        if let newClockBound { clock.keep(newClockBound) }
    }
}

extension Transaction {
    /// Runs `body` as a savepoint, which ends when `flag` is set: what it did is undone then, and
    /// the transaction can go on.
    ///
    /// A statement that writes is not stopped, but undone after its end.
    ///
    /// Throws `CancellationError` if `flag` was set before the end of `body`, and what that throws.
    package func savepoint<T>(
        endingAt flag: CancellationFlag, _ body: () throws -> T
    ) throws -> T {
        try savepoint {
            try session().context.ending(at: flag, body)
        }
    }
}
