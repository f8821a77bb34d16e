internal import SQLCore
internal import StorePlatform

/// Assigns each new version a time later than any before it, whatever the wall clock does, and
/// across restarts.
///
/// The file stores a **bound** that is later than every time assigned by a committed transaction;
/// a clock starts from it. The bound is set some time ahead, so that few transactions have to
/// write it.
package final class HybridClock: Sendable {
    private struct State {
        /// The time that was assigned last.
        var last = LogicalTime.valid.lowerBound.rawValue
        /// The wall clock's reading then.
        var physical: UInt64 = 0
        /// The bound in the file, as far as known.
        var bound: UInt64 = 0
        var hasStarted = false
    }

    private let state = Locked(State())
    private let wallClock: @Sendable () -> UInt64

    package init(wallClock: @escaping @Sendable () -> UInt64 = { SystemClock.nanoseconds }) {
        self.wallClock = wallClock
    }

    /// A new time, later than `other` too; nil if the wall clock is past the last valid time.
    ///
    /// A plausible time from the future applies to this one document only; the clock itself does
    /// not advance to it.
    func next(after other: LogicalTime?) -> LogicalTime? {
        next(at: wallClock() & ~0xFFFF) { limit in other.flatMap { $0 <= limit ? $0 : nil } }
    }

    /// A new time, later than all plausible times of the vectors; nil if the wall clock is past the
    /// last valid time.
    package func next(
        afterAllOf vector: VersionVector?, _ other: VersionVector? = nil
    ) -> LogicalTime? {
        next(at: wallClock() & ~0xFFFF) { limit in
            guard let vector else { return other?.latestTime(notAfter: limit) }
            let latest = vector.latestTime(notAfter: limit)
            guard let other else { return latest }
            return max(latest, other.latestTime(notAfter: limit))
        }
    }

    @inline(__always)
    private func next(
        at physical: UInt64, after other: (_ limit: LogicalTime) -> LogicalTime?
    ) -> LogicalTime? {
        let latest = Self.latestPlausible(at: physical)
        let other = other(LogicalTime(rawValue: latest))
        return state.withLock { state in
            if state.last > latest { state.last = LogicalTime.valid.lowerBound.rawValue }
            let own = max(physical, state.last + 1)
            let time = max(own, (other?.rawValue ?? 0) + 1)
            guard time <= LogicalTime.valid.upperBound.rawValue else { return nil }
            state.last = own
            state.physical = physical
            return LogicalTime(rawValue: time)
        }
    }
}

// Implausible times. A wrong system clock, or a crafted file, can put a time into the file that is
// centuries away: a clock that continued from there would soon run out of valid times.
extension HybridClock {
    /// How far ahead of the wall clock a time can be and still be plausible: 5 years.
    ///
    /// LiteCore and Couchbase's servers reject a version that is more than two minutes ahead. The
    /// limit is much higher here, since this device's wall clock may itself be slow.
    static let maximumLead: UInt64 = 5 * 31_557_600 * 1_000_000_000
    /// The lowest reading of the wall clock, 2026-01-01: a clock that was never set, or lost its
    /// battery, does not make times implausible.
    static let earliestNow: UInt64 = 1_767_225_600 * 1_000_000_000

    /// The latest plausible time when the wall clock reads `physical`.
    static func latestPlausible(at physical: UInt64) -> UInt64 {
        let end = LogicalTime.valid.upperBound.rawValue - boundAhead
        return min(end, min(end, max(physical, earliestNow)) + maximumLead)
    }

    /// The latest plausible time now.
    package var latestPlausible: LogicalTime {
        LogicalTime(rawValue: Self.latestPlausible(at: wallClock()))
    }
}

// The bound.
extension HybridClock {
    /// How far ahead of the wall clock a bound is set: 1 second. After a restart the first versions
    /// can have times that far in the future, so it is kept short for the sake of other peers.
    static let boundAhead: UInt64 = 1_000_000_000
    /// How far ahead of the last assigned time a bound is set while the clock runs ahead of the
    /// wall clock: a million versions. The drift stays small even after many restarts.
    static let boundAheadOfFuture: UInt64 = 1_000_000

    /// Whether it has started from a file's bound.
    package var hasStarted: Bool { state.withLock { $0.hasStarted } }

    /// Starts after the file's bound; nil if there is none. An implausible bound is ignored.
    package func start(after bound: LogicalTime?) {
        let latest = latestPlausible
        state.withLock { state in
            state.hasStarted = true
            guard let bound, bound <= latest, LogicalTime.valid.contains(bound) else { return }
            // The bound itself was not assigned.
            state.last = max(state.last, bound.rawValue - 1)
            state.bound = max(state.bound, bound.rawValue)
        }
    }

    /// Whether the known bound does not cover all assigned times, or has become implausible because
    /// the wall clock was set back.
    package var needsBound: Bool {
        state.withLock {
            $0.last >= $0.bound || $0.bound > Self.latestPlausible(at: $0.physical)
        }
    }

    /// The bound to write, given the one that is stored now, which another process may have set;
    /// the stored one if it is late enough and plausible.
    package func newBound(over stored: LogicalTime?) -> LogicalTime {
        let limit = LogicalTime.valid.upperBound.rawValue
        return state.withLock { state in
            let latest = Self.latestPlausible(at: state.physical)
            if let stored, stored.rawValue > state.last, stored.rawValue <= latest {
                return stored
            }
            // Many versions within one tick of the wall clock do not count as the future.
            let isAhead = state.last > state.physical | 0xFFFF
            let ahead = isAhead ? Self.boundAheadOfFuture : Self.boundAhead
            return LogicalTime(rawValue: min(limit, state.last + ahead))
        }
    }

    /// Records the bound that a commit has stored in the file.
    package func recordBound(_ bound: LogicalTime) {
        state.withLock { state in
            let isPlausible = state.bound <= Self.latestPlausible(at: state.physical)
            state.bound = isPlausible ? max(state.bound, bound.rawValue) : bound.rawValue
        }
    }
}
